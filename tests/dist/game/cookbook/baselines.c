
/* Sends a moving body over a network that loses most datagrams, and repeats and reorders the rest. In the end the client
 * changes its baselines. */
int main(void)
{
    static inbox client;
    static outbox server;
    static uint8_t data[160][ToClient_MAX_BYTES];
    static Snapshot sent[160];
    static ToServer has;
    size_t sizes[160];
    int shown = 0, whole = 0, refused = 0;
    for (int tick = 0; tick < 160; tick++) {
        Snapshot_init(&sent[tick]);
        sent[tick].bodies[0].x = (float)tick / 3;
        Snapshot_quantize(&sent[tick]);
        sizes[tick] = send_snapshot(&server, &has, &sent[tick], data[tick], sizeof data[tick]);
        if (sizes[tick] == 0)
            return 1;
        whole += (data[tick][6] & 1) == 0; /* after the checksum and the number */

        for (int i = 0; tick == 120 && i <= ToClient_snapshot_REACH; i++) {
            ToClient_snapshot_ring *ring = &client.received.kept.snapshot;
            ring->value[i].bodies[1].y += 1;
            ring->hash[i] = Snapshot_hash(&ring->value[i]);
        }

        /* Nothing arrives from 30 to 70, which is longer than the ring reaches back. */
        for (int i = tick; i >= 0 && i > tick - 3 && (tick < 30 || tick > 70); i -= 2) {
            if (tick % 3 == 0)
                continue;
            if (!receive_snapshot(&client, data[i], sizes[i])) {
                refused += tick >= 120 && client.received.doubts > 0;
                continue;
            }
            shown++;
            if (!Snapshot_equal(&client.in.snapshot, &sent[client.received.newest - 1]))
                return 2;
        }
        has = acknowledgement(&client);
    }
    printf("%d shown, %d without a baseline, %d of another baseline\n", shown, whole, refused);
    return 0;
}
