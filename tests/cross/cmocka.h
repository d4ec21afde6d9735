/* cmocka.h - the part of cmocka that some of tests/roundtrip and tests/runtime need, for targets without cmocka.
 * SPDX-License-Identifier: MIT
 *
 * A test that fails is left by longjmp, and the next one of its group runs.
 */
#ifndef CROSS_CMOCKA_H
#define CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
    CMFixtureFunction setup_func;
};

static jmp_buf cross_failed;

#define cmocka_unit_test(f) \
    {                       \
#f, f, NULL         \
    }
#define print_message printf
#define fail_msg(...) (printf(__VA_ARGS__), puts(""), longjmp(cross_failed, 1))
#define CROSS_ASSERT(c) ((c) ? (void)0 : (printf("%s:%d: %s\n", __FILE__, __LINE__, #c), longjmp(cross_failed, 1)))
#define assert_true(c) CROSS_ASSERT(c)
#define assert_false(c) CROSS_ASSERT(!(c))
#define assert_non_null(p) CROSS_ASSERT((p) != NULL)
#define assert_int_equal(a, b) CROSS_ASSERT((unsigned long long)(a) == (unsigned long long)(b))
#define assert_int_not_equal(a, b) CROSS_ASSERT((unsigned long long)(a) != (unsigned long long)(b))
#define assert_memory_equal(a, b, size) CROSS_ASSERT(memcmp(a, b, size) == 0)
#define assert_string_equal(a, b) CROSS_ASSERT(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) CROSS_ASSERT(strcmp(a, b) != 0)
#define _cmocka_run_group_tests(name, tests, count, set_up, tear_down) cross_run(name, tests, count)

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
