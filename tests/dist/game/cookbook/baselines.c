
/* Sends a moving body over a network that loses most datagrams, and repeats and reorders the rest. */
int main(void)
{
    static outbox server;
    static inbox client;
    static uint8_t data[100][Snapshot_DELTA_MAX_BYTES + 16];
    static Snapshot sent[100];
    size_t sizes[100];
    int shown = 0, whole = 0;
    for (int tick = 0; tick < 100; tick++) {
        Snapshot_init(&sent[tick]);
        sent[tick].bodies_count = 2;
        sent[tick].bodies[0].x = (float)tick / 3;
        Snapshot_quantize(&sent[tick]);
        pkt_writer w;
        pkt_writer_init(&w, data[tick], sizeof data[tick]);
        if (!write_snapshot(&server, &w, &sent[tick]) || !pkt_writer_finish(&w, &sizes[tick]))
            return 1;
        whole += (data[tick][2] & 1) == 0;

        /* Nothing arrives from 30 to 70, which is longer than the ring reaches back. */
        for (int i = tick; i >= 0 && i > tick - 3 && (tick < 30 || tick > 70); i -= 2) {
            pkt_reader r;
            pkt_reader_init(&r, data[i], sizes[i]);
            if (tick % 3 == 0 || !read_snapshot(&client, &r))
                continue;
            shown++;
            if (!Snapshot_equal(&find(&client.received, client.newest)->snapshot, &sent[client.newest - 1]))
                return 2;
            InputHeader h = {client.has_newest, client.newest};
            on_input(&server, &h);
        }
    }
    printf("%d shown, %d without a baseline\n", shown, whole);
    return 0;
}
