/* runtime_parts.h - the parts of the runtime that not every program needs, and the runtime without some of them.
 * SPDX-License-Identifier: MIT
 *
 * The runtime itself says which parts there are, and what a generated file needs is found by the names in it: see dist/uses.c.
 * A generated file states its parts: before it includes pkt.h, it defines PKT_WITH_DELTA and so on. The pkt.h that pktc
 * writes beside it defines PKT_WITHOUT_FIT and so on for those that no file there needs, and the runtime lacks them.
 * pktc needs to know nothing else of a directory, so several runs can write into it, each with schemas of its own.
 */
#ifndef PKTC_RUNTIME_PARTS_H
#define PKTC_RUNTIME_PARTS_H

#include "base/arena.h"
#include "emit/runtime_files.h"

#define PARTS_ALL UINT32_MAX

/* The part with this name, such as "FIT", and the parts that it uses. */
runtime_parts part_named(const char *name);

/* The parts that a generated text uses, and those that these use. */
runtime_parts parts_used(const char *text, size_t size);

/* The lines of a generated file that state the parts. */
const char *parts_stated(arena *a, runtime_parts parts);

/* The parts that a generated file states. */
runtime_parts parts_of_text(const char *text, size_t size);
runtime_parts parts_of_file(const char *name);

/* The text of a file of the runtime that has these parts. */
const char *runtime_text(arena *a, const runtime_file *file, runtime_parts parts, size_t *size);

#endif
