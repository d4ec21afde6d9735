-- sessions.lua - the seeds of sessions that a recording has: packets of IP protocol 253, as pkt_capture_session writes them.
-- SPDX-License-Identifier: MIT

-- For two ends, the packets that announce their sessions: the number of each, and its seed and protocol id as the bytes
-- of a crc. All dissectors of pktc share them. All are kept, because Wireshark dissects packets again, in any order.
_G.pktc_sessions = {}

function forget_sessions()
    _G.pktc_sessions = {}
end

function ends_text(pinfo, from_port, to_port)
    local a, b = format("%s %d", pinfo.src, from_port), format("%s %d", pinfo.dst, to_port)
    return format("%s %s", a < b and a or b, a < b and b or a)
end

MOST_SESSIONS = 4 -- of two ends: late datagrams of an earlier one come too

-- The last sessions of the two ends of a datagram, the newest first; nil if none was recorded before it.
function sessions_of(pinfo)
    local all = next(_G.pktc_sessions) and _G.pktc_sessions[ends_text(pinfo, pinfo.src_port, pinfo.dst_port)] or {}
    local last, seen = {}, {}
    for i = #all, 1, -1 do
        if all[i].number <= pinfo.number and not seen[all[i].seed] then
            seen[all[i].seed] = true
            table.insert(last, all[i])
        end
        if #last == MOST_SESSIONS then
            break
        end
    end
    return last[1] and last
end

function add_session_protocol()
    local protocol = Proto("pktc_session", "pktc session")
    local seed = ProtoField.uint64("pktc_session.seed", "seed", base.HEX)
    local id = ProtoField.uint64("pktc_session.id", "protocol id", base.HEX)
    local NONE = ("\0"):rep(8)
    protocol.fields = { seed, id }
    function protocol.dissector(tvb, pinfo, tree)
        if tvb:len() < 28 or tvb:raw(0, 8) ~= "pkt seed" then
            return 0
        end
        local root = tree:add(protocol, tvb:range(0, 28))
        root:add(seed, tvb:range(12, 8))
        root:add(id, tvb:range(20, 8))
        pinfo.cols.protocol = "pktc session"
        pinfo.cols.info = format("session of the ports %d and %d", tvb(8, 2):uint(), tvb(10, 2):uint())
        local bytes = tvb:raw(12, 8):reverse()
        if not pinfo.visited then
            local ends = ends_text(pinfo, tvb(8, 2):uint(), tvb(10, 2):uint())
            _G.pktc_sessions[ends] = _G.pktc_sessions[ends] or {}
            table.insert(_G.pktc_sessions[ends], { number = pinfo.number, seed = bytes ~= NONE and bytes or "",
                                                   id = tvb:raw(20, 8):reverse() })
        end
        return 28
    end
    DissectorTable.get("ip.proto"):add(253, protocol)
end

if not _G.pktc_shows_sessions then
    _G.pktc_shows_sessions = true
    add_session_protocol()
end
