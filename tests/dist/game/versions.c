
#include <stdio.h>

int main(void)
{
    Greeting greeting = {game_PROTOCOL_ID, 1};
    old_Join join;
    uint8_t data[64];
    size_t size = Greeting_pack(&greeting, data, sizeof data);
    printf("%s, ", receive(data, size));
    greeting.game++;
    size = Greeting_pack(&greeting, data, sizeof data);
    printf("%s, ", receive(data, size));
    data[size - 1] ^= 1;
    printf("%s, ", receive(data, size));
    old_Join_init(&join);
    size = old_Join_pack(&join, data, sizeof data);
    puts(receive(data, size));
    return 0;
}
