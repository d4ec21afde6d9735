/* use.cpp - schemas/mygame.pkt from C++: values, streams, errors. Prints bytes, which are the same wherever it runs.
 * SPDX-License-Identifier: MIT
 */
#include "mygame.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void print(const std::vector<uint8_t> &data)
{
    for (uint8_t byte : data)
        std::printf("%02x", static_cast<unsigned>(byte));
    std::printf("\n");
}

static std::vector<uint8_t> pack(const Message &m)
{
    std::vector<uint8_t> data(Message_MAX_BYTES);
    data.resize(Message_pack(&m, data.data(), data.size()));
    return data;
}

static bool play(unsigned seed)
{
    Message m{};
    m.tag = Message_tag_snapshot;
    Snapshot &s = m.as.snapshot;
    Snapshot_init(&s);
    s.tick = seed;
    for (unsigned i = 0; i < seed % 33; i++) {
        Player &p = s.players[s.players_count++];
        Player_init(&p);
        p.slot = static_cast<uint8_t>(i);
        p.team = i % 2 ? Team_red : Team_blue;
        p.alive = i % 5 != 0;
        if (!p.alive)
            continue;
        p.x = static_cast<float>(i * 37 + seed) / 3;
        p.y = -static_cast<float>(i * 11) / 7;
        p.aim.yaw = static_cast<float>(i) * 10.7f;
        p.moving = i % 3 == 0;
        if (p.moving)
            p.velocity.z = 0.3f * static_cast<float>(i);
    }
    std::vector<uint8_t> data = pack(m);
    if (data.empty() || data.size() > Message_MAX_BYTES)
        return false;
    print(data);

    Message seen{};
    if (!Message_unpack(&seen, data.data(), data.size()) || !Message_equal(&m, &seen) || pack(seen) != data)
        return false;
    pkt_error error{};
    data.pop_back();
    return !Message_unpack_error(&seen, data.data(), data.size(), &error) && error.code == PKT_ERROR_CRC &&
           std::strcmp(pkt_code_name(error.code), "crc") == 0;
}

static bool stream()
{
    Aim aim{}, seen{};
    aim.yaw = 90;
    pkt_writer w;
    uint8_t data[8];
    size_t size = 0;
    pkt_writer_init(&w, data, sizeof data);
    if (!Aim_write(&w, &aim) || !pkt_writer_finish(&w, &size) || (Aim_measure(&aim, 0) + 7) / 8 != size)
        return false;
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    return Aim_read(&r, &seen) && pkt_reader_finish(&r) && Aim_equal(&aim, &seen);
}

static bool frame()
{
    static const pkt_frame update = mygame_PROTOCOL_FRAME("Update");
    Aim aim{}, seen{};
    aim.yaw = 45;
    pkt_writer w;
    std::vector<uint8_t> data(64);
    pkt_writer_init(&w, data.data(), data.size());
    pkt_writer_frame_begin(&w, &update);
    Aim_write(&w, &aim);
    data.resize(pkt_writer_frame_end(&w, &update, 7));
    print(data);
    pkt_reader r;
    pkt_reader_init(&r, data.data(), data.size());
    return pkt_reader_frame_begin(&r, &update, 7) && Aim_read(&r, &seen) && pkt_reader_frame_end(&r, &update) &&
           Aim_equal(&aim, &seen);
}

int main()
{
    for (unsigned seed = 0; seed < 40; seed++)
        if (!play(seed))
            return 1;
    return stream() && frame() ? 0 : 1;
}
