
enum { TICKS = 200, ROUND_TRIP = 4 };

/* Things wander about; the client gets what fits, and acknowledges it later. Nothing may stay out of date for long, and
 * hardly anything that is shown may go back in time. */
int main(void)
{
    static State now[TICKS + 1];
    static snapshot sent[TICKS + 1], got[TICKS + 1], shown;
    static uint8_t data[MTU];
    static int seen[THINGS]; /* the tick of which each thing that is shown is */
    int longest = 0, back = 0;
    State_init(&now[0]);
    sent[0].state = got[0].state = shown.state = now[0];
    for (int tick = 1; tick <= TICKS; tick++) {
        State *world = &now[tick];
        State_init(world);
        world->tick = (uint16_t)tick;
        for (int i = 0; i < THINGS; i++) {
            world->things[i].kind = 1;
            world->things[i].x = (float)((i * 37 + tick * 3) % 1000 - 500);
            world->things[i].y = (float)((i * 91 + tick * 2) % 1000 - 500);
        }
        State_quantize(world);
        int base = tick > ROUND_TRIP ? tick - ROUND_TRIP : 0;
        size_t size = write_state(&sent[base], world, 0, 0, &sent[tick], data);
        if (size == 0 || !State_unpack_delta(&got[base].state, &got[tick].state, data, size) ||
            !State_equal(&got[tick].state, &sent[tick].state))
            return 1;

        show(&got[base], &got[tick], &shown);
        for (int i = 0; i < THINGS; i++) {
            int before = seen[i];
            for (seen[i] = tick; !Thing_equal(&shown.state.things[i], &now[seen[i]].things[i]); seen[i]--)
                if (seen[i] == 0)
                    return 2; /* it has never been so */
            back += seen[i] < before;
            longest = tick - seen[i] > longest ? tick - seen[i] : longest;
        }
    }
    printf("nothing is older than %d ticks, %s\n", (longest + 9) / 10 * 10,
           back < TICKS * THINGS / 200 ? "hardly anything goes back" : "things go back");
    return 0;
}
