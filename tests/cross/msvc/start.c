/* start.c - the start of a program, which with MSVC is in the library of its compiler.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

int main(int argc, char **argv);
void start_program(void);
_ACRTIMP int __cdecl _configure_narrow_argv(int mode);

/* Objects refer to it if they have floats. */
int _fltused = 1;

void start_program(void)
{
    const int unexpanded = 1; /* the arguments as they are */
    _configure_narrow_argv(unexpanded);
    exit(main(*__p___argc(), *__p___argv()));
}
