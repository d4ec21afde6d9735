
/* Three of four datagrams are lost. */
int main(void)
{
    static inputs client, server;
    static Command sent[101];
    unsigned arrived = 0;
    size_t bits = 0;
    begin_inputs(&client);
    begin_inputs(&server);
    for (uint16_t n = 1; n <= 100; n++) {
        ToServer out, in;
        Command *c = &sent[n];
        Command_init(c);
        c->forward = (int8_t)(n / 10 % 2);
        c->yaw = (float)(n / 5);
        uint8_t data[100];
        size_t size;
        pkt_writer w;
        pkt_writer_init(&w, data, sizeof data);
        put_inputs(&client, c, &out);
        ToServer_write(&w, &out);
        bits = (size_t)pkt_writer_bits(&w);
        if (!pkt_writer_finish(&w, &size))
            return 1;
        if (n % 4 != 0)
            continue;

        pkt_reader r;
        pkt_reader_init(&r, data, size);
        if (!ToServer_read(&r, &in))
            return 2;
        for (unsigned i = in.commands_count - take_inputs(&server, &in); i < in.commands_count; i++)
            if (in.first + i != ++arrived || !Command_equal(&in.commands[i], &sent[arrived]))
                return 3;
        acknowledge_inputs(&client, server.channel.expected);
    }
    printf("%u commands, the last datagram has %u bits\n", arrived, (unsigned)bits);
    return 0;
}
