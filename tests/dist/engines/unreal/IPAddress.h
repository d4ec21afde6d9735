/* IPAddress.h - as much of Unreal as docs/engines.md uses: an address, of which there is one.
 * SPDX-License-Identifier: MIT
 */
#pragma once

class FInternetAddr
{
};
