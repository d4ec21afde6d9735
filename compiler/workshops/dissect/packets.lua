-- packets.lua - packets, frames around streams, and how Wireshark finds them.
-- SPDX-License-Identifier: MIT

frames = {} -- by the register of the checksum after the bytes that are not sent
seeded = {} -- those whose crc has a seed: each with the register before the seed
frames_by_seed = {} -- for the seed of a session, these as `frames`
frames_by_end = {} -- those whose seed is not known, by their end check
frame_count, only_name = 0, "" -- the name of the frame, if there is only one
-- bare: what datagrams without a frame contain: a list as that of a frame; or nil
-- id_bytes, has_checks: of the frames that are added: the id in their crc; whether they have an end check

function identify(high, low, checks)
    id_bytes = Struct.pack("<I4I4", low, high)
    has_checks = checks
end

-- The halves of a seed as bytes: "" if there is none, or it is not known; nil for a crc that never has one.
function seed_bytes(high, low)
    return high and (high == 0 and low == 0 and "" or Struct.pack("<I4I4", low, high))
end

-- The seed of a packet with parts depends on their baselines.
function add_frame(frame)
    local start = crc_forward(4294967295, id_bytes .. frame.name)
    frame.end_check = crc_of(frame.name .. ".end")
    frame.has_end = has_checks
    frames[crc_forward(start, frame.seed or "")] = frame
    if frame.seed then
        table.insert(seeded, { start = start, frame = frame })
    end
    if has_checks and (frame.seed == "" or frame.packet and frame.packet.parts) then
        frames_by_end[frame.end_check] = frame
    end
    frame_count = frame_count + 1
    only_name = frame_count == 1 and frame.name .. "." or ""
end

-- A packet, and the halves of its seed, if its crc has one.
function packet(t, seed_high, seed_low)
    add_frame({ name = t.name, packet = t, parts = { part(t, {}) }, seed = seed_bytes(seed_high, seed_low) })
end

-- A packet that programs of all releases read. Its own id takes the place of the protocol's.
function stable_packet(t, high, low)
    local id, checks = id_bytes, has_checks
    identify(high, low, true)
    add_frame({ name = t.name, packet = t, parts = { part(t, {}) }, is_stable = true })
    id_bytes, has_checks = id, checks
end

-- A frame around a stream: its name, the halves of its seed, and its parts.
function stream(name, seed_high, seed_low, parts)
    add_frame({ name = name, parts = parts, seed = seed_bytes(seed_high, seed_low) })
end

-- A frame with the start value of the part `name`.
function start(t, name, seed_high, seed_low)
    for _, p in ipairs(t.parts) do
        if p.name == t.name .. "." .. name then
            add_frame({ name = p.name .. "_start", parts = { part(p.type, {}) }, seed = seed_bytes(seed_high, seed_low),
                        start_of = p })
        end
    end
end

function bare_stream(parts)
    bare = { parts = parts }
end

-- ---- reading

refused = ProtoExpert.new(proto_name .. ".refused", "refused", expert.group.MALFORMED, expert.severity.ERROR)
unsure = ProtoExpert.new(proto_name .. ".not-known", "not known", expert.group.UNDECODED, expert.severity.NOTE)
cut = ProtoExpert.new(proto_name .. ".cut", "not captured", expert.group.UNDECODED, expert.severity.WARN)
many = ProtoExpert.new(proto_name .. ".too-many", "too many items", expert.group.UNDECODED, expert.severity.NOTE)
proto.experts = { refused, unsure, cut, many }

-- The register of the checksum after the bytes that are not sent; nil if there is no checksum.
function register_of(data, words)
    return #data >= 4 and crc_backward(4294967295 - words[1], data, words) or nil
end

-- A frame whose crc has the seed of a session.
function with_seed(frame, seed)
    return setmetatable({ seed = seed }, { __index = frame })
end

-- The frame whose crc is right. sessions: if the seed of a crc has to be one of theirs.
function frame_by_crc(register, sessions)
    local frame = frames[register]
    if not sessions or not seeded[1] or seeded[1].frame.seed ~= "" then
        return frame
    end
    frame = frame and not frame.seed and frame or nil
    for i = 1, frame and 0 or #sessions do
        local seed = sessions[i].seed
        if not frames_by_seed[seed] then
            frames_by_seed[seed] = {}
            for _, s in ipairs(seeded) do
                frames_by_seed[seed][crc_forward(s.start, seed)] = with_seed(s.frame, seed)
            end
        end
        frame = frame or frames_by_seed[seed][register]
    end
    return frame
end

-- The frame of a datagram, and whether its checksum was compared.
function find_frame(data, register, sessions)
    local size = #data
    local frame = frame_by_crc(register, sessions)
    if frame or size < 8 or not next(frames_by_end) then
        return frame, true
    end
    local last = 0
    for i = size, size - 4, -1 do
        last = last * 256 + byte(data, i)
    end
    for padding = 0, 7 do
        frame = frame or frames_by_end[floor(last / POWER[8 - padding])]
    end
    if frame and sessions and frame.seed == "" then
        frame = frame.packet and frame.packet.parts and with_seed(frame, sessions[1].seed)
    end
    return frame or nil, false
end

-- ---- sums

-- A UInt64 modulo 2^bits: a Lua number up to 2^52, so that equal numbers are equal values.
function wrapped(number, bits)
    local high, low = halves_of(number)
    if bits <= 32 then
        return low % POWER[bits]
    end
    high = high % POWER[bits - 32]
    return high < 1048576 and high * 4294967296 + low or u64(high, low)
end

-- The number of a term; nil if its field is not there.
function term_of(c, term)
    if not term[3] then
        return term[2]
    end
    term.path = term.path or { term[3] }
    local number = evaluate(term.path, c.last[term[2]] or {})
    if type(number) == "boolean" then
        number = number and 1 or 0
    end
    return number ~= nil and term[4] and ones_of(number) or number
end

-- nil if a field is not there. Sums are Lua numbers while they are small.
function sum_of(c, terms)
    local result = 0
    for i = 1, #terms do
        local sign, number = terms[i][1], term_of(c, terms[i])
        if number == nil then
            return nil
        end
        local is_small = type(number) == "number" and type(result) == "number" and math.abs(result) < POWER[51] and number < POWER[51]
        if not is_small then
            number, result = to_u64(number), type(result) == "number" and to_u64(result) or result
        end
        result = sign > 0 and result + number or result - number
    end
    if type(result) == "number" and (result >= 0 or terms.bits <= 52) then
        return terms.bits <= 52 and result % POWER[terms.bits] or result
    end
    return wrapped(type(result) == "number" and to_u64(result) or result, terms.bits)
end

-- ---- baselines: the last ones from each sender to each receiver

KEPT = 256
flows, bases, plain, starts = {}, {}, {}, {}
-- starts: by two ends and part, the start values in frames, with the packets that these are in
-- flows: by addresses, type and place. Each has its values by the text of their number; these texts at 1 to KEPT, the newest
--     one at `newest`; and the last value as `last`, the one before as `second`
-- bases: by packet, what its deltas referred to; Wireshark dissects packets again, in any order
-- plain: by packet, what the Info column says of it, if it was good, without anything else to say of it

function proto.init()
    flows, bases, plain, starts = {}, {}, {}, {}
    forget_spoken()
    forget_sessions()
end

function flow_of(c, p)
    local pinfo = c.pinfo
    c.ends = c.ends or format("%s %d %s %d ", pinfo.src, pinfo.src_port, pinfo.dst, pinfo.dst_port)
    local flow = format("%s%s %d", c.ends, p.type.name, p.place)
    flows[flow] = flows[flow] or {}
    return flows[flow]
end

-- Keeps the value of a number. A new number takes the place of the oldest one.
function keep_value(flow, value)
    local number = int_text(nil, value.number)
    if not flow[number] then
        flow.newest = (flow.newest or 0) % KEPT + 1
        if flow[flow.newest] then
            flow[flow[flow.newest]] = nil
        end
        flow[flow.newest] = number
    end
    flow[number] = value
end

-- The value of a number, or `last` or `second`; nil if it is not known.
function find_value(c, p, number)
    c.deltas = c.deltas + 1
    local known = bases[c.packet] or {}
    bases[c.packet] = known
    if not c.visited then
        local is_place = type(number) == "string"
        local kept = flow_of(c, p)[is_place and number or int_text(nil, number)]
        known[c.deltas] = kept and kept.value
    end
    return known[c.deltas]
end

function starts_of(c, p)
    local pinfo = c.pinfo
    local name = ends_text(pinfo, pinfo.src_port, pinfo.dst_port) .. " " .. p.name
    starts[name] = starts[name] or {}
    return starts[name]
end

-- The start value of a part, which may have none; and whether that is known. If the crc is right without one, there is none.
function start_value(c, p)
    if not p.starts or c.is_checked then
        return nil, true
    end
    local all = starts_of(c, p)
    for i = #all, 1, -1 do
        if all[i].packet <= c.packet then
            return all[i].value, true
        end
    end
    return nil, false
end

-- The baseline of a delta; nil if it is not known. The second result is its number then.
function find_base(c, p, before)
    if p.chained then
        return before or blank_value(p.type)
    elseif p.last then
        return find_value(c, p, "last") or blank_value(p.type)
    elseif not p.base_number then
        return nil
    end
    local number = sum_of(c, p.base_number)
    if number == nil and p.starts then
        local value, is_known = start_value(c, p)
        return value or is_known and blank_value(p.type) or nil
    elseif number == nil or number == sum_of(c, p.number) then
        return blank_value(p.type)
    end
    return find_value(c, p, number), number
end

-- The baseline, predicted from the value that it has moved from. The second result is the number of the latter if it is
-- not known.
function move_base(c, p, base, number)
    local own, before = p.number and sum_of(c, p.number), p.before_number and sum_of(c, p.before_number)
    if own == nil then
        return base
    end
    local k = { was_of = c.was_of, back = wrapped(to_u64(own) - to_u64(number), p.number.bits) }
    local value
    if before ~= nil and before ~= number then
        value = find_value(c, p, before)
        if not value then
            return nil, before
        end
        k.gap = wrapped(to_u64(number) - to_u64(before), p.base_number.bits)
    end
    if k.back > 65535 then
        return base
    end
    return predict_value(k, p.type, base, k.gap and k.gap <= 65535 and value or nil)
end

-- Keeps the values that later deltas may refer to.
function keep_values(c)
    if c.visited then
        return
    end
    if c.start_of then
        table.insert(starts_of(c, c.start_of), { packet = c.packet, value = c.last[c.start_of.type.name] })
    end
    for _, value in ipairs(c.numbered) do
        local flow = flow_of(c, value.part)
        if value.number then
            keep_value(flow, value)
        else
            flow.second, flow.last = flow.last, value
        end
    end
end

-- ---- the Info column

MOST_INFO = 80 -- about as many bytes

-- "number 5": a field in the Info column; nil for arrays, structs, bytes, rotations and directions, which have more to say.
function info_of(f, record)
    local t, value = f.type, record[f.name]
    local is_short = f.is_field and not f.dims and not t.items and not t.members and not t.is_bytes and t.part_ft ~= ftypes.FLOAT
    if not is_short or value == nil or record["has_" .. f.name] == false then
        return nil
    end
    return f.name .. " " .. cut_text(t.text(t, value))
end

-- Adds the fields that a value has itself, as many as there is room for. A value of a stream has its type before it.
function add_info(c, t, value)
    local is_first = true
    if t.members and type(value) == "table" and value.member then
        t, value = value.member.type, value.value
    end
    for _, f in ipairs(t.items or {}) do
        local text = type(value) == "table" and #c.info < MOST_INFO and info_of(f, value)
        if text then
            local before = t.name .. "." == c.frame_prefix and "" or t.name .. " "
            c.info = c.info .. (is_first and (c.info == "" and ": " or "; ") .. before or ", ") .. text
            is_first = false
        end
    end
end

-- ---- reading

-- Says that a value is not in the capture.
function miss(c, p, what, words, number)
    c.is_plain = false
    local item = has_room(c) and c.tree:add(range(c, c.bit, c.bit), what .. ": " .. int_text(nil, number))
    if item then
        item:add_proto_expert_info(unsure, format("%s: %s, %s, is not in the capture", p.name, words, int_text(nil, number)))
    end
end

function miss_start(c, p)
    c.is_plain = false
    local item = has_room(c) and c.tree:add(range(c, c.bit, c.bit), "start value")
    if item then
        item:add_proto_expert_info(unsure, p.name .. ": its start value is not in the capture")
    end
end

function read_delta(c, p, before, second)
    local t, missing = p.type, nil
    local base, number = find_base(c, p, before)
    c.coding, c.was_of = nil, {}
    if p.last then
        second = p.moves and find_value(c, p, "second")
    end
    if (p.chained or p.last) and t.predicts then
        base = predict_value({ was_of = c.was_of, back = 1, gap = 1 }, t, base, p.moves and second or nil)
    elseif number and not base then
        miss(c, p, "baseline", "its baseline", number)
    elseif p.starts and not base then
        miss_start(c, p)
    elseif number and base and t.predicts then
        base, missing = move_base(c, p, base, number)
    end
    if missing then
        miss(c, p, "before", "what its baseline has moved from", missing)
    end
    local value = read_whole_delta(c, t, base)
    return value, base ~= nil
end

-- Remembers a value for later deltas. nil, for one that is not known, takes the place of an older value of its number.
function remember(c, p, value)
    local number = p.number and sum_of(c, p.number)
    if number then
        table.insert(c.numbered, { part = p, number = number, value = value })
    end
    if p.type.has_last and value ~= nil then
        table.insert(c.numbered, { part = p, value = value })
    end
end

-- A part of a packet: a delta to a baseline that earlier fields of the packet name.
function read_packet_part(c, f, record)
    c.last[f.owner] = record
    open(c, f.field, c.visible and f.name .. ": " .. f.type.name, f.type.field)
    local start, is_start_known = start_value(c, f.part)
    c.starting = f.part.starts and { type = f.type, value = start, is_known = is_start_known }
    local value, is_known = inside(c, f.name, read_delta, f.part)
    c.starting = nil
    close(c)
    if is_known then
        show_whole_field(c, f, value)
    end
    remember(c, f.part, is_known and value or nil)
    return value
end

function read_value(c, p, before, second)
    local t = p.type
    open(c, t.field, t.name)
    c.prefix = t.name .. "."
    local value, is_known = nil, true
    if p.is_delta then
        value, is_known = read_delta(c, p, before, second)
    else
        value = (t.members and read_union or read_struct)(c, t)
    end
    close(c)
    if p.is_delta and is_known then
        show_whole(c, t, value)
    end
    add_info(c, t, value)
    c.last[t.name] = value
    remember(c, p, is_known and value or nil)
    return value
end

function read_part(c, p)
    local left = p.many and math.huge or 1
    local before, second
    if p.count then
        left = sum_of(c, p.count) or 0
    end
    while left > 0 and not (p.many and c.limit - c.bit < 8) do
        local start = c.bit
        before, second = read_value(c, p, before, second), before
        left = left - 1
        if c.bit == start then
            break
        end
    end
end

function read_parts(c, parts)
    for _, p in ipairs(parts) do
        read_part(c, p)
    end
    c.prefix = ""
end

function read_end_check(c, frame)
    local start = c.bit
    local value = take(c, 32, start, "end check")
    if value ~= frame.end_check then
        refuse(c, "check", start, "end check")
    end
    add(c, layout.end_check, start, value, "end check", format("0x%08x", value))
end

-- Only zeros up to the end of the byte may be left.
function read_rest(c)
    local start = c.bit
    if c.limit - start >= 8 then
        refuse(c, "trailing", start, "")
    elseif take(c, c.limit - start, start, "") ~= 0 then
        refuse(c, "padding", start, "")
    end
end

-- Whether a packet names a baseline for one of its parts. A cursor without a tree reads the fields before them.
function names_baseline(c, t)
    local record = {}
    local ahead = { data = c.data, words = c.words, bit = 32, limit = c.limit, prefix = "", sub = "", wanted = {}, items = 0,
                    empty = 0, changed = 0, moved = 0, last = { [t.name] = record } }
    local good, problem = pcall(read_items, ahead, t.head, record)
    if not good and problem ~= NAMELESS then
        error(problem, 0)
    end
    for _, p in ipairs(t.parts) do
        if sum_of(ahead, p.base_number) then
            return true
        end
    end
    return false
end

-- Whether the crc of a packet with parts is wrong although its frame was found: it cannot be right without the baselines
-- that the packet names. If it names none, a known seed is all that the crc depends on.
function is_damaged(c, frame)
    local t = frame.packet
    if not t or not t.parts or not c.is_checked and frame.seed == "" then
        return false
    end
    local names = names_baseline(c, t)
    if c.is_checked then
        return names
    end
    for _, p in ipairs(t.parts) do
        names = names or p.starts -- its start value is in the seed
    end
    return not names
end

-- What is said of a crc that was not compared.
function unchecked_text(frame)
    return frame.packet and frame.packet.parts and "0x%08x (its seed depends on baselines)" or "0x%08x (its seed is not known)"
end

function read_frame(c, frame)
    c.prefix = frame and frame.name .. "." or only_name
    c.frame_prefix = c.prefix
    need(c, 32, 0, "crc")
    if not frame or is_damaged(c, frame) then
        refuse(c, "crc", 0, "crc")
    end
    local crc = take(c, 32, 0, "crc")
    add(c, layout.crc, 0, crc, "crc", format(c.is_checked and "0x%08x" or unchecked_text(frame), crc))
    -- A frame with a seed keeps its last bits for the end check; a packet without one has a body of any size.
    local kept = frame.has_end and frame.seed and 32 or 0
    if c.limit - c.bit < kept then
        refuse(c, "end", c.bit, "end check")
    end
    c.limit = c.limit - kept
    read_parts(c, frame.parts)
    c.start_of = frame.start_of
    c.limit = c.limit + kept
    c.prefix = frame.name .. "."
    if frame.has_end then
        read_end_check(c, frame)
    end
    read_rest(c)
end

function read_bare(c)
    c.prefix = ""
    read_parts(c, bare.parts)
    read_rest(c)
end

-- The numbers in a datagram that cannot be read to its end no longer stand for older values.
function forget_numbers(c, frame)
    c.numbered = {}
    for _, p in ipairs(frame and frame.packet and frame.packet.parts or (frame or bare).parts) do
        remember(c, p, nil)
    end
    keep_values(c)
end

-- ---- the dissector

-- Says at the item that was being read why the dissection ends there.
function report(c, item, problem)
    while c.depth > 0 do
        if c.tree then
            item = c.tree
        end
        close(c)
    end
    local at = math.min(floor(problem.bit / 8), c.tvb:len())
    local place = item:add(c.tvb:range(at, at < c.tvb:len() and 1 or 0), problem.text)
    place:add_proto_expert_info(problem.unknown and unsure or refused, problem.text)
    c.is_plain = false
end

-- Puts a cursor at the start of its datagram.
function rewind(c, tree)
    c.bit, c.limit, c.prefix, c.sub = 0, 8 * #c.data, "", ""
    c.tree, c.depth, c.trees, c.firsts = tree, 0, {}, {}
    c.starting, c.start_of = nil, nil
    c.last, c.numbered, c.empty, c.deltas, c.changed, c.moved, c.info = {}, {}, 0, 0, 0, 0, ""
end

-- Reads a datagram. The result is nil if it is good, else what is wrong.
function read_datagram(c, frame)
    local good, problem
    if frame or not bare then
        good, problem = pcall(read_frame, c, frame)
    else
        good, problem = pcall(read_bare, c)
    end
    if not good and type(problem) ~= "table" then
        error(problem, 0)
    end
    return not good and problem or nil
end

-- `protocol_asked` is the dissector of the protocol, which a filter asks for if it asks for one of its fields

-- Whether somebody sees the tree, or a filter asks for one of its fields.
function is_looked_at(tree)
    protocol_asked = protocol_asked or Dissector.get(proto.name:lower())
    local looked = tree.visible
    for i = 1, not looked and tree:referenced(protocol_asked) and #all_fields or 0 do
        looked = looked or tree:referenced(all_fields[i])
    end
    return looked
end

-- Shows the values of a datagram, if they are looked at. The result is what is wrong with it, or nil, and what the Info column
-- says of its values.
function show_datagram(tvb, pinfo, root, data, words, frame, is_checked, is_looked)
    local packet = pinfo.number + tvb:offset() / 65536
    if pinfo.visited and plain[packet] and not is_looked then
        return nil, plain[packet]
    end
    local visible = root.visible
    local c = { tvb = tvb, pinfo = pinfo, data = data, words = words, packet = packet, visited = pinfo.visited,
                is_checked = is_checked, visible = visible, named = visible, quick = not is_looked, wanted = {}, items = 0,
                is_plain = true }
    rewind(c, root)
    local problem = read_datagram(c, frame)
    if problem == NAMELESS then
        rewind(c, nil)
        c.named, c.quick = true, false
        problem = read_datagram(c, frame)
    end
    if problem then
        report(c, root, problem)
        if problem.unknown then
            forget_numbers(c, frame)
        end
    else
        keep_values(c)
    end
    if c.items > MOST_ITEMS then
        root:add_proto_expert_info(many, format("only the first %.0f items are shown", MOST_ITEMS))
    end
    plain[packet] = c.is_plain and c.info
    return problem, c.info
end

-- Shows a datagram. False if it does not belong to this protocol, unless `is_ours` is set. Protocols, such as the releases of
-- one, can have the same port and the same end checks: its crc tells which one it is, or that of an earlier datagram.
function dissect(tvb, pinfo, tree, is_ours)
    local data = tvb:raw()
    local words = words_of(data)
    local register = register_of(data, words)
    local sessions = sessions_of(pinfo)
    local frame, is_checked = find_frame(data, register, sessions)
    if not frame and not is_ours then
        return false
    end
    if not (frame and is_checked) then
        local other = find_dissector(register, sessions) or find_spoken(pinfo, sessions)
        if other and other ~= dissect and other(tvb, pinfo, tree, false) then
            return true
        end
    elseif not frame.is_stable then
        keep_spoken(pinfo, dissect)
    end
    local name = frame and frame.name or bare and bare.parts[1].type.name or "damaged"
    pinfo.cols.protocol = proto.description
    local is_looked = is_looked_at(tree)
    local root = tree:add(proto, tvb:range(0, tvb:len()))
    if is_looked then
        root:set_text(proto.description .. ", " .. name)
    end
    if tvb:len() < tvb:reported_len() then
        root:add_proto_expert_info(cut, "the capture has only a part of the datagram")
        return true
    end
    if frame and is_looked then
        root:add(layout.type, tvb:range(0, 0), name):set_generated()
    end
    local problem, info = show_datagram(tvb, pinfo, root, data, words, frame, is_checked, is_looked)
    pinfo.cols.info = problem and name .. " [" .. problem.text .. "]" or name .. info
    return true
end

function proto.dissector(tvb, pinfo, tree)
    dissect(tvb, pinfo, tree, true)
    return tvb:len()
end

proto.fields = all_fields

-- ---- where datagrams come from

udp_ports = DissectorTable.get("udp.port")
ports = ""

-- The preference says of which UDP ports all datagrams are of this protocol, even those that are damaged.
function update_ports()
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
function listen(first_ports)
    table.insert(_G.pktc_dissectors, { id = id_bytes, find = frame_by_crc, dissect = dissect })
    proto.prefs.ports = Pref.range("UDP ports", first_ports, "All datagrams of these ports are of this protocol", 65535)
    proto.prefs_changed = update_ports
    update_ports()
    udp_ports:add_for_decode_as(proto)
    if frame_count > 0 then
        proto:register_heuristic("udp", function(tvb, pinfo, tree) return dissect(tvb, pinfo, tree, false) end)
    end
end
