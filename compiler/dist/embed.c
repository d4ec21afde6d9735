/* embed.c - a build tool: prints files as C arrays, the definitions for a header.
 * SPDX-License-Identifier: MIT
 *
 *     embed emit/runtime_file pkt.h pkt_inside.h pkt.c
 *
 * defines the variables of emit/runtime_files.h: runtime_files, of the type runtime_file, and runtime_file_count. The
 * arrays have numbers, because a string literal in portable C has at most 4095 characters.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_A_LINE = 24 };

static int print_array(const char *what, int index, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "embed: cannot read '%s': %s\n", path, strerror(errno));
        return -1;
    }
    printf("\nstatic const unsigned char %s_%d[] = {", what, index);
    int byte, column = 0;
    while ((byte = getc(file)) != EOF)
        printf("%s%d,", column++ % BYTES_A_LINE == 0 ? "\n    " : " ", byte);
    puts("\n};");
    int failed = ferror(file);
    fclose(file);
    return failed || column == 0 ? -1 : 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: embed ROOM/NAME FILE...\n", stderr);
        return 1;
    }
    const char *what = base_name(argv[1]);
    printf("#include \"%ss.h\"\n", argv[1]);
    for (int i = 2; i < argc; i++)
        if (print_array(what, i, argv[i]) != 0)
            return 1;
    printf("\nconst %s %ss[] = {\n", what, what);
    for (int i = 2; i < argc; i++)
        printf("    {\"%s\", %s_%d, sizeof %s_%d},\n", base_name(argv[i]), what, i, what, i);
    printf("};\n\nconst size_t %s_count = sizeof %ss / sizeof %ss[0];\n", what, what, what);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
