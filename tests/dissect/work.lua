-- work.lua - counts what the dissectors that are loaded after it do, in thousands of instructions of Lua, and lists what of it
-- their functions for structs leave to those for all cases, on standard error.
-- SPDX-License-Identifier: MIT
local count = 0
debug.sethook(function() count = count + 1 end, "", 1000)
-- Wireshark ends, and with it this value.
_G.pktc_work = setmetatable({}, { __gc = function()
    debug.sethook()
    io.stderr:write("work ", count, "\n")
    local slow = {}
    for what in pairs(_G.pktc_slow or {}) do
        slow[#slow + 1] = what
    end
    table.sort(slow)
    io.stderr:write("slow ", #slow > 0 and table.concat(slow, ", ") or "nothing", "\n")
end })
