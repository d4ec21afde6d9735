-- releases.lua - which dissector shows a datagram, if Wireshark has those of several protocols, or of releases of one.
-- SPDX-License-Identifier: MIT
--
-- The crc of a datagram tells its protocol and release. If it is not compared, because its seed is not known, an earlier
-- datagram between the same two ends tells: a client and its server speak one release, until the client is updated.

-- All dissectors of pktc that Wireshark has: of each its `id`, `dissect`, and `find`, by which it finds a frame.
_G.pktc_dissectors = _G.pktc_dissectors or {}

-- The `dissect` of the protocol, or the release, whose crc a datagram has; nil if there is none.
function find_dissector(register, sessions)
    for _, other in ipairs(_G.pktc_dissectors) do
        if other.find(register, sessions) then
            return other.dissect
        end
    end
end

-- For a protocol and two ends, a list of the changes of their release: the number of the first datagram of it, and its
-- `dissect`. All are kept, because Wireshark dissects packets again, in any order.
_G.pktc_spoken = {}

function forget_spoken()
    _G.pktc_spoken = {}
end

-- The list of two ends; nil if there is only one dissector. `shared_name` is the name that the releases share.
function spoken_between(pinfo)
    if #_G.pktc_dissectors < 2 then
        return nil
    end
    local a, b = format("%s %d", pinfo.src, pinfo.src_port), format("%s %d", pinfo.dst, pinfo.dst_port)
    local ends = format("%s %s %s", shared_name, a < b and a or b, a < b and b or a)
    _G.pktc_spoken[ends] = _G.pktc_spoken[ends] or {}
    return _G.pktc_spoken[ends]
end

-- Remembers the release of a datagram whose crc has told it.
function keep_spoken(pinfo, dissect)
    local spoken = not pinfo.visited and spoken_between(pinfo)
    if spoken and (#spoken == 0 or spoken[#spoken].dissect ~= dissect) then
        table.insert(spoken, { first = pinfo.number, dissect = dissect })
    end
end

-- The `dissect` of the release that two ends speak: as it was recorded with their session, or as a crc has told it. nil: it
-- is not known.
function find_spoken(pinfo, sessions)
    for _, other in ipairs(sessions and _G.pktc_dissectors or {}) do
        if other.id == sessions[1].id then
            return other.dissect
        end
    end
    local spoken = spoken_between(pinfo) or {}
    for i = #spoken, 1, -1 do
        if spoken[i].first <= pinfo.number then
            return spoken[i].dissect
        end
    end
end
