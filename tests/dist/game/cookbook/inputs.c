
static Command sent[101];
static unsigned executed, wrong;

static void execute(const Command *command)
{
    wrong += !Command_equal(command, &sent[++executed]);
}

/* Three of four datagrams are lost. */
int main(void)
{
    static inputs client;
    static queue server;
    size_t bits = 0;
    begin_inputs(&client);
    begin_queue(&server);
    for (uint16_t n = 1; n <= 120; n++) {
        ToServer out, in;
        uint8_t data[100];
        size_t size;
        pkt_writer w;
        pkt_reader r;
        execute_inputs(&server, n);
        if (n > 100)
            continue;
        Command *c = &sent[n];
        Command_init(c);
        c->forward = (int8_t)(n / 10 % 2);
        c->yaw = (float)(n / 5);
        pkt_writer_init(&w, data, sizeof data);
        put_inputs(&client, c, &out);
        ToServer_write(&w, &out);
        bits = (size_t)pkt_writer_bits(&w);
        if (!pkt_writer_finish(&w, &size))
            return 1;
        if (n % 4 != 0)
            continue;

        pkt_reader_init(&r, data, size);
        if (!ToServer_read(&r, &in))
            return 2;
        const InputAck ack = take_inputs(&server, n, &in);
        acknowledge_inputs(&client, &ack);
    }
    printf("%u commands, %u wrong, the last datagram has %u bits\n", executed, wrong, (unsigned)bits);
    return 0;
}
