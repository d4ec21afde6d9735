-- packets.lua - packets, frames around streams, and how Wireshark finds them.
-- SPDX-License-Identifier: MIT

local frames = {} -- by the register of the checksum after what is not sent
local frame_count, only_name = 0, "" -- the name of the frame, if there is only one
local bare -- what datagrams without a frame contain: a list as that of a frame; or nil
local id_bytes, has_checks -- the protocol id; whether packets have an end check

local function identify(high, low, checks)
    id_bytes = Struct.pack("<I4I4", low, high)
    has_checks = checks
end

local function part(t, is_delta, is_many)
    return { type = t, is_delta = is_delta, is_many = is_many }
end

local function add_frame(frame, seed)
    frame.end_check = crc_of(frame.name .. ".end")
    frames[crc_forward(4294967295, id_bytes .. frame.name .. seed)] = frame
    frame_count = frame_count + 1
    only_name = frame_count == 1 and frame.name .. "." or ""
end

local function packet(t)
    add_frame({ name = t.name, packet = t, parts = { part(t) } }, "")
end

-- A frame around a stream: its name, the halves of its seed, and its parts.
local function stream(name, seed_high, seed_low, ...)
    local has_seed = seed_high ~= 0 or seed_low ~= 0
    add_frame({ name = name, parts = { ... } }, has_seed and Struct.pack("<I4I4", seed_low, seed_high) or "")
end

local function bare_stream(...)
    bare = { parts = { ... } }
end

-- ---- reading

local refused = ProtoExpert.new(proto_name .. ".refused", "refused", expert.group.MALFORMED, expert.severity.ERROR)
local unsure = ProtoExpert.new(proto_name .. ".not-known", "not known", expert.group.UNDECODED, expert.severity.NOTE)
local cut = ProtoExpert.new(proto_name .. ".cut", "not captured", expert.group.UNDECODED, expert.severity.WARN)
local many = ProtoExpert.new(proto_name .. ".too-many", "too many items", expert.group.UNDECODED, expert.severity.NOTE)
proto.experts = { refused, unsure, cut, many }

local function find_frame(data)
    if #data < 4 then
        return nil
    end
    local a, b, d, e = byte(data, 1, 4)
    local register = 4294967295 - (a + b * 256 + d * 65536 + e * 16777216)
    return frames[crc_backward(register, data, 5)]
end

local function read_value(c, p)
    local t = p.type
    open(c, t.field, t.name)
    local read = p.is_delta and (t.members and delta_union or delta_struct) or t.members and read_union or read_struct
    local result = read(c, t)
    close(c)
    return result
end

local function read_parts(c, parts)
    for _, p in ipairs(parts) do
        local start
        repeat
            if p.is_many and c.limit - c.bit < 8 then
                break
            end
            start = c.bit
            c.prefix = p.type.name .. "."
            read_value(c, p)
        until not p.is_many or c.bit == start
    end
end

local function read_end_check(c, frame)
    local start = c.bit
    local value = take(c, 32, start, "end check")
    if value ~= frame.end_check then
        refuse(c, "check", start, "end check")
    end
    add(c, layout.end_check, start, value, "end check", format("0x%08x", value))
end

-- What is left may only be zeros up to the end of the byte.
local function read_rest(c)
    local start = c.bit
    if c.limit - start >= 8 then
        refuse(c, "trailing", start, "")
    elseif take(c, c.limit - start, start, "") ~= 0 then
        refuse(c, "padding", start, "")
    end
end

local function read_frame(c, frame)
    c.prefix = frame and frame.name .. "." or only_name
    need(c, 32, 0, "crc")
    if not frame then
        refuse(c, "crc", 0, "crc")
    end
    local crc = take(c, 32, 0, "crc")
    add(c, layout.crc, 0, crc, "crc", format("0x%08x", crc))
    local kept = has_checks and not frame.packet and 32 or 0
    if c.limit - c.bit < kept then
        refuse(c, "end", c.bit, "end check")
    end
    c.limit = c.limit - kept
    read_parts(c, frame.parts)
    c.limit = c.limit + kept
    c.prefix = frame.name .. "."
    if has_checks then
        read_end_check(c, frame)
    end
    read_rest(c)
end

local function read_bare(c)
    c.prefix = ""
    read_parts(c, bare.parts)
    c.prefix = ""
    read_rest(c)
end

-- ---- the dissector

-- Says at the item that was being read why the dissection ends there.
local function report(c, item, problem)
    while #c.opened > 0 do
        if c.tree then
            item = c.tree
        end
        close(c)
    end
    local at = math.min(floor(problem.bit / 8), c.tvb:len())
    local place = item:add(c.tvb:range(at, at < c.tvb:len() and 1 or 0), problem.text)
    place:add_proto_expert_info(problem.unknown and unsure or refused, problem.text)
end

-- Shows a datagram. False if it is none of this protocol, unless `is_ours` says so.
local function dissect(tvb, pinfo, tree, is_ours)
    local data = tvb:raw()
    local frame = find_frame(data)
    if not frame and not is_ours then
        return false
    end
    local name = frame and frame.name or bare and bare.parts[1].type.name or "damaged"
    pinfo.cols.protocol = proto.description
    local root = tree:add(proto, tvb:range(0, tvb:len()))
    root:set_text(proto.description .. ", " .. name)
    local c = { data = data, bit = 0, limit = 8 * #data, prefix = "", sub = "", tvb = tvb, tree = root, opened = {},
                visible = root.visible, items = 0 }
    if tvb:len() < tvb:reported_len() then
        root:add_proto_expert_info(cut, "the capture has only a part of the datagram")
        return true
    end
    if frame then
        root:add(layout.type, tvb:range(0, 0), name):set_generated()
    end
    local good, problem
    if frame or not bare then
        good, problem = pcall(read_frame, c, frame)
    else
        good, problem = pcall(read_bare, c)
    end
    if not good and type(problem) ~= "table" then
        error(problem, 0)
    elseif not good then
        report(c, root, problem)
    end
    if c.items > MOST_ITEMS then
        root:add_proto_expert_info(many, format("only the first %.0f items are shown", MOST_ITEMS))
    end
    pinfo.cols.info = good and name or name .. " [" .. problem.text .. "]"
    return true
end

function proto.dissector(tvb, pinfo, tree)
    dissect(tvb, pinfo, tree, true)
    return tvb:len()
end

proto.fields = all_fields

-- ---- where datagrams come from

local udp_ports = DissectorTable.get("udp.port")
local ports = ""

-- The preference says of which UDP ports all datagrams are of this protocol, even those that are damaged.
local function update_ports()
    if proto.prefs.ports ~= ports then
        if ports ~= "" then
            udp_ports:remove(ports, proto)
        end
        ports = proto.prefs.ports
        if ports ~= "" then
            udp_ports:add(ports, proto)
        end
    end
end

-- Datagrams of other ports are recognized by their checksum. "Decode As" offers the protocol too.
local function listen(first_ports)
    proto.prefs.ports = Pref.range("UDP ports", first_ports, "All datagrams of these ports are of this protocol", 65535)
    proto.prefs_changed = update_ports
    update_ports()
    udp_ports:add_for_decode_as(proto)
    if frame_count > 0 then
        proto:register_heuristic("udp", function(tvb, pinfo, tree) return dissect(tvb, pinfo, tree, false) end)
    end
end
