/* habits_rows.c - the habits of other languages as a workshop: it has no command, and gives errors their advice.
 * SPDX-License-Identifier: MIT
 */
#include "driver/command_table.h"
#include "habits/habits_internal.h"

const workshop habits_workshop = {.name = "habits", .habits = &known_habits};
