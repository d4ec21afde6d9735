
/* Two of three datagrams are lost, and each one that arrives comes twice. */
int main(void)
{
    static channel a, b;
    Event event, got[8];
    pkt_error error;
    unsigned next = 0;
    if (say(&a, 255, "no such player", &error) || error.code != PKT_ERROR_RANGE)
        return 5;
    for (unsigned tick = 0; tick < 300; tick++) {
        channel *from = tick % 2 ? &b : &a, *to = tick % 2 ? &a : &b;
        if (tick < 200 && tick % 2 == 0) {
            Event_init(&event);
            event.tag = Event_tag_killed;
            event.as.killed.victim = (uint8_t)(tick / 2 % 64);
            if (!push(&a, &event, &error))
                return 1;
        }
        uint8_t data[1200];
        size_t size;
        pkt_writer w;
        pkt_writer_init(&w, data, sizeof data);
        write_events(&w, from, 100);
        if (pkt_writer_bits(&w) > 100 || !pkt_writer_finish(&w, &size))
            return 2;
        for (int times = tick % 3 == 0 ? 2 : 0; times > 0; times--) {
            Events head;
            pkt_reader r;
            pkt_reader_init(&r, data, size);
            if (!read_events(&r, &head, got))
                return 3;
            for (unsigned i = head.count - accept_events(to, &head); i < head.count; i++, next++)
                if (got[i].as.killed.victim != next % 64)
                    return 4;
        }
    }
    printf("%u events, %u waiting\n", next, (unsigned)(uint16_t)(a.next - a.first));
    return 0;
}
