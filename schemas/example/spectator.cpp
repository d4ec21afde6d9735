/* spectator.cpp - a second client of the arena, in C++17, with the same generated files: it stands still and tells what
 * happens.
 * SPDX-License-Identifier: MIT
 *
 *     spectator PORT [SECONDS [LOG]]
 *
 * The generated headers can be included in C++. There, an enum of the schema is an enumeration: the compiler notices a
 * switch that forgets a member.
 */
#include "arena_upgrade.h"
#include "clock.h"
#include "links.h"
#include "udp.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace
{

using Datagram = std::array<std::uint8_t, arena_MTU>;

class Socket
{
  public:
    Socket() : socket_(udp_open(0, &own_))
    {
    }
    ~Socket()
    {
        udp_close(socket_);
    }
    Socket(const Socket &) = delete;
    Socket &operator=(const Socket &) = delete;

    void send(const udp_address &to, const Datagram &data, std::size_t size) const
    {
        if (size > 0)
            udp_send(socket_, &to, data.data(), size);
    }

    std::optional<std::size_t> receive(Datagram &data) const
    {
        udp_address from;
        int size = udp_receive(socket_, &from, data.data(), data.size());
        return size < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(size));
    }

  private:
    udp_address own_{};
    udp_socket socket_;
};

class Spectator
{
  public:
    Spectator(udp_address server, std::uint64_t salt, std::ostream *log) : server_(server), salt_(salt), log_(log)
    {
        inputs_begin(&inputs_);
        events_begin(events_.get());
    }

    void tick(double now)
    {
        Datagram data;
        while (auto size = socket_.receive(data))
            receive(data, *size);
        if (session_ && joined_)
            socket_.send(server_, data, write_input(data));
        else if (!refused_ && now - asked_ > 0.1) {
            asked_ = now;
            socket_.send(server_, data, write_handshake(data));
        }
    }

    void leave()
    {
        Event event;
        Event_init(&event);
        event.tag = Event_tag_leave;
        events_push(events_.get(), &event, nullptr);
    }

    /* Returns whether the server has let it in and sent what it could read. */
    bool report() const
    {
        if (refused_)
            std::cout << text_of(refused_->reason) << ": your version is " << arena_PROTOCOL_VERSION
                      << ", the server's is " << refused_->release << '\n';
        std::cout << snapshots_ << " snapshots, " << chats_ << " chats, " << kills_ << " kills, " << left_
                  << " have left, " << errors_ << " datagrams refused\n";
        return snapshots_ > 0;
    }

  private:
    static const char *text_of(Reason reason)
    {
        switch (reason) {
        case Reason_must_update: return "please update";
        case Reason_server_full: return "the server is full";
        }
        return "the server refuses"; /* for a reason that a later server has */
    }

    /* ---- what goes out */

    std::size_t write_handshake(Datagram &data) const
    {
        const Hello hello{salt_, arena_PROTOCOL_ID};
        const Response response{salt_, server_salt_, arena_PROTOCOL_ID, "spectator"};
        return session_ ? Response_pack(&response, data.data(), data.size())
                        : Hello_pack(&hello, data.data(), data.size());
    }

    std::size_t write_input(Datagram &data)
    {
        ToServer out;
        Command still;
        Command_init(&still);
        out.has_snapshot = received_->acknowledges;
        out.snapshot = static_cast<std::uint16_t>(received_->newest);
        inputs_send(&inputs_, &still, &out);
        out.events_count = static_cast<std::uint8_t>(
            pkt_channel_send(&events_->channel, &out.expected, &out.first, out.events, arena_MOST_EVENTS));
        return ToServer_pack(&out, *session_, data.data(), data.size());
    }

    /* ---- what arrives */

    void receive(const Datagram &data, std::size_t size)
    {
        Challenge challenge;
        Refused refused;
        if (session_) {
            on_snapshot(data, size);
        } else if (Challenge_unpack(&challenge, data.data(), size) && challenge.client_salt == salt_) {
            server_salt_ = challenge.server_salt;
            session_ = salt_ ^ server_salt_;
            asked_ = 0;
        } else if (Refused_unpack(&refused, data.data(), size) && refused.client_salt == salt_) {
            refused_ = refused;
        }
    }

    void on_snapshot(const Datagram &data, std::size_t size)
    {
        ToClient &in = *in_;
        pkt_error error;
        if (!ToClient_receive_error(received_.get(), &in, *session_, data.data(), size, &error)) {
            errors_ += error.code != PKT_OK && error.code != PKT_ERROR_BASELINE;
            return;
        }
        joined_ = true;
        snapshots_++;
        inputs_acknowledge(&inputs_, in.command);
        note("snapshot", in.number, Snapshot_hash(&in.snapshot));
        const unsigned fresh = pkt_channel_receive(&events_->channel, in.expected, in.first, in.events_count);
        for (unsigned i = in.events_count - fresh; i < in.events_count; i++)
            on_event(static_cast<std::uint16_t>(in.first + i), in.events[i]);
    }

    void on_event(std::uint16_t number, const Event &event)
    {
        note("event", number, Event_hash(&event));
        switch (event.tag) {
        case Event_tag_welcome: std::cout << "plays as number " << int{event.as.welcome.slot} << '\n'; break;
        case Event_tag_joined: names_.at(event.as.joined.slot) = event.as.joined.name; break;
        case Event_tag_left: left_++; break;
        case Event_tag_killed:
            if (++kills_ == 1)
                std::cout << names_.at(event.as.killed.killer) << " killed " << names_.at(event.as.killed.victim)
                          << '\n';
            break;
        case Event_tag_chat:
            if (++chats_ == 1)
                std::cout << names_.at(event.as.chat.slot) << ": " << event.as.chat.text << '\n';
            break;
        case Event_tag_cheer:
        case Event_tag_leave: break; /* only clients send a Leave */
        }
    }

    void note(const char *what, unsigned number, std::uint64_t hash) const
    {
        if (log_)
            *log_ << std::hex << std::setfill('0') << std::setw(16) << *session_ << std::dec << ' ' << what << ' '
                  << number << ' ' << std::hex << std::setw(16) << hash << '\n';
    }

    Socket socket_;
    udp_address server_;
    std::uint64_t salt_, server_salt_ = 0;
    std::ostream *log_; /* or null */
    std::optional<std::uint64_t> session_;
    std::optional<Refused> refused_;
    bool joined_ = false; /* the first snapshot has arrived */
    double asked_ = 0;
    std::unique_ptr<ToClient> in_ = std::make_unique<ToClient>();
    std::unique_ptr<ToClient_receiver> received_ = std::make_unique<ToClient_receiver>();
    std::unique_ptr<event_link> events_ = std::make_unique<event_link>();
    input_link inputs_{};
    std::array<std::string, arena_MAX_PLAYERS> names_;
    unsigned snapshots_ = 0, chats_ = 0, kills_ = 0, left_ = 0, errors_ = 0;
};

} /* namespace */

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::cerr << "usage: spectator PORT [SECONDS [LOG]]\n";
        return 2;
    }
    const double duration = argc > 2 ? std::atof(argv[2]) : 5, goodbye = 0.3;
    std::ofstream log;
    if (argc > 3)
        log.open(argv[3]);
    std::random_device random;
    const auto salt = std::uint64_t{random()} << 32 | random();
    Spectator spectator(udp_local(static_cast<std::uint16_t>(std::atoi(argv[1]))), salt, argc > 3 ? &log : nullptr);

    double start = seconds(), next = start;
    for (bool leaving = false; seconds() - start < duration + goodbye;) {
        if (!leaving && seconds() - start > duration) {
            leaving = true;
            spectator.leave();
        }
        spectator.tick(seconds());
        next = wait_for_tick(next + 1.0 / arena_TICK_RATE);
    }
    return spectator.report() ? 0 : 1;
}
