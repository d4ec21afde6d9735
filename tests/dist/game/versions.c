
#include <stdio.h>

int main(void)
{
    const new_Hello newer = {new_PROTOCOL_ID};
    Hello hello = {game_PROTOCOL_ID};
    old_Join join;
    uint8_t data[64];
    size_t size = Hello_pack(&hello, data, sizeof data);
    printf("%s, ", receive(data, size));
    size = new_Hello_pack(&newer, data, sizeof data);
    printf("%s, ", receive(data, size));
    data[size - 1] ^= 1;
    printf("%s, ", receive(data, size));
    old_Join_init(&join);
    size = old_Join_pack(&join, data, sizeof data);
    puts(receive(data, size));
    return 0;
}
