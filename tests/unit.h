/* unit.h - the tests of a program with cmocka, and its main.
 * SPDX-License-Identifier: MIT
 *
 * A file has tests, which run in its order:
 *
 *     TEST(numbers_are_added)
 *     {
 *         assert_int_equal(add(1, 2), 3);
 *     }
 *
 * One that defines OWN_MAIN before this header has a main of its own, which calls run_all.
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static struct CMUnitTest unit_tests[64];
static size_t unit_count;

#define TEST(test)                                                            \
    static void test(void **);                                                \
    __attribute__((constructor)) static void add_##test(void)                 \
    {                                                                         \
        unit_tests[unit_count++] = (struct CMUnitTest)cmocka_unit_test(test); \
    }                                                                         \
    static void test(__attribute__((unused)) void **unused_)

/* Runs all tests, each after set_up if that is not NULL. Returns the exit status. */
static inline int run_all(CMFixtureFunction set_up)
{
    for (size_t i = 0; i < unit_count; i++)
        unit_tests[i].setup_func = set_up;
    return _cmocka_run_group_tests("tests", unit_tests, unit_count, NULL, NULL) != 0;
}

/* The seed of random tests, which is printed: PKT_SEED, or another one each time. */
static inline uint64_t random_seed(void)
{
    const char *given = getenv("PKT_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    printf("PKT_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

#ifndef OWN_MAIN
int main(void)
{
    return run_all(NULL);
}
#endif

#endif
