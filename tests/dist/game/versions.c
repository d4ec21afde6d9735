
#include <stdio.h>

static const char *receive(const uint8_t *data, size_t size)
{
    Hello hello;
    Join join;
    if (Hello_unpack(&hello, data, size))
        return hello.game_id == game_PROTOCOL_ID ? "welcome" : "please update your game";
    if (Join_unpack(&join, data, size))
        return "joined";
    return "refused";
}

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
