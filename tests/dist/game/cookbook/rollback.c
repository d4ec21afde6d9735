
static void step(State *s, const Input inputs[2])
{
    s->frame++;
    for (uint32_t i = s->sparks_count; i-- > 0;) {
        s->sparks[i].y -= 0.3f * s->sparks[i].x;
        if (s->sparks[i].frames-- == 0)
            State_sparks_remove(s, s->sparks[i].id);
    }
    for (int i = 0; i < 2; i++) {
        Fighter *f = &s->fighters[i], *other = &s->fighters[!i];
        const Buttons b = f->stunned ? 0 : inputs[i].buttons;
        s->random = s->random * 1664525u + 1013904223u;
        f->stunned -= f->stunned > 0;
        f->speed_x = 0.8f * f->speed_x + ((b & Buttons_right) != 0 ? 0.3f : 0) - ((b & Buttons_left) != 0 ? 0.3f : 0);
        f->speed_y = f->y <= 0 && (b & Buttons_jump) != 0 ? 3.1f : f->speed_y - 0.17f;
        f->x += f->speed_x;
        f->y = f->y + f->speed_y > 0 ? f->y + f->speed_y : 0;
        if ((b & Buttons_hit) != 0 && (f->x - other->x) * (f->x - other->x) < 9 && other->stunned == 0) {
            other->stunned = (uint8_t)(8 + (s->random >> 28));
            other->health = (uint8_t)(other->health > 3 ? other->health - 3 : 255);
            other->speed_x += other->x < f->x ? -1.7f : 1.7f;
            for (uint32_t n = 0; n < s->random >> 30; n++) {
                Spark *spark = State_sparks_add(s, (uint16_t)(8 * s->frame + 4 * (uint32_t)i + n));
                if (spark) {
                    spark->x = f->x;
                    spark->frames = (uint8_t)(s->random >> 20 & 31);
                }
            }
        }
    }
}

enum { PARCELS = 256, HASHES = 64 };

typedef struct peer {
    rollback game;
    State now;
    pkt_channel channel;
    Input waiting[16];
    uint32_t confirmed, again;
    uint64_t hashes[HASHES];
} peer;

/* Two peers on a bad network. Of each frame whose inputs both know, both have the same State. */
int main(int argc, char **argv)
{
    static peer peers[2];
    static State known;
    static pkt_parcel parcels[PARCELS];
    const uint32_t frames = argc > 1 ? (uint32_t)atoi(argv[1]) : 100000;
    uint32_t dice = 1, differ = 0;
    pkt_network n;
    pkt_network_init(&n, 5, parcels, PARCELS);
    n.loss = 0.05;
    n.burst = 0.5;
    n.latency = n.jitter = 2;
    for (int i = 0; i < 2; i++)
        pkt_channel_init(&peers[i].channel, peers[i].waiting, sizeof(Input), 16, false, 0);
    for (uint64_t time = 0; peers[0].confirmed < frames || peers[1].confirmed < frames; time++) {
        for (const pkt_parcel *p; (p = pkt_network_take(&n, time));) {
            peer *to = &peers[p->way];
            ToPeer in;
            if (!ToPeer_unpack(&in, p->data, p->size))
                return 1;
            for (unsigned i =
                     in.inputs_count - pkt_channel_receive(&to->channel, in.expected, in.first, in.inputs_count);
                 i < in.inputs_count; i++)
                arrived(&to->game, !p->way, &in.inputs[i]);
        }
        for (uint32_t i = 0; i < 2; i++) {
            peer *p = &peers[i];
            rollback *r = &p->game;
            Input input = r->inputs[r->next % MET][i];
            dice = dice * 1664525u + 1013904223u;
            if (dice >> 29 == 0)
                input.buttons = (Buttons)(dice >> 20 & 15);
            if (may_advance(r) && pkt_channel_push(&p->channel, &input)) {
                arrived(r, (int)i, &input);
                p->again += r->next - r->wrong;
                advance(r, &p->now);
            }
            for (; p->confirmed < r->known[0] && p->confirmed < r->known[1] && p->confirmed < r->wrong;
                 p->confirmed++) {
                restore(&r->saved[p->confirmed % KEPT], &known);
                p->hashes[p->confirmed % HASHES] = State_hash(&known);
                differ += p->confirmed < peers[!i].confirmed &&
                          p->hashes[p->confirmed % HASHES] != peers[!i].hashes[p->confirmed % HASHES];
            }
            uint8_t data[ToPeer_MAX_BYTES];
            ToPeer out;
            out.inputs_count = (uint8_t)pkt_channel_send(&p->channel, &out.expected, &out.first, out.inputs, 16);
            pkt_network_send(&n, time, !i, data, ToPeer_pack(&out, data, sizeof data));
        }
    }
    printf("%s, %s played again\n", differ ? "the peers differ" : "no difference",
           peers[0].again > frames / 10 ? "many frames" : "few frames");
    return 0;
}
