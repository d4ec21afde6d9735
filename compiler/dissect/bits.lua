-- bits.lua - what every dissector begins with: the bits of a datagram, refusals, and checksums.
-- SPDX-License-Identifier: MIT
--
-- The Lua of Wireshark is 5.2 in some versions and 5.4 in others. So there are no operators for bits here and no integers,
-- and whole numbers are printed with "%.0f". Numbers up to 2^52 are Lua numbers; types and expressions that can go beyond
-- are Wireshark's UInt64 and Int64.

-- Lua has at most 200 local variables. What is not called for each bit is global, in an environment of this file's own.
local _ENV = setmetatable({}, { __index = _G })

local floor, ceil, byte, format = math.floor, math.ceil, string.byte, string.format

local POWER = {} -- POWER[n] is 2^n
for n = 0, 64 do
    POWER[n] = 2 ^ n
end

local function whole(number)
    return format("%.0f", number)
end

-- How many binary digits a number has: 8 for 255.
local function digits_of(number)
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
-- bit      the position
-- limit    the end, in bits
-- prefix   the names of the values that contain the current one: "Snapshot.players[3]."
-- sub      the subscripts of the current element: "[3]"
-- tvb      the same bytes, for Wireshark
-- tree     the item that new items are added to; nil if there are too many
-- opened   the items around it
-- visible  whether somebody sees the tree, so that its texts matter
-- items    how many there are

local REASONS = {
    ["end"] = "data ends too early",
    range = "value out of range",
    order = "values do not rise",
    padding = "padding is not zero",
    utf8 = "text is not valid UTF-8",
    check = "constant differs",
    canonical = "not the encoding a writer would choose",
    trailing = "bytes left over",
    crc = "damaged, or of another protocol",
}

-- The name of an item of the current value; of the value itself if it is "".
local function full_name(c, name)
    if name == "" then
        return (c.prefix:gsub("%.$", ""))
    end
    return c.prefix .. name .. c.sub
end

-- Ends the dissection: the datagram is refused.
local function refuse(c, reason, bit, name)
    local field = full_name(c, name)
    local text = format("%s at bit %s (%s)", REASONS[reason], whole(bit), reason)
    error({ reason = reason, bit = bit, text = field == "" and text or field .. ": " .. text }, 0)
end

-- Refuses the item that began at `start` if the data ends before `count` more bits.
local function need(c, count, start, name)
    if count > c.limit - c.bit then
        refuse(c, "end", start, name)
    end
end

-- Takes up to 32 bits that are there.
local function take_few(c, count)
    local bit = c.bit
    local skip = bit % 8
    local at = floor(bit / 8) + 1
    c.bit = bit + count
    if skip + count <= 8 then
        return count == 0 and 0 or floor(byte(c.data, at) / POWER[skip]) % POWER[count]
    end
    local a, b, d, e, f = byte(c.data, at, at + ceil((skip + count) / 8) - 1)
    local word = a + b * 256 + (d or 0) * 65536 + (e or 0) * 16777216 + (f or 0) * 4294967296
    return floor(word / POWER[skip]) % POWER[count]
end

-- Takes up to 52 bits of the item that began at `start`.
local function take(c, count, start, name)
    need(c, count, start, name)
    if count <= 32 then
        return take_few(c, count)
    end
    local low = take_few(c, 32)
    return low + take_few(c, count - 32) * 4294967296
end

-- Takes up to 64 bits: the upper and the lower 32.
local function take_halves(c, count, start, name)
    need(c, count, start, name)
    local low = take_few(c, count < 32 and count or 32)
    return count > 32 and take_few(c, count - 32) or 0, low
end

-- Skips to a whole byte; the bits in between have to be zeros.
local function take_padding(c, name)
    local start = c.bit
    if take(c, -start % 8, start, name) ~= 0 then
        refuse(c, "padding", start, name)
    end
end

-- ---- CRC-32

local bxor = bit32 and bit32.bxor or function(a, b)
    return bit.bxor(a, b) % 4294967296
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

-- The register before the bytes from `first` on. A datagram is recognized by it: it is the register after what the
-- checksum covers without sending it, which is the protocol id and the name of the packet. So one pass over the bytes is
-- enough for any number of packets.
local function crc_backward(register, bytes, first)
    for i = #bytes, first, -1 do
        local index = LAST_OF[floor(register / 16777216)]
        register = (bxor(register, CRC[index]) % 16777216) * 256 + bxor(index, byte(bytes, i))
    end
    return register
end

local function crc_of(text)
    return 4294967295 - crc_forward(4294967295, text)
end

-- ---- what Wireshark shows

local layout -- fields of Wireshark for what has no name in a schema; schema.lua makes them

local MOST_ITEMS = 100000 -- of one datagram. Wireshark gives up after a million.

-- The bytes from one bit to another.
local function range(c, from, to)
    local first = floor(from / 8)
    return c.tvb:range(first, ceil(to / 8) - first)
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
        return format(" [bit %.0f]", from)
    end
    return format(" [bits %.0f-%.0f]", from, to - 1)
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

-- Adds an item without others inside, which began at `start` and ends here. `value` is what a filter compares.
local function add(c, field, start, value, name, text)
    if not has_room(c) then
        return nil
    end
    local item
    if value == nil then
        item = c.tree:add(field, range(c, start, c.bit))
    else
        item = c.tree:add(field, range(c, start, c.bit), value)
    end
    if c.visible then
        item:set_text(name .. c.sub .. ": " .. cut_text(text) .. bits_text(start, c.bit))
    end
    return item
end

-- Adds an item that the following ones are inside of, until `close`. Without a field it is only a text.
local function open(c, field, label)
    c.opened[#c.opened + 1] = { tree = c.tree, first = floor(c.bit / 8) }
    if has_room(c) then
        local here = range(c, c.bit, c.bit)
        c.tree = field and c.tree:add(field, here) or c.tree:add(here, label)
        c.tree:set_text(label)
    else
        c.tree = nil
    end
end

local function close(c)
    local outer = table.remove(c.opened)
    if c.tree then
        c.tree:set_len(ceil(c.bit / 8) - outer.first)
    end
    c.tree = outer.tree
end
