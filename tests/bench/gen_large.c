/* gen_large.c - prints about 100,000 lines of schema, many times what a large game would have.
 * SPDX-License-Identifier: MIT
 *
 * usage: gen_large [LINES]
 */
#include <stdio.h>
#include <stdlib.h>

enum { LINES_A_GROUP = 37 };

/* One enum, one flags, two structs and a packet, which refer to each other and to the group before. */
static void print_group(long n)
{
    printf("/// What group %ld can be.\n"
           "enum Kind%ld : bits<4> {\n"
           "    nothing, something = 3,\n"
           "    anything,\n"
           "}\n"
           "flags Mode%ld { walking, swimming, flying }\n"
           "\n"
           "struct Body%ld {\n"
           "    float<-WORLD, WORLD, 0.01> x, y, z;\n"
           "    bool at_rest;\n"
           "    if (!at_rest) {\n"
           "        float<-32, 32, 0.03125> vx, vy, vz; // half a step is never seen\n"
           "    }\n"
           "}\n"
           "\n",
           n, n, n, n);
    printf("struct Item%ld {\n"
           "    int<0, MAX_ITEMS - 1> index;\n"
           "    Kind%ld kind;\n"
           "    optional string<31> label;\n"
           "    Body%ld body;\n"
           "}\n"
           "\n"
           "packet Packet%ld {\n"
           "    u16 sequence;\n"
           "    i32<-100, 1000> health unless 100;\n"
           "    Mode%ld mode;\n"
           "    switch (sequence) {\n"
           "    case 0, 1:\n"
           "        Item%ld item;\n"
           "    default:\n"
           "        u32 inputs[<=16];\n"
           "    }\n"
           "    bytes<64> block;\n"
           "    Body%ld before;\n"
           "    check;\n"
           "}\n"
           "\n",
           n, n, n, n, n, n, n > 0 ? n - 1 : 0);
}

int main(int argc, char **argv)
{
    long lines = argc > 1 ? atol(argv[1]) : 100000;
    puts("protocol large = 1;\n\nconst WORLD = 1024.0;\nconst MAX_ITEMS = 4096;\n");
    for (long n = 0; n * LINES_A_GROUP < lines; n++)
        print_group(n);
    return fflush(stdout) == 0 ? 0 : 1;
}
