
enum { TICKS = 200, ROUND_TRIP = 4 };

/* Whether a thing is the same in both, or in neither. */
static bool is_same(const State *a, const State *b, uint16_t id)
{
    const Thing *x = State_things_find(a, id), *y = State_things_find(b, id);
    return x && y ? Thing_equal(x, y) : x == y;
}

/* Things wander about, come and go; the client gets what fits, and acknowledges it later. Nothing may stay out of date for
 * long, and nothing that is shown may go back in time. */
int main(void)
{
    static State now[TICKS + 1], shown;
    static ToClient_receiver got;
    static ToClient out, in;
    static uint8_t data[MTU];
    static client c;
    static int seen[THINGS]; /* the tick of which each thing that is shown is */
    int longest = 0, back = 0;
    State_init(&now[0]);
    State_init(&shown);
    begin(&c);
    for (int tick = 1; tick <= TICKS; tick++) {
        State *world = &now[tick];
        State_init(world);
        for (int i = 0; i < THINGS; i++) {
            if ((i + tick / 20) % 10 == 0)
                continue;
            Thing *t = State_things_add(world, (uint16_t)i);
            t->kind = 1;
            t->x = (float)((i * 37 + tick * 3) % 1000 - 500);
            t->y = (float)((i * 91 + tick * 2) % 1000 - 500);
        }
        State_quantize(world);
        out.tick = (uint16_t)tick;
        acknowledged(&c, tick > ROUND_TRIP, (uint16_t)(tick - ROUND_TRIP));
        size_t size = send_state(&c, &out, world, 0, 0, 7, data);
        if (size == 0 || out.has_back != (tick > ROUND_TRIP))
            return 1;
        if (!ToClient_receive(&got, &in, 7, data, size) || !State_equal(&in.state, &out.state))
            return 3;

        show(&in, &shown);
        for (int i = 0; i < THINGS; i++) {
            int before = seen[i];
            for (seen[i] = tick; !is_same(&shown, &now[seen[i]], (uint16_t)i); seen[i]--)
                if (seen[i] == 0)
                    return 4; /* it has never been so */
            back += seen[i] < before;
            longest = tick - seen[i] > longest ? tick - seen[i] : longest;
        }
    }
    printf("nothing is older than %d ticks, %s\n", (longest + 9) / 10 * 10,
           back == 0 ? "and none goes back" : "things go back");
    return 0;
}
