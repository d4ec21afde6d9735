/* cases.h - the schemas with errors: those of tests/check/errors and tests/front/errors.
 * SPDX-License-Identifier: MIT
 *
 * A first line `// args: ...` adds options for pktc. NAME_b.pkt (with any letter) is imported by NAME.pkt, and not a case of
 * its own.
 */
#ifndef CASES_H
#define CASES_H

#include "process.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const case_directories[] = {"tests/front/errors", "tests/check/errors"};
enum { DIRECTORIES = sizeof case_directories / sizeof *case_directories };

/* The options in the first line; "" if it has none. */
static inline char *extra_arguments(const char *pkt)
{
    static const char mark[] = "// args:";
    char *text = file_read(pkt);
    if (!text)
        return text_format("%s", "");
    char *options = text_format("%s", strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : "");
    options[strcspn(options, "\r\n")] = '\0';
    free(text);
    return options;
}

/* Whether DIRECTORY/NAME_b.pkt is imported by DIRECTORY/NAME.pkt, and so is not a case of its own. */
static inline bool is_imported(const char *directory, const char *name)
{
    size_t stem = strlen(name) - strlen(".pkt");
    if (stem <= 2 || name[stem - 2] != '_')
        return false;
    char *whole = text_format("%s/%.*s.pkt", directory, (int)stem - 2, name);
    bool imported = access(whole, F_OK) == 0;
    free(whole);
    return imported;
}

/* The paths of all cases, ended by NULL. The caller frees them. */
static inline char **find_cases(size_t *count)
{
    char **cases = NULL;
    *count = 0;
    for (size_t d = 0; d < DIRECTORIES; d++) {
        size_t found;
        char **names = directory_list(case_directories[d], ".pkt", &found);
        cases = realloc(cases, (*count + found + 1) * sizeof *cases);
        for (size_t i = 0; i < found; i++)
            if (!is_imported(case_directories[d], names[i]))
                cases[(*count)++] = text_format("%s/%s", case_directories[d], names[i]);
        cases[*count] = NULL;
        directory_list_free(names);
    }
    return cases;
}

#endif
