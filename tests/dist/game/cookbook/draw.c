
/* A kart goes 30 m a second. Its snapshots are on the way for 30 to 60 ms, and some are lost. */
int main(void)
{
    static view v;
    static struct {
        double at;
        ToClient packet;
    } sent[200];
    double before = 0;
    unsigned drawn = 0, even = 0, next = 0;
    pkt_playout_init(&v.playout, 60, 32);
    for (unsigned i = 0; i < 200; i++) {
        ToClient_init(&sent[i].packet);
        sent[i].packet.number = (uint16_t)i;
        sent[i].packet.tick = 3 * i;
        sent[i].packet.state.karts[5].kind = 1;
        sent[i].packet.state.karts[5].x = (float)(1.5 * i);
        sent[i].packet.state.karts[5].yaw = (float)(12 * i % 360);
        State_quantize(&sent[i].packet.state);
        sent[i].at = i * 0.05 + 0.03 + 0.03 * (i * 7 % 10) / 10;
    }
    for (double now = 0; now < 9; now += 1.0 / 60) {
        for (; sent[next].at <= now; next++)
            if (next % 16 != 7)
                on_snapshot(&v, &sent[next].packet, now);
        if (!draw(&v, now) || now < 2)
            continue;
        const double x = (double)v.shown.karts[5].x, speed = drawn == 0 ? 30 : (x - before) * 60;
        even += speed > 27 && speed < 33;
        before = x;
        drawn++;
    }
    printf("%u frames, %u of them at the speed of the kart\n", drawn, even);
    return 0;
}
