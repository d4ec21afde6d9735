-- bits.lua - the start of every dissector: the bits of a datagram, refusals, and checksums.
-- SPDX-License-Identifier: MIT
--
-- The Lua of Wireshark is 5.2 in some versions and 5.4 in others. So there are no operators for bits here and no integers,
-- and whole() prints whole numbers. Numbers up to 2^52 are Lua numbers; types and expressions that can go beyond are
-- Wireshark's UInt64 and Int64.

-- Lua has at most 200 local variables. Functions that are not called for each bit are global, in an environment of this
-- file's own.
local _ENV = setmetatable({}, { __index = _G })

local floor, ceil, byte, format, ipairs, type = math.floor, math.ceil, string.byte, string.format, ipairs, type

local POWER = {} -- POWER[n] is 2^n
for n = 0, 64 do
    POWER[n] = 2 ^ n
end

-- Not every Lua takes more than 31 bits for %d, which is faster.
local function whole(number)
    return format(number < 2147483648 and number > -2147483648 and "%d" or "%.0f", number)
end

local frexp = math.frexp -- not every Lua has it

-- How many binary digits a number has: 8 for 255.
local function digits_of(number)
    if frexp then
        local _, digits = frexp(number)
        return digits > 0 and digits or 0
    end
    local digits = 0
    while number >= 1 do
        number = floor(number / 2)
        digits = digits + 1
    end
    return digits
end

-- ---- the cursor: a position in a datagram, and in the tree that is shown
--
-- data     the bytes
-- words    the same, 32 bits each
-- bit      the position
-- limit    the end, in bits
-- named    whether names are made; only who sees the tree, or a refusal, needs them
-- prefix   the names of the values that contain the current one: "Snapshot.players[3]."
-- sub      the subscripts of the current element: "[3]"
-- tvb      the same bytes, for Wireshark
-- tree     the item that new items are added to; nil if there are too many
-- depth    how many items are open; `trees` are those around them, `firsts` where they begin
-- visible  whether somebody sees the tree; if not, items are only for filters: without texts, all in the outermost one
-- wanted   then: which fields filters ask for
-- items    how many there are
-- quick    whether only values are asked for: no items, names or texts
-- changed  of deltas, how many fields and elements have changed so far
-- moved    how many elements lists had that got other keys

local ZEROS = { __index = function() return 0 end }

-- The bytes as numbers of 32 bits, with zeros after them.
local function words_of(data)
    local words, count = setmetatable({}, ZEROS), 0
    for at = 1, #data + 4, 8 do
        local a, b, d, e, f, g, h, i = byte(data, at, at + 7)
        words[count + 1] = (a or 0) + (b or 0) * 256 + (d or 0) * 65536 + (e or 0) * 16777216
        words[count + 2] = (f or 0) + (g or 0) * 256 + (h or 0) * 65536 + (i or 0) * 16777216
        count = count + 2
    end
    return words
end

local REASONS = {
    ["end"] = "data ends too early",
    range = "value out of range",
    order = "values do not rise",
    padding = "padding is not zero",
    utf8 = "text is not valid UTF-8",
    check = "constant differs",
    canonical = "not the encoding a writer would choose",
    trailing = "bytes left over",
    crc = "damaged, or of another protocol, seed or baseline",
}

-- The name of an item of the current value; of the value itself if it is "".
local function full_name(c, name)
    if name == "" then
        return (c.prefix:gsub("%.$", ""))
    end
    return c.prefix .. name .. c.sub
end

local NAMELESS = {} -- the dissection has ended, and is to be repeated with names

-- Ends the dissection, for a reason about an item of the current value.
local function give_up(c, problem)
    error(c.named and problem or NAMELESS, 0)
end

-- Ends the dissection: the datagram is refused.
local function refuse(c, reason, bit, name)
    local field = full_name(c, name)
    local text = format("%s at bit %s (%s)", REASONS[reason], whole(bit), reason)
    give_up(c, { reason = reason, bit = bit, text = field == "" and text or field .. ": " .. text })
end

-- Refuses the item that began at `start` if the data ends before `count` more bits.
local function need(c, count, start, name)
    if count > c.limit - c.bit then
        refuse(c, "end", start, name)
    end
end

-- Takes up to 32 bits that are there.
local function take_few(c, count)
    local bit, words = c.bit, c.words
    local skip = bit % 32
    local at, last = (bit - skip) / 32 + 1, skip + count
    c.bit = bit + count
    local word, below = words[at], POWER[skip]
    if last <= 32 then
        word = word % POWER[last]
        return (word - word % below) / below
    end
    return (word - word % below) / below + words[at + 1] % POWER[last - 32] * POWER[32 - skip]
end

-- The next 32 bits, which need not be there: after the end there are zeros.
local function peek(c)
    local bit, words = c.bit, c.words
    local skip = bit % 32
    local at, below = (bit - skip) / 32 + 1, POWER[skip]
    local word = words[at]
    return (word - word % below) / below + words[at + 1] % below * (4294967296 / below)
end

-- Takes up to 52 bits of the item that began at `start`.
local function take(c, count, start, name)
    if count > c.limit - c.bit then
        refuse(c, "end", start, name)
    elseif count <= 32 then
        return take_few(c, count)
    end
    local low = take_few(c, 32)
    return low + take_few(c, count - 32) * 4294967296
end

-- Takes a bit of the item that began at `start`: whether it is set.
local function take_bit(c, start, name)
    local bit = c.bit
    if bit >= c.limit then
        refuse(c, "end", start, name)
    end
    local skip = bit % 32
    c.bit = bit + 1
    return c.words[(bit - skip) / 32 + 1] / POWER[skip] % 2 >= 1
end

-- Takes up to 64 bits: the upper and the lower 32.
local function take_halves(c, count, start, name)
    need(c, count, start, name)
    local low = take_few(c, count < 32 and count or 32)
    return count > 32 and take_few(c, count - 32) or 0, low
end

-- Takes a number of the item that began at `start`, which is refused above `most`.
local function take_up_to(c, most, count, start, name)
    local number = take(c, count, start, name)
    if number > most then
        refuse(c, "range", start, name)
    end
    return number
end

-- Skips to a whole byte; the bits in between have to be zeros.
local function take_padding(c, name)
    local start = c.bit
    if take(c, -start % 8, start, name) ~= 0 then
        refuse(c, "padding", start, name)
    end
end

-- ---- CRC-32

local bxor = bit32 and bit32.bxor or function(...)
    return bit.bxor(...) % 4294967296
end

local CRC = {} -- the register after a byte, from a register of 0
for i = 0, 255 do
    local register = i
    for _ = 1, 8 do
        local low = register % 2
        register = (register - low) / 2
        if low == 1 then
            register = bxor(register, 0xEDB88320)
        end
    end
    CRC[i] = register
end

local LAST_OF = {} -- by the upper 8 bits of CRC[i]: i. They differ for all i.
for i = 0, 255 do
    LAST_OF[floor(CRC[i] / 16777216)] = i
end

-- The register after more bytes.
local function crc_forward(register, bytes)
    for i = 1, #bytes do
        register = bxor(CRC[bxor(register % 256, byte(bytes, i))], floor(register / 256))
    end
    return register
end

local function byte_back(register, before)
    local index = LAST_OF[floor(register / 16777216)]
    return (bxor(register, CRC[index]) % 16777216) * 256 + bxor(index, before)
end

local BACK = { {}, {}, {}, {} } -- the register four zero bytes ago, by each of its bytes
for i, list in ipairs(BACK) do
    for value = 0, 255 do
        local register = value * POWER[8 * (i - 1)]
        for _ = 1, 4 do
            register = byte_back(register, 0)
        end
        list[value] = register
    end
end

-- The register before all bytes but the first four. A datagram is recognized by it: it is the register after what the
-- checksum covers without sending it, which is the protocol id and the name of the packet. So one pass over the bytes
-- is enough for any number of packets.
local function crc_backward(register, bytes, words)
    local last = #bytes - #bytes % 4
    for i = #bytes, last + 1, -1 do
        register = byte_back(register, byte(bytes, i))
    end
    local first, second, third, fourth = BACK[1], BACK[2], BACK[3], BACK[4]
    for i = last / 4, 2, -1 do
        local a = register % 256
        local b = (register % 65536 - a) / 256
        local d = (register % 16777216 - register % 65536) / 65536
        local e = (register - register % 16777216) / 16777216
        register = bxor(first[a], second[b], third[d], fourth[e], words[i])
    end
    return register
end

local function crc_of(text)
    return 4294967295 - crc_forward(4294967295, text)
end

-- ---- what Wireshark shows

local layout -- fields of Wireshark for items without a name in a schema; schema.lua makes them

local MOST_ITEMS = 100000 -- of one datagram. Wireshark gives up after a million.

-- The bytes from one bit to another. Neighbours often share one.
local function range(c, from, to)
    local first, last = (from - from % 8) / 8, (to + -to % 8) / 8
    if first ~= c.first or last ~= c.last_byte then
        c.first, c.last_byte, c.range = first, last, c.tvb:range(first, last - first)
    end
    return c.range
end

-- Whether an item of this field is of use. Without a field it is a text.
local function is_wanted(c, field)
    if c.visible or c.quick or not field then
        return c.visible
    end
    local wanted = c.wanted[field]
    if wanted == nil then
        wanted = c.tree ~= nil and c.tree:referenced(field)
        c.wanted[field] = wanted
    end
    return wanted
end

local function has_room(c)
    c.items = c.items + 1
    return c.tree and c.items <= MOST_ITEMS
end

-- " [bits 32-47]"
local function bits_text(from, to)
    if from == to then
        return ""
    elseif to - from == 1 then
        return format(" [bit %d]", from)
    end
    return format(" [bits %d-%d]", from, to - 1)
end

-- A text that fits in a line of Wireshark, which cuts longer ones.
local function cut_text(text)
    local most = 150
    if #text <= most then
        return text
    end
    while byte(text, most + 1) >= 0x80 and byte(text, most + 1) < 0xC0 do
        most = most - 1
    end
    return text:sub(1, most) .. "..."
end

-- Adds an item of a field that is wanted and has room. A filter compares `value`, which may be nil; people see the
-- label.
local function put_item(c, field, here, value, label)
    if value == nil then
        local item = c.tree:add(field, here)
        if label then
            item:set_text(label)
        end
        return item
    elseif label then
        return c.tree:add(field, here, value, label)
    end
    return c.tree:add(field, here, value)
end

local function label_of(c, start, name, text)
    return name .. c.sub .. ": " .. cut_text(text) .. bits_text(start, c.bit)
end

-- Adds an item without others inside, which began at `start` and ends here. The text is for people who see the tree.
local function add(c, field, start, value, name, text)
    if is_wanted(c, field) and has_room(c) then
        put_item(c, field, range(c, start, c.bit), value, c.visible and label_of(c, start, name, text))
    end
end

-- Adds an item for a filter that asks for a field.
function mark(c, field)
    if is_wanted(c, field) and has_room(c) then
        c.tree:add(field, range(c, c.bit, c.bit))
    end
end

-- Adds an item that the following ones are inside of, until `close`. Without a field it is only a text. A filter finds it by
-- `also` too, which is the field of its type.
local function open(c, field, label, also)
    if c.quick then
        return
    elseif not c.visible then
        mark(c, field)
        mark(c, also)
        return
    end
    local depth = c.depth + 1
    c.depth, c.trees[depth], c.firsts[depth] = depth, c.tree, floor(c.bit / 8)
    if has_room(c) then
        local here = range(c, c.bit, c.bit)
        c.tree = field and c.tree:add(field, here) or c.tree:add(here, label)
        c.tree:set_text(label)
        if also then
            c.tree:add(also, here):set_hidden()
        end
    else
        c.tree = nil
    end
end

local function close(c)
    if not c.visible then
        return
    end
    local depth = c.depth
    if c.tree then
        c.tree:set_len(ceil(c.bit / 8) - c.firsts[depth])
    end
    c.tree, c.trees[depth] = c.trees[depth], nil
    c.depth = depth - 1
end
