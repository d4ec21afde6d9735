
/* Two of three datagrams are lost, and each one that arrives comes twice. */
int main(void)
{
    static link a, b;
    static ToClient out, in;
    const ToClient_baselines from = {{0}};
    Event event;
    pkt_error error;
    unsigned next = 0;
    begin(&a);
    begin(&b);
    if (say(&a, 255, "no such player", &error) || error.code != PKT_ERROR_RANGE)
        return 5;
    for (unsigned tick = 0; tick < 300; tick++) {
        link *sender = tick % 2 ? &b : &a, *to = tick % 2 ? &a : &b;
        if (tick < 200 && tick % 2 == 0) {
            Event_init(&event);
            event.tag = Event_tag_killed;
            event.as.killed.victim = (uint8_t)(tick / 2 % 64);
            if (!push(&a, &event, &error))
                return 1;
        }
        uint8_t data[24];
        put_events(sender, &out);
        if (!ToClient_fit_pack(&from, &out, sizeof data, NULL))
            return 2;
        const size_t size = ToClient_pack(&from, &out, 0, data, sizeof data);
        for (int times = tick % 3 == 0 ? 2 : 0; times > 0; times--) {
            if (!ToClient_unpack(&from, &in, 0, data, size))
                return 3;
            for (unsigned i = in.events_count - accept_events(to, &in); i < in.events_count; i++, next++)
                if (in.events[i].as.killed.victim != next % 64)
                    return 4;
        }
    }
    printf("%u events, %u waiting\n", next, (unsigned)(uint16_t)(a.channel.next - a.channel.first));
    return 0;
}
