
/* Things wander about; the client gets what fits. Nothing may stay out of date for long. */
int main(void)
{
    static State now, sent, got;
    static viewer c;
    static uint8_t data[MTU];
    int longest = 0, waits[THINGS] = {0};
    State_init(&now);
    State_init(&c.has);
    for (int i = 0; i < THINGS; i++) {
        now.things[i].kind = 1;
        now.things[i].turn.w = 1;
    }
    for (int tick = 1; tick <= 200; tick++) {
        now.tick = (uint16_t)tick;
        for (int i = 0; i < THINGS; i++) {
            now.things[i].x = (float)((i * 37 + tick * 3) % 1000 - 500);
            now.things[i].y = (float)((i * 91 + tick * 2) % 1000 - 500);
        }
        State_quantize(&now);
        size_t size = write_state(&c, &now, &sent, data);
        if (size == 0 || !State_unpack_delta(&c.has, &got, data, size) || !State_equal(&got, &sent))
            return 1;
        for (int i = 0; i < THINGS; i++) {
            waits[i] = Thing_equal(&got.things[i], &now.things[i]) ? 0 : waits[i] + 1;
            longest = waits[i] > longest ? waits[i] : longest;
        }
        c.has = got;
    }
    printf(longest < 10 ? "up to date within 10 ticks\n" : "a thing has waited for %d ticks\n", longest);
    return 0;
}
