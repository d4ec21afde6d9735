
/* Three of four datagrams are lost. */
int main(void)
{
    static Command sent[32], received[32], batch[17];
    static ToServer out, in;
    InputAck ack = {0, 0xffff};
    unsigned arrived = 0;
    size_t bits = 0;
    for (uint16_t n = 1; n <= 100; n++) {
        Command *c = &sent[n % 32];
        Command_init(c);
        c->forward = (int8_t)(n / 10 % 2);
        c->yaw = (float)(n / 5);
        uint8_t data[100];
        size_t size;
        pkt_writer w;
        pkt_writer_init(&w, data, sizeof data);
        put_inputs(&out, sent, n, &ack);
        ToServer_write(&w, &out);
        bits = (size_t)pkt_writer_bits(&w);
        if (!pkt_writer_finish(&w, &size))
            return 1;
        if (n % 4 != 0)
            continue;

        pkt_reader r;
        pkt_reader_init(&r, data, size);
        if (!ToServer_read(&r, &in) || in.newest != n)
            return 2;
        take_inputs(&in, batch);
        for (unsigned age = 0; age < 17; age++) {
            uint16_t number = (uint16_t)(n - age);
            if (has_arrived(&ack, number) || number <= ack.newest)
                continue;
            received[number % 32] = batch[age];
            arrived++;
            if (!Command_equal(&received[number % 32], &sent[number % 32]))
                return 3;
        }
        ack.newest = n;
        ack.before = 0xffff;
    }
    printf("%u commands, the last datagram has %u bits\n", arrived, (unsigned)bits);
    return 0;
}
