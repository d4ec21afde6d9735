/* upgrade.c - runs the program of docs/versions.md on a packet of release 1, which recipes.sh put before this.
 * SPDX-License-Identifier: MIT
 */
int main(int argc, char **argv)
{
    unsigned char data[64];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t size;
    if (file == NULL)
        return 1;
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    answer(data, size);
    replay(data, size);
    data[size - 1] ^= 1;
    answer(data, size);
    replay(data, size);
    return 0;
}
