
#include <math.h>

enum { TICKS = 3000, BUMP = 400, PARCELS = 64 };

static void step(Own *player, const Command *command)
{
    player->speed_x = 0.95f * player->speed_x + 0.02f * (float)command->gas;
    player->speed_y = 0.95f * player->speed_y + 0.02f * command->steer;
    player->x += player->speed_x;
    player->y += player->speed_y;
}

/* A player on a bad network. Only the server knows what bumps into him. Nothing else is corrected, and nothing leaps. */
int main(void)
{
    static prediction client;
    static ToClient_sender sender;
    static ToClient_receiver receiver;
    static pkt_parcel parcels[PARCELS];
    static pkt_inputs inputs;
    static Command commands[64];
    Own there, last;
    pkt_network network;
    unsigned corrections = 0, bumps = 0, leaps = 0;
    ToClient down, up_to;
    pkt_network_init(&network, 9, parcels, PARCELS);
    network.loss = 0.05;
    network.burst = 0.5;
    network.latency = network.jitter = 3;
    ToClient_init(&down);
    ToClient_init(&up_to);
    Own_init(&there);
    begin_prediction(&client);
    last = client.shown;
    pkt_inputs_init(&inputs, commands, sizeof commands[0], 64, 60, 1);
    for (uint32_t tick = 1; tick <= TICKS; tick++) {
        uint8_t data[ToServer_MAX_BYTES > ToClient_MAX_BYTES ? ToServer_MAX_BYTES : ToClient_MAX_BYTES];
        ToServer up;
        for (const pkt_parcel *p; (p = pkt_network_take(&network, tick)) != NULL;) {
            if (p->way == 0 && ToServer_unpack(&up, p->data, p->size)) {
                if (pkt_inputs_arrived(&inputs, tick, up.first, up.commands, up.commands_count) > 0)
                    ToClient_acknowledged(&sender, up.has_snapshot, up.snapshot);
            } else if (p->way == 1 && ToClient_receive(&receiver, &up_to, 0, p->data, p->size)) {
                const bool begun = client.begun;
                const unsigned since = client.since;
                client.since = GLIDE + 1;
                correct(&client, &up_to);
                corrections += begun && client.since == 0;
                client.since = client.since > GLIDE ? since : client.since;
            }
        }
        for (const Command *c; (c = pkt_inputs_next(&inputs, tick)) != NULL;)
            step(&there, c);
        if (tick % BUMP == 0) {
            there.speed_y += 0.5f;
            bumps++;
        }
        if (tick % 3 == 0) {
            down.number++;
            down.expected = inputs.channel.expected;
            down.executed = inputs.executed;
            down.own = there;
            pkt_network_send(&network, tick, 1, data, ToClient_send(&sender, &down, 0, data, sizeof data));
        }

        const Command input = {(int8_t)(tick / 50 % 2), sinf((float)tick / 40)};
        predict(&client, &input, &up);
        up.has_snapshot = receiver.acknowledges;
        up.snapshot = (uint16_t)receiver.newest;
        pkt_network_send(&network, tick, 0, data, ToServer_pack(&up, data, sizeof data));
        leaps += hypotf(client.shown.x - last.x, client.shown.y - last.y) > 1.5;
        last = client.shown;
    }
    printf("%u bumps, %u corrections, %u leaps\n", bumps, corrections, leaps);
    return 0;
}
