/* demo_code.c - builds the code of bytes in messages of demos.
 * SPDX-License-Identifier: MIT
 */
#include "demo_code.h"

#include <stdbool.h>

/* How often each byte is counted. The code is the tree of an adaptive Huffman code (FGK) that has counted each byte so often, in
 * the order of the bytes; no message changes it any more. */
/* clang-format off */
static const int32_t counted[256] = {
    250315, 41193, 6292, 7106, 3730, 3750, 6110, 23283, 33317, 6950, 7838, 9714, 9257, 17259, 3949, 1778,
    8288, 1604, 1590, 1663, 1100, 1213, 1238, 1134, 1749, 1059, 1246, 1149, 1273, 4486, 2805, 3472,
    21819, 1159, 1670, 1066, 1043, 1012, 1053, 1070, 1726, 888, 1180, 850, 960, 780, 1752, 3296,
    10630, 4514, 5881, 2685, 4650, 3837, 2093, 1867, 2584, 1949, 1972, 940, 1134, 1788, 1670, 1206,
    5719, 6128, 7222, 6654, 3710, 3795, 1492, 1524, 2215, 1140, 1355, 971, 2180, 1248, 1328, 1195,
    1770, 1078, 1264, 1266, 1168, 965, 1155, 1186, 1347, 1228, 1529, 1600, 2617, 2048, 2546, 3275,
    2410, 3585, 2504, 2800, 2675, 6146, 3663, 2840, 14253, 3164, 2221, 1687, 3208, 2739, 3512, 4796,
    4091, 3515, 5288, 4016, 7937, 6031, 5360, 3924, 4892, 3743, 4566, 4807, 5852, 6400, 6225, 8291,
    23243, 7838, 7073, 8935, 5437, 4483, 3641, 5256, 5312, 5328, 5370, 3492, 2458, 1694, 1821, 2121,
    1916, 1149, 1516, 1367, 1236, 1029, 1258, 1104, 1245, 1006, 1149, 1025, 1241, 952, 1287, 997,
    1713, 1009, 1187, 879, 1099, 929, 1078, 951, 1656, 930, 1153, 1030, 1262, 1062, 1214, 1060,
    1621, 930, 1106, 912, 1034, 892, 1158, 990, 1175, 850, 1121, 903, 1087, 920, 1144, 1056,
    3462, 2240, 4397, 12136, 7758, 1345, 1307, 3278, 1950, 886, 1023, 1112, 1077, 1042, 1061, 1071,
    1484, 1001, 1096, 915, 1052, 995, 1070, 876, 1111, 851, 1059, 805, 1112, 923, 1103, 817,
    1899, 1872, 976, 841, 1127, 956, 1159, 950, 7791, 954, 1289, 933, 1127, 3207, 1020, 927,
    1355, 768, 1040, 745, 952, 805, 1073, 740, 1013, 805, 1008, 796, 996, 1057, 11457, 13504,
};
/* clang-format on */

enum { NODES = 513, NONE = -1 };

/* The tree while it grows. Nodes have ranks: none is heavier than the node of the next rank. The node of rank 0 stands for all
 * bytes that are not counted yet, and weighs nothing. */
typedef struct growing {
    int32_t weight[NODES], parent[NODES], child[NODES][2], byte[NODES];
    int32_t rank[NODES], at[NODES]; /* at: the node of a rank */
    int32_t count;
} growing;

static void swap_ranks(growing *g, int32_t a, int32_t b)
{
    const int32_t rank = g->rank[a];
    g->rank[a] = g->rank[b];
    g->rank[b] = rank;
    g->at[g->rank[a]] = a;
    g->at[g->rank[b]] = b;
}

static int32_t *link_to(growing *g, int32_t node)
{
    int32_t *const child = g->child[g->parent[node]];
    return &child[child[1] == node];
}

static void swap_places(growing *g, int32_t a, int32_t b)
{
    int32_t *const to_a = link_to(g, a), *const to_b = link_to(g, b);
    const int32_t parent = g->parent[a];
    *to_a = b;
    *to_b = a;
    g->parent[a] = g->parent[b];
    g->parent[b] = parent;
}

/* Makes a node and those above it heavier by one, each after it took the place of the last node that weighs as much. A parent
 * changes only its rank with its child, and takes it back when it is as heavy. */
static void count_node(growing *g, int32_t node)
{
    int32_t last = g->rank[node];
    while (last + 1 < g->count && g->weight[g->at[last + 1]] == g->weight[node])
        last++;
    if (last != g->rank[node]) {
        const int32_t other = g->at[last];
        if (other != g->parent[node])
            swap_places(g, other, node);
        swap_ranks(g, other, node);
    }
    g->weight[node]++;
    if (g->parent[node] == NONE)
        return;
    count_node(g, g->parent[node]);
    if (g->rank[g->parent[node]] + 1 == g->rank[node])
        swap_ranks(g, node, g->parent[node]);
}

static int32_t new_node(growing *g, int32_t rank, int32_t parent, int32_t byte)
{
    const int32_t node = g->count++;
    for (int32_t r = node; r > rank; r--) {
        g->at[r] = g->at[r - 1];
        g->rank[g->at[r]] = r;
    }
    g->at[rank] = node;
    g->rank[node] = rank;
    g->weight[node] = 1;
    g->parent[node] = parent;
    g->byte[node] = byte;
    return node;
}

/* A byte that is counted for the first time: the node of all others becomes a pair, of which it keeps the side of bit 0. */
static int32_t first_count(growing *g, int32_t byte)
{
    const int32_t others = g->at[0], above = g->parent[others];
    const int32_t pair = new_node(g, 1, above, NONE), leaf = new_node(g, 1, pair, byte);
    if (above != NONE)
        *link_to(g, others) = pair;
    g->child[pair][0] = others;
    g->child[pair][1] = leaf;
    g->parent[others] = pair;
    if (above != NONE)
        count_node(g, above);
    return leaf;
}

static demo_code codes[256];
static demo_code_tree tree;

/* Numbers the nodes that are pairs anew, from the root. */
static void keep(const growing *g, int32_t node, demo_code code, int16_t *link, int *kept)
{
    if (g->weight[node] == 0) {
        *link = DEMO_CODE_NONE;
    } else if (g->byte[node] != NONE) {
        *link = (int16_t)~g->byte[node];
        codes[g->byte[node]] = code;
    } else {
        const int own = (*kept)++;
        *link = (int16_t)own;
        for (uint32_t bit = 0; bit < 2; bit++)
            keep(g, g->child[node][bit], (demo_code){code.bits | bit << code.length, code.length + 1}, &tree[own][bit],
                 kept);
    }
}

static void build(void)
{
    static growing g;
    static bool built;
    int16_t root;
    int kept = 0;
    if (built)
        return;
    new_node(&g, 0, NONE, NONE);
    g.weight[0] = 0;
    for (int32_t byte = 0; byte < 256; byte++) {
        const int32_t leaf = first_count(&g, byte);
        for (int32_t n = 1; n < counted[byte]; n++)
            count_node(&g, leaf);
    }
    keep(&g, g.at[g.count - 1], (demo_code){0, 0}, &root, &kept);
    built = true;
}

demo_code demo_code_of(uint8_t byte)
{
    build();
    return codes[byte];
}

const demo_code_tree *demo_code_of_bytes(void)
{
    build();
    return (const demo_code_tree *)&tree;
}
