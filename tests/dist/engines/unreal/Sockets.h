/* Sockets.h - as much of Unreal as docs/engines.md uses: a socket that receives what it sends.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "CoreTypes.h"
#include "IPAddress.h"
#include <string>

namespace ESocketReceiveFlags
{
enum Type { None };
}

class FSocket
{
  public:
    bool SendTo(const uint8 *Data, int32 Count, int32 &BytesSent, const FInternetAddr &Destination)
    {
        (void)Destination;
        Waiting.assign(Data, Data + Count);
        BytesSent = Count;
        return true;
    }
    bool RecvFrom(uint8 *Data, int32 BufferSize, int32 &BytesRead, FInternetAddr &Source,
                  ESocketReceiveFlags::Type Flags = ESocketReceiveFlags::None)
    {
        (void)Source;
        (void)Flags;
        BytesRead = static_cast<int32>(Waiting.copy(Data, static_cast<size_t>(BufferSize)));
        return BytesRead > 0;
    }

  private:
    std::basic_string<uint8> Waiting;
};
