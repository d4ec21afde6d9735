/* CoreMinimal.h - as much of Unreal as docs/engines.md uses: strings, of ASCII.
 * SPDX-License-Identifier: MIT
 */
#pragma once
#include "CoreTypes.h"
#include <string>

class FString
{
  public:
    explicit FString(const TCHAR *Text) : Characters(Text)
    {
    }
    const TCHAR *operator*() const
    {
        return Characters.c_str();
    }

  private:
    std::u16string Characters;
};

#define TCHAR_TO_UTF8(text) (std::string((text), (text) + std::char_traits<TCHAR>::length(text)).c_str())
