/* embed.c - a build tool: prints files as C arrays, which are the definitions of emit/runtime_files.h.
 * SPDX-License-Identifier: MIT
 *
 * The arrays are of numbers, because a string literal in portable C has at most 4095 characters.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_A_LINE = 24 };

static int print_array(int index, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "embed: cannot read '%s': %s\n", path, strerror(errno));
        return -1;
    }
    printf("\nstatic const unsigned char file_%d[] = {", index);
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
    puts("#include \"emit/runtime_files.h\"");
    for (int i = 1; i < argc; i++)
        if (print_array(i, argv[i]) != 0)
            return 1;
    puts("\nconst runtime_file runtime_files[] = {");
    for (int i = 1; i < argc; i++)
        printf("    {\"%s\", file_%d, sizeof file_%d},\n", base_name(argv[i]), i, i);
    puts("};\n\nconst size_t runtime_file_count = sizeof runtime_files / sizeof runtime_files[0];");
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
