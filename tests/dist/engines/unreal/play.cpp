/* play.cpp - another module: sends what docs/engines.md packs to itself.
 * SPDX-License-Identifier: MIT
 */
#include "CoreMinimal.h"
#include "Sockets.h"
#include "game.h"

#include <cstdio>

bool Join(FSocket &Socket, const FInternetAddr &Server, const FString &Name, uint32 Salt);
bool Receive(FSocket &Socket, FInternetAddr &From, game_State &State);

int main()
{
    FSocket Socket;
    FInternetAddr Here;
    uint8 Data[game_State_MAX_BYTES];
    int32 Size = 0;
    game_Join Packet;
    game_State Sent, State;
    if (!Join(Socket, Here, FString(TEXT("anna")), 7) || !Socket.RecvFrom(Data, sizeof Data, Size, Here) ||
        !game_Join_unpack(&Packet, Data, static_cast<size_t>(Size)))
        return 1;
    std::printf("%s %u\n", Packet.name, static_cast<unsigned>(Packet.salt));
    game_State_init(&Sent);
    Sent.ships_count = 1;
    Sent.ships[0].slot = 63;
    Size = static_cast<int32>(game_State_pack(&Sent, Data, sizeof Data));
    if (Receive(Socket, Here, State) || !Socket.SendTo(Data, Size, Size, Here) || !Receive(Socket, Here, State))
        return 1;
    std::printf("%u of %d bytes\n", static_cast<unsigned>(State.ships[0].slot), static_cast<int>(Size));
    return 0;
}
