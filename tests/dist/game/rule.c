/* rule.c - shows a bound of schemas/vec.pkt: the greatest x is clamped to. */
#include "mygame.h"
#include <stdio.h>

int main(void)
{
    Offset offset;
    Offset_init(&offset);
    offset.x = 1000;
    Offset_quantize(&offset);
    printf("x %g\n", (double)offset.x);
    return 0;
}
