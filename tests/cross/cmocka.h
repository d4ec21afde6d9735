/* cmocka.h - the part of cmocka that tests/interop/replay needs, for targets without cmocka.
 * SPDX-License-Identifier: MIT
 *
 * A test that fails is left by longjmp, and the next one of its group runs.
 */
#ifndef CROSS_CMOCKA_H
#define CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
};

static jmp_buf cross_failed;

#define cmocka_unit_test(f) \
    {                       \
#f, f               \
    }
#define fail_msg(...) (printf(__VA_ARGS__), puts(""), longjmp(cross_failed, 1))
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cross_run(name, tests, sizeof tests / sizeof tests[0])

static inline int cross_run(const char *name, const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        if (setjmp(cross_failed) == 0) {
            tests[i].function(&state);
        } else {
            printf("failed: %s: %s\n", name, tests[i].name);
            failed++;
        }
    }
    printf("%u of %u\n", (unsigned)count - (unsigned)failed, (unsigned)count);
    return failed;
}

#endif
