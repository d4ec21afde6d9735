-- schema.lua - builds the types of a schema, line by line, as pktc prints it after this file.
-- SPDX-License-Identifier: MIT

all_fields, names_taken = {}, {}

-- A field of Wireshark. Names that filters use are in lower case; one that is taken already gets a _.
function proto_field(path, name, ft, options)
    path = path:lower()
    while names_taken[path] do
        path = path .. "_"
    end
    names_taken[path] = true
    options = options or {}
    local field = ProtoField.new(name, path, ft, options.strings, options.base or base.NONE, 0, options.about)
    all_fields[#all_fields + 1] = field
    return field, path
end

-- The words of filters. Wireshark ends itself if a protocol has one of them as its name, or one of a single letter.
FILTER_WORDS = {}
for word in ("eq ne gt ge lt le all any all_eq any_eq all_ne any_ne contains matches in bitand bitwise_and and or xor not "
             .. "true false nan inf"):gmatch("%S+") do
    FILTER_WORDS[word] = true
end

MOST_SAME = 1000

-- Wireshark may have a protocol of that name, such as that of another release: "game", "game_pkt", "game_pkt2".
function new_protocol(name, title)
    local is_word = #name == 1 or FILTER_WORDS[name:lower()]
    local is_made, made
    for number = is_word and 1 or 0, MOST_SAME do
        local ending = number == 0 and "" or number == 1 and "_pkt" or "_pkt" .. number
        is_made, made = pcall(Proto.new, name .. ending, title .. ending)
        if is_made then
            return made, name .. ending
        end
    end
    error(made, 0)
end

function start_protocol(name, title)
    local made
    made, name = new_protocol(name, title)
    for _, taken in ipairs({ "refused", "cut" }) do -- results of packets.lua about a datagram
        names_taken[name:lower() .. "." .. taken] = true
    end
    layout = {
        type = proto_field(name .. ".packet-type", "packet", ftypes.STRING),
        crc = proto_field(name .. ".packet-crc", "crc", ftypes.UINT32, { base = base.HEX }),
        end_check = proto_field(name .. ".end-check", "end check", ftypes.UINT32, { base = base.HEX }),
        item = proto_field(name .. ".layout-item", "layout", ftypes.NONE),
        index = proto_field(name .. ".subset-index", "index", ftypes.NONE),
        changes = proto_field(name .. ".change-mask", "changes", ftypes.NONE),
    }
    return made, name:lower()
end

-- ---- the lines of a schema

types = {} -- by their names
-- current, blocks: the targets of new lines: a type, and the blocks that are open in it

function protocol(name, title)
    shared_name = name
    proto, proto_name = start_protocol(name, title)
end

function start_type(t, about)
    t.field, t.path = proto_field(proto_name .. "." .. t.name, t.name, ftypes.NONE, { about = about })
    types[t.name], t.named = t, {}
    current = t
end

function struct(name, about)
    local items = {}
    start_type({ name = name, items = items }, about)
    blocks = { { items = items } }
end

-- The key of the current type, whose values are the elements of lists.
function key(name, t, about)
    local field = proto_field(current.path .. "." .. name, name, t.ft, { base = t.base, strings = t.strings, about = about })
    current.key = { name = name, type = t, raw = t.raw or t, field = field }
end

function union(name, about)
    start_type({ name = name, members = {} }, about)
    local strings = {}
    current.tag_field = proto_field(current.path .. ".tag", "tag", ftypes.UINT32, { base = base.DEC, strings = strings })
    current.tags = strings
end

function member(name, t)
    local field = proto_field(current.path .. "." .. name, name, ftypes.NONE)
    table.insert(current.members, { name = name, type = t, field = field })
    current.holds_after = current.holds_after or t.holds_after
    current.has_initials = current.has_initials or #current.members == 1 and t.has_initials
    current.tags[#current.members - 1] = name
end

function add_item(item)
    table.insert(blocks[#blocks].items, item)
end

-- A field. Of the options, `about` is its description, and the others are as pktc prints them.
function field(name, t, f)
    f.name, f.type, f.read, f.is_field = name, t, read_field, true
    local path
    f.field, path = proto_field(current.path .. "." .. name, name, t.ft or ftypes.NONE,
                                { base = t.base, strings = t.strings, about = f.about })
    if t.parts then
        f.part_fields = {}
        for i, part in ipairs(t.parts) do
            f.part_fields[i] = proto_field(path .. "." .. part, part, t.part_ft)
        end
    end
    if f.optional then
        f.has_field = proto_field(current.path .. ".has_" .. name, "has_" .. name, ftypes.BOOLEAN)
    end
    if f.count_low then
        f.count_field = proto_field(current.path .. "." .. name .. "_count", name .. "_count", ftypes.UINT32,
                                    { base = base.DEC })
        f.count_bits = digits_of(f.dims[1] - f.count_low)
    end
    if t.is_bytes then
        f.size_field = proto_field(current.path .. "." .. name .. "_size", name .. "_size", ftypes.UINT32,
                                   { base = base.DEC })
    end
    if f.unless ~= nil then
        f.blank = f.unless
    elseif f.blank == nil then
        f.blank = t.zero
    end
    f.has_initial = f.initial ~= nil or not f.optional and not (f.dims and t.key) and t.has_initials
    current.has_initials = current.has_initials or f.has_initial
    if f.part then
        add_part(f)
    end
    current.named[name] = f
    current.holds_after = current.holds_after or f.after or t.holds_after
    add_item(f)
end

-- The own speed of a number: the field of that name. `rest` is the code of the speed 0; for each step more or less, the number moves
-- by factor / 2^shift steps in a tick. condition: nil, or the number rests if it is not true of the baseline.
function by(name, rest, factor, shift, condition)
    return { name = name, fields = current.named, rest = rest, factor = factor, shift = shift, condition = condition }
end

-- A value of a stream, or a part of a packet. Of the options, `many` says that there are as many as there are, and `count`, a
-- sum, how many. A delta is `chained` to the value before it, or `number`, `base_number` and `before_number` are sums: what
-- later deltas call this value, the number of its baseline, and of the value that this has moved from; or the baseline is
-- the `last` value of an earlier datagram. One that is chained or the last may have moved from the one before: `moves`. Of
-- other deltas the baseline is not known. `place` counts the parts of a packet that have the same type.
function part(t, options)
    options.type, options.name, options.place = t, t.name, 0
    t.has_last = t.has_last or options.last
    return options
end

-- A number that the values of a stream, or the fields of a packet have, of so many bits. A term is { sign, number } or
-- { sign, type, path }, and `true` for how many bits of a field are set.
function sum(bits, terms)
    terms.bits = bits
    return terms
end

-- A field of a packet is a part. The fields before its first part are the `head`, which names the baselines.
function add_part(f)
    local t = current
    if not t.parts then
        t.parts, t.head = {}, { table.unpack(t.items) }
    end
    for _, other in ipairs(t.parts) do
        f.part.place = f.part.place + (other.type == f.type and 1 or 0)
    end
    f.owner, f.part.name = t.name, t.name .. "." .. f.name
    table.insert(t.parts, f.part)
end

-- Of a type: deltas of it have a form bit, and maybe their baseline goes on as it has moved.
function coded(predicts)
    current.holds_coded, current.predicts = true, predicts
end

-- The code tables of the mask of a block.
function masks(...)
    blocks[#blocks].items.masks = { ... }
end

-- The frequent values of the mask of a block, which has one table.
function mask_values(...)
    blocks[#blocks].items.mask_values = { ... }
end

-- The same of the mask in new elements of lists, if it has its own codes there.
function new_masks(...)
    blocks[#blocks].items.new_masks = { ... }
end

function new_mask_values(...)
    blocks[#blocks].items.new_mask_values = { ... }
end

function align()
    add_item({ read = read_align })
end

-- const, reserved and check: bits of a known value.
function constant(name, bits, high, low)
    add_item({ read = read_constant, name = name, bits = bits, high = high, low = low })
end

-- when, arm and otherwise begin a block, which ends at the next of them or at `done`. An arm is for some values.
function choose(subject)
    local item = { read = read_choice, subject = subject, blocks = {}, is_choice = true }
    add_item(item)
    table.insert(blocks, { choice = item })
end

function arm(values)
    local items = {}
    for _, value in ipairs(values) do
        blocks[#blocks].choice.blocks[key_of(value)] = items
    end
    blocks[#blocks].items = items
end

function when(condition)
    choose(condition)
    local items = {}
    blocks[#blocks].choice.blocks["true"] = items
    blocks[#blocks].items = items
end

function otherwise()
    local items = {}
    blocks[#blocks].choice.otherwise = items
    blocks[#blocks].items = items
end

function done()
    table.remove(blocks)
end
