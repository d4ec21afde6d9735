/* test_depfile.c - tests the dependencies of outputs, in make's syntax.
 * SPDX-License-Identifier: MIT
 */
#include "driver/run.h"
#include "unit.h"

TEST(test_depfile)
{
    arena *a = arena_new();
    outputs made;
    outputs_init(&made);
    outputs_add(a, &made, "out/a.h", "", 0);
    outputs_add(a, &made, "out dir/$b#.c", "", 0);
    path_list needed = {0};
    path_list_add(a, &needed, "a.pkt");
    path_list_add(a, &needed, "back\\ slash:.pkt");
    path_list_add(a, &needed, "a.pkt");
    size_t size;
    assert_string_equal(depfile_text(a, NULL, &made, &needed, &size),
                        "out/a.h out\\ dir/$$b\\#.c: \\\n  a.pkt \\\n  back\\\\\\ slash\\:.pkt\n"
                        "\na.pkt:\n\nback\\\\\\ slash\\:.pkt:\n");
    assert_string_equal(depfile_text(a, "game stamp", &made, &needed, &size),
                        "game\\ stamp: \\\n  a.pkt \\\n  back\\\\\\ slash\\:.pkt\n"
                        "\na.pkt:\n\nback\\\\\\ slash\\:.pkt:\n");
    arena_free(a);
}
