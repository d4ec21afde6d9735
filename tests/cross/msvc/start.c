/* start.c - the start of a program, which with MSVC is in the library of its compiler.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#pragma section(".CRT$XCA", read)
#pragma section(".CRT$XCZ", read)

int main(int argc, char **argv);
void start_program(void);
_ACRTIMP int __cdecl _configure_narrow_argv(int mode);
typedef void(__cdecl *constructor)(void);
_ACRTIMP void __cdecl _initterm(constructor *first, constructor *end);

/* The linker sorts sections by name, and puts constructors between these two. */
__declspec(allocate(".CRT$XCA")) constructor before_constructors = NULL;
__declspec(allocate(".CRT$XCZ")) constructor after_constructors = NULL;

/* Objects refer to it if they have floats. */
int _fltused = 1;

void start_program(void)
{
    const int unexpanded = 1; /* the arguments as they are */
    _configure_narrow_argv(unexpanded);
    _initterm(&before_constructors, &after_constructors);
    exit(main(*__p___argc(), *__p___argv()));
}
