-- work.lua - counts what the dissectors that are loaded after it do, in thousands of instructions of Lua, on standard error.
-- SPDX-License-Identifier: MIT
local count = 0
debug.sethook(function() count = count + 1 end, "", 1000)
-- Wireshark ends, and with it this value.
_G.pktc_work = setmetatable({}, { __gc = function()
    debug.sethook()
    io.stderr:write("work ", count, "\n")
end })
