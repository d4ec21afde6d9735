/* game.c - a packet there and back. */
#include "game.h"

int main(void)
{
    unsigned char data[Join_MAX_BYTES];
    Join join = {7}, seen;
    const size_t size = Join_pack(&join, data, sizeof data);
    return size != 0 && Join_unpack(&seen, data, size) && seen.salt == 7 ? 0 : 1;
}
