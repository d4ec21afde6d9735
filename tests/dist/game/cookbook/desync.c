
int main(void)
{
    static history server, client;
    static uint8_t data[State_MAX_BYTES];
    static State ours, theirs;
    FILE *dump = tmpfile();
    for (uint32_t tick = 1; tick < 500; tick++) {
        State_init(&ours);
        ours.tick = tick;
        ours.bodies_count = 2;
        ours.bodies[0].x = (float)tick / 7;
        theirs = ours;
        if (tick == 400)
            theirs.bodies[1].health--;
        Check check = note(&server, &theirs);
        note(&client, &ours);
        if (!agree(&client, &check, dump)) {
            rewind(dump);
            State dumped;
            size_t size = fread(data, 1, sizeof data, dump);
            bool good = State_unpack(&dumped, data, size) && State_equal(&dumped, &ours);
            printf("tick %u, %d\n", (unsigned)tick, good);
        }
    }
    return 0;
}
