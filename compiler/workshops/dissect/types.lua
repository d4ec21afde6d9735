-- types.lua - scalars, text and bytes: how each type is read, and how its values are shown.
-- SPDX-License-Identifier: MIT
--
-- A type has
--     read(c, t, start, name)    reads a value whose item begins at start, or refuses it. A NaN is a text, with its bits.
--     text(t, value)             the value as a person reads it
--     filter(t, value, text)     the value as a filter compares it; without this function, as it is. The text may be nil
--     zero                       the base value, unless a field has another
--     ft, base, strings          the kind of its field in Wireshark

-- ---- 64 bits

local function u64(high, low)
    return UInt64.new(low, high)
end

local function s64(high, low)
    return Int64.new(low, high)
end

-- Numbers and 64-bit values as keys of a table.
local function key_of(value)
    if type(value) == "number" then
        return value
    end
    return value == true and "true" or value == false and "false" or tostring(value)
end

local function number_of(value)
    return type(value) == "number" and value or value:tonumber()
end

-- The upper and the lower 32 bits; higher() and lower() of an Int64 below 0 give others.
local function halves_of(value)
    if type(value) == "number" then
        return floor(value / 4294967296) % 4294967296, value % 4294967296
    end
    local low, high = Struct.unpack("<I4I4", value:encode(true))
    return high, low
end

local function to_u64(value)
    return u64(halves_of(value))
end

local function to_s64(value)
    return s64(halves_of(value))
end

-- ---- integers

local function int_text(_, value)
    return type(value) == "number" and whole(value) or tostring(value)
end

local function kind_of_int(t, low, most)
    t.least, t.greatest, t.zero = low, most, 0
    if low < 0 then
        t.ft = low >= -2147483648 and most <= 2147483647 and ftypes.INT32 or ftypes.INT64
    else
        t.ft = most <= 4294967295 and ftypes.UINT32 or ftypes.UINT64
    end
    if t.ft == ftypes.INT64 then
        t.filter = function(_, value) return to_s64(value) end
    elseif t.ft == ftypes.UINT64 then
        t.filter = function(_, value) return to_u64(value) end
    end
    t.base = base.DEC
    return t
end

local function read_int(c, t, start, name)
    return take_up_to(c, t.most, t.bits, start, name) + t.low
end

-- The code is value - low, and at most `most`.
local function int(bits, low, most)
    return kind_of_int({ bits = bits, low = low, most = most, read = read_int, text = int_text }, low, low + most)
end

local function read_signed(c, t, start, name)
    local code = take(c, t.bits, start, name)
    return code >= POWER[t.bits - 1] and code - POWER[t.bits] or code
end

local function signed(bits)
    local t = { bits = bits, read = read_signed, text = int_text }
    return kind_of_int(t, -POWER[bits - 1], POWER[bits - 1] - 1)
end

local function read_wide(c, t, start, name)
    local high, low = take_halves(c, t.bits, start, name)
    if u64(high, low) > t.most then
        refuse(c, "range", start, name)
    end
    low = low + t.low
    high = high + t.high + floor(low / 4294967296)
    return t.make(high % 4294967296, low % 4294967296)
end

-- An integer that may be beyond 2^52: `high` and `low` are the halves of what is added to the code, as 64 bits that wrap.
local function wide(bits, is_signed, high, low, most)
    return {
        is_wide = true,
        zero = is_signed and s64(0, 0) or u64(0, 0),
        bits = bits,
        high = high,
        low = low,
        most = most,
        make = is_signed and s64 or u64,
        read = read_wide,
        text = int_text,
        ft = is_signed and ftypes.INT64 or ftypes.UINT64,
        base = base.DEC,
    }
end

local function ref(bits, most)
    local t = int(bits, 0, most)
    t.text = function(_, value) return value == 0 and "null" or whole(value) end
    return t
end

-- Whatever a fixed is stored in: its raw integer, which conditions ask for. It is shown with its fraction.
local function fixed(raw, fraction)
    local t = {}
    for name, value in pairs(raw) do
        t[name] = value
    end
    t.filter = function(_, value) return number_of(value) / POWER[fraction] end
    t.text = function(_, value)
        local real = number_of(value) / POWER[fraction]
        return format("%s (raw %s)", (format("%.15g", real):gsub(",", ".")), int_text(nil, value))
    end
    t.ft, t.base = ftypes.DOUBLE, nil
    return t
end

local function read_compact(c, t, start, name)
    local left, zero = t.bytes, true
    while left > 1 and zero do
        zero = take_bit(c, start, name)
        left = left - (zero and 1 or 0)
    end
    local high, low, least = 0, 0, 0
    if not zero then
        high, low = take_halves(c, 8 * left, start, name)
        least = POWER[8 * left - 8]
    else
        local small = take_bit(c, start, name)
        low = take(c, small and 4 or 8, start, name)
        least = small and 0 or 16
    end
    if high * 4294967296 + low < least then
        refuse(c, "canonical", start, name)
    end
    return t.bytes == 8 and u64(high, low) or low
end

local function compact(bytes)
    local is_wide = bytes == 8
    local most = is_wide and u64(0xffffffff, 0xffffffff) or POWER[8 * bytes] - 1
    return { bytes = bytes, is_wide = is_wide, most = most, least = 0, greatest = most, read = read_compact,
             text = int_text, zero = is_wide and u64(0, 0) or 0, make = u64, high = 0, low = 0,
             ft = is_wide and ftypes.UINT64 or ftypes.UINT32, base = base.DEC }
end

-- ---- bool, enums and flags

local function read_bool(c, _, start, name)
    return take_bit(c, start, name)
end

local function bool_text(_, value)
    return value and "true" or "false"
end

local bool = { read = read_bool, text = bool_text, zero = false, ft = ftypes.BOOLEAN }

local function read_enum(c, t, start, name)
    local value = t.raw.read(c, t.raw, start, name)
    if not t.open and not t.names[key_of(value)] then
        refuse(c, "range", start, name)
    end
    return value
end

local function enum_text(t, value)
    local name = t.names[key_of(value)]
    return name and format("%s (%s)", name, int_text(nil, value)) or int_text(nil, value)
end

-- `raw` is the integer that is sent. An open enum may have values without a name. The names are by value, as a text where
-- the integer is wide.
local function enum(raw, open_, names)
    local t = { raw = raw, open = open_, names = names, read = read_enum, text = enum_text, ft = raw.ft, base = base.DEC,
                filter = raw.filter, zero = raw.zero }
    if raw.ft == ftypes.UINT32 then
        t.strings = names
    end
    return t
end

local function is_set(value, at)
    if type(value) == "number" then
        return floor(value / POWER[at]) % 2 == 1
    end
    local high, low = halves_of(value)
    return floor((at < 32 and low or high) / POWER[at % 32]) % 2 == 1
end

local function flags_text(t, value)
    local set = {}
    for i, name in ipairs(t.names) do
        if is_set(value, i - 1) then
            set[#set + 1] = name
        end
    end
    local high, low = halves_of(value)
    local hex = high > 0 and format("%x%08x", high, low) or format("%x", low)
    return format("%s (0x%s)", #set > 0 and table.concat(set, ", ") or "none", hex)
end

function read_flags(c, t, start, name)
    return t.raw.read(c, t.raw, start, name)
end

-- `parts` are fields of their own below it, one for each name.
local function flags(raw, names)
    return { raw = raw, names = names, parts = names, part_ft = ftypes.BOOLEAN, ft = raw.ft, base = base.HEX,
             filter = raw.filter, zero = raw.zero, text = flags_text, read = read_flags }
end

-- ---- real numbers

local huge = math.huge

local ROUNDERS = {} -- by exponent. Added to a number and taken away again, one leaves the 24 digits that a float has.
for exponent = -125, 128 do
    ROUNDERS[exponent] = 1.5 * 2 ^ (exponent + 28)
end

-- Rounded to float. A sum, difference, product, quotient or root of floats that was computed in double, and is then
-- rounded by this, is the same as if it had been computed in float.
local f32 = frexp and function(number)
    local _, exponent = frexp(number)
    local rounder = ROUNDERS[exponent < -125 and -125 or exponent]
    if not rounder then
        return number > 0 and huge or -huge
    end
    local rounded = number + rounder - rounder
    if rounded == 0 then
        return number * 0 -- with its sign
    end
    return rounded > 0x1.fffffep127 and huge or rounded < -0x1.fffffep127 and -huge or rounded
end or function(number)
    return (Struct.unpack("<f", Struct.pack("<f", number)))
end

local function f64(number)
    return number
end

-- Keeps results in a list, up to a number of them: most values come again and again.
local MOST_KNOWN = 8192

local function new_list()
    return { count = 0, results = {} }
end

local function know(list, key, result)
    list.count = list.count + 1
    if list.count > MOST_KNOWN then
        list.count = 0
        for known in pairs(list.results) do
            list.results[known] = nil
        end
    end
    list.results[key] = result
    return result
end

-- The fewest digits that read back as the same number. Numbers that need at most 6, or 15, have them in %.6g.
local function real_text(t, value)
    if type(value) == "string" then
        return format("NaN (%s)", value)
    elseif value - value ~= 0 then
        return value > 0 and "inf" or "-inf"
    end
    local text = value ~= 0 and t.texts.results[value] -- 0 and -0 are one key
    if text then
        return text
    end
    for digits = t.digits, t.digits + 3 do
        text = format("%." .. digits .. "g", value)
        if t.round(tonumber(text)) == value then
            break
        end
    end
    return know(t.texts, value, (text:gsub(",", ".")))
end

function float_of(bits)
    local value = Struct.unpack("<f", Struct.pack("<I4", bits))
    return value == value and value or format("0x%08x", bits)
end

function double_of(high, low)
    local value = Struct.unpack("<d", Struct.pack("<I4I4", low, high))
    return value == value and value or format("0x%08x%08x", high, low)
end

function half_of(code)
    local sign = code >= 32768 and -1 or 1
    local exponent, fraction = floor(code / 1024) % 32, code % 1024
    if exponent == 31 and fraction > 0 then
        return format("0x%x%06x", sign < 0 and 0xff or 0x7f, 0x800000 + fraction * 8192)
    elseif exponent == 31 then
        return sign / 0
    elseif exponent == 0 then
        return sign * (fraction / 16777216)
    end
    return sign * (1024 + fraction) * 2 ^ (exponent - 25)
end

function bits_of_float(value)
    return type(value) == "string" and tonumber(value) or (Struct.unpack("<I4", Struct.pack("<f", value)))
end

function halves_of_double(value)
    if type(value) == "string" then
        return tonumber(value:sub(3, 10), 16), tonumber(value:sub(11), 16)
    end
    local low, high = Struct.unpack("<I4I4", Struct.pack("<d", value))
    return high, low
end

function bits_of_half(value)
    local bits = bits_of_float(value)
    local sign, magnitude = floor(bits / 0x80000000) * 32768, bits % 0x80000000
    if magnitude >= 0x47800000 then -- beyond all numbers: 0x7c00 is infinity
        return sign + 0x7c00 + floor(magnitude % 0x800000 / 8192)
    elseif magnitude >= 0x38800000 then
        return sign + floor((magnitude - 0x38000000) / 8192)
    end
    return sign + math.abs(value) * 16777216
end

local function read_float(c, _, start, name)
    return float_of(take(c, 32, start, name))
end

local function read_double(c, _, start, name)
    return double_of(take_halves(c, 64, start, name))
end

local function read_half(c, _, start, name)
    return half_of(take(c, 16, start, name))
end

-- The place of a real in the order of all, from its bits, and the inverse. The bits of a double are two halves.
function in_order(bits, sign)
    return bits < sign and bits + sign or 2 * sign - 1 - bits
end

function from_order(place, sign)
    return place >= sign and place - sign or 2 * sign - 1 - place
end

function ordered_double(value)
    local high, low = halves_of_double(value)
    return u64(in_order(high, 0x80000000), high < 0x80000000 and low or 0xffffffff - low)
end

function double_in_order(place)
    local high, low = halves_of(place)
    return double_of(from_order(high, 0x80000000), high >= 0x80000000 and low or 0xffffffff - low)
end

local function real_filter(_, value)
    return type(value) == "string" and 0 / 0 or value
end

local function real(bits, ft, read, round, digits)
    return { bits = bits, read = read, text = real_text, filter = real_filter, zero = 0, ft = ft, round = round, digits = digits,
             texts = new_list() }
end

-- A real of at most 32 bits, `fraction` of them behind the highest: code_of and value_of are between a value and its place in
-- the order. A prediction goes to fewer places than a fraction has.
function narrow_real(bits, fraction, read, bits_of, value_of_bits)
    local t, sign = real(bits, ftypes.FLOAT, read, f32, 6), POWER[bits - 1]
    t.top, t.farthest = 2 * sign - 1, POWER[fraction] - 1
    t.code_of = function(value) return in_order(bits_of(value), sign) end
    t.value_of = function(place) return value_of_bits(from_order(place, sign)) end
    return t
end

local float = narrow_real(32, 23, read_float, bits_of_float, float_of)
local half = narrow_real(16, 10, read_half, bits_of_half, half_of)
local double = real(64, ftypes.DOUBLE, read_double, f64, 15)
double.is_wide, double.top, double.code_of, double.value_of = true, u64(0xffffffff, 0xffffffff), ordered_double, double_in_order

-- ---- quantized numbers

local function quantized_value(t, code)
    local value = t.values.results[code]
    if value then
        return value
    end
    local round = t.round
    return know(t.values, code, math.min(round(round(round(code / t.steps) * t.delta) + t.low), t.high))
end

local function read_quantized(c, t, start, name)
    return quantized_value(t, take_up_to(c, t.top, t.bits, start, name))
end

-- A value with `decimals` digits after the point; Lua prints up to 99.
function decimal_text(decimals, value)
    if decimals > 99 then
        return format("%.17g", value)
    end
    return (format("%." .. decimals .. "f", value):gsub("([.,]%d-)0+$", "%1"):gsub("[.,]$", ""))
end

-- How many digits after the point a number has, or nil if those that count are more than 14.
function decimals_of(number)
    local leading = math.max(0, floor(-math.log(number) / math.log(10)))
    for decimals = 0, leading + 14 do
        if tonumber(decimal_text(decimals, number)) == number then
            return decimals
        end
    end
end

-- With as many digits as the steps have, 25.28125 for steps of 1/32; if those do not end, with one more than it takes to tell
-- the steps apart: 12.34 instead of 12.339966.
local function quantized_text(t, value)
    local text = value ~= 0 and t.texts.results[value] -- 0 and -0 are one key
    if text then
        return text
    end
    text = format("%.6g", value)
    if t.round(tonumber(text)) ~= value then
        text = decimal_text(t.decimals, value)
    end
    return know(t.texts, value, (text:gsub(",", ".")))
end

local function quantized(like, bits, low, high, steps)
    local round = like.round
    local delta = round(high - low)
    local of_steps, of_low = decimals_of(delta / steps), low == 0 and 0 or decimals_of(math.abs(low))
    local decimals = of_steps and of_low and math.max(of_steps, of_low)
        or math.max(0, ceil(-math.log(delta / steps) / math.log(10))) + 1
    return { bits = bits, low = low, high = high, steps = steps, top = steps, delta = delta, decimals = decimals, round = round, zero = 0,
             values = new_list(), codes = new_list(), texts = new_list(), read = read_quantized, text = quantized_text,
             ft = ftypes.DOUBLE, filter = function(t, value, text) return tonumber(text or quantized_text(t, value)) end }
end

-- The code that a number is written as.
local function quantized_code(t, value)
    local code = t.codes.results[value]
    if code then
        return code
    end
    local round = t.round
    local n = round(round(value - t.low) / t.delta)
    if t.circle and (n < 0 or n >= 1) then
        n = round(n - floor(n))
    end
    n = n < 0 and 0 or n > 1 and 1 or n
    local nearest = floor(round(round(n * t.steps) + 0.5))
    return know(t.codes, value, t.circle and nearest % t.circle or nearest)
end

-- A quantized float, or a raw one of another value. A raw value has no code.
local function read_or_raw(c, t, start, name)
    if not take_bit(c, start, name) then
        return read_quantized(c, t.grid, start, name)
    end
    local value = float_of(take(c, 32, start, name))
    if t.code_of(value) then
        refuse(c, "canonical", start, name)
    end
    return value
end

local function or_raw(grid)
    local t = real(1 + grid.bits, ftypes.FLOAT, read_or_raw, f32, 6)
    t.grid, t.top = grid, grid.top
    t.code_of = function(value)
        if type(value) == "string" or value - value ~= 0 or value == 0 and 1 / value < 0 then
            return nil
        end
        local code = quantized_code(grid, value)
        return quantized_value(grid, code) == value and code or nil
    end
    t.value_of = function(code) return quantized_value(grid, code) end
    return t
end

-- A number whose `count` codes are a circle: the lowest follows the highest.
local function circle(count, t)
    t.circle = count
    t.top = t.steps and count - 1
    return t
end

-- ---- rotations

local function parts_text(t, value)
    local texts = {}
    for i, part in ipairs(components_of(t, value)) do
        texts[i] = real_text(float, part)
    end
    return "[" .. table.concat(texts, ", ") .. "]"
end

local function next_float_above(number)
    local bits = Struct.unpack("<I4", Struct.pack("<f", number))
    return (Struct.unpack("<f", Struct.pack("<I4", bits + 1)))
end

-- The rotation of the index of the largest component and of the codes of the others; nil if there is none.
local function quat_value(t, largest, codes)
    local others, most = {}, 0
    for i = 1, 3 do
        if codes[i] < 0 or codes[i] > t.steps then
            return nil
        end
        others[i] = quantized_value(t, codes[i])
        most = math.max(most, math.abs(others[i]))
    end
    local a, b, d = others[1], others[2], others[3]
    local sum = f32(f32(f32(a * a) + f32(b * b)) + f32(d * d))
    if sum > 1 then
        return nil
    end
    local root = f32(math.sqrt(f32(1 - sum)))
    if not (root > most) then
        root = next_float_above(most)
    end
    table.insert(others, largest + 1, root)
    return others
end

-- The components of a rotation or direction. A rotation that nobody looked at has only its codes until they are asked for.
function components_of(t, value)
    if not value[1] then
        for i, component in ipairs(quat_value(t, value.largest, value.codes)) do
            value[i] = component
        end
    end
    return value
end

-- The index and the codes of a rotation that was read. The value keeps them.
local function quat_codes(t, value)
    local largest, codes = 0, {}
    if value.codes then
        return value.largest, value.codes
    end
    for i = 1, 3 do
        largest = math.abs(value[i + 1]) > math.abs(value[largest + 1]) and i or largest
    end
    for i = 0, 3 do
        if i ~= largest then
            codes[#codes + 1] = quantized_code(t, value[i + 1])
        end
    end
    value.largest, value.codes = largest, codes
    return largest, codes
end

local function read_quat(c, t, start, name)
    need(c, 2 + 3 * t.bits, start, name)
    local largest = take_few(c, 2)
    local value = quat_value(t, largest, { take_few(c, t.bits), take_few(c, t.bits), take_few(c, t.bits) })
    if not value then
        refuse(c, "range", start, name)
    end
    return value
end

local function quat(bits)
    local most = f32(0.707106781)
    return { bits = bits, low = -most, high = most, delta = f32(2 * most), steps = POWER[bits] - 2, round = f32, read = read_quat,
             values = new_list(), codes = new_list(), text = parts_text, zero = { 0, 0, 0, 1 }, ft = ftypes.NONE,
             parts = { "x", "y", "z", "w" },
             part_ft = ftypes.FLOAT }
end

local function read_unit(c, t, start, name)
    need(c, 2 * t.bits, start, name)
    local steps, p_code, q_code = t.steps, take_few(c, t.bits), take_few(c, t.bits)
    if p_code > steps or q_code > steps then
        refuse(c, "range", start, name)
    end
    local at_edge = (p_code == 0 or p_code == steps) and q_code < steps - q_code
        or (q_code == 0 or q_code == steps) and p_code < steps - p_code
    if at_edge then
        refuse(c, "canonical", start, name)
    end
    local p, q = quantized_value(t, p_code), quantized_value(t, q_code)
    local z = f32(f32(1 - math.abs(p)) - math.abs(q))
    if z < 0 then
        local p_folded, q_folded = f32(1 - math.abs(q)), f32(1 - math.abs(p))
        p, q = p < 0 and -p_folded or p_folded, q < 0 and -q_folded or q_folded
    end
    local length = f32(math.sqrt(f32(f32(f32(p * p) + f32(q * q)) + f32(z * z))))
    return { f32(p / length), f32(q / length), f32(z / length) }
end

local function unit(bits)
    return { bits = bits, low = -1, high = 1, delta = 2, steps = POWER[bits] - 2, round = f32, read = read_unit, text = parts_text,
             values = new_list(), codes = new_list(), zero = { 0, 0, 1 }, ft = ftypes.NONE, parts = { "x", "y", "z" },
             part_ft = ftypes.FLOAT }
end

-- ---- text and bytes

-- Whether bytes are well-formed UTF-8 without a zero byte.
local function is_text(bytes)
    local at, size = 1, #bytes
    while at <= size do
        local first = byte(bytes, at)
        local length = first < 0x80 and 1 or first < 0xC2 and 0 or first < 0xE0 and 2 or first < 0xF0 and 3
            or first < 0xF5 and 4 or 0
        if first == 0 or length == 0 or at + length - 1 > size then
            return false
        end
        for i = 1, length - 1 do
            local more = byte(bytes, at + i)
            local least, most = 0x80, 0xBF
            if i == 1 then
                least = first == 0xE0 and 0xA0 or first == 0xF0 and 0x90 or least
                most = first == 0xED and 0x9F or first == 0xF4 and 0x8F or most
            end
            if more < least or more > most then
                return false
            end
        end
        at = at + length
    end
    return true
end

-- Takes the length, the padding and the bytes. The first bit of the bytes is the second result, that of the padding the third.
local function take_bytes(c, t, name, size_name, size_field)
    local start = c.bit
    local size = take(c, t.bits, start, size_name)
    if size > t.length then
        refuse(c, "range", start, size_name)
    end
    if size_field then
        add(c, size_field, start, size, size_name, whole(size))
    end
    local padding = c.bit
    take_padding(c, name)
    local first = c.bit
    need(c, 8 * size, first, name)
    c.bit = first + 8 * size
    return c.data:sub(first / 8 + 1, first / 8 + size), first, padding
end

local function read_text(c, t, _, name)
    local bytes, first = take_bytes(c, t, name, name)
    if not is_text(bytes) then
        refuse(c, "utf8", first, name)
    end
    return bytes
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\" }

-- The character of up to three bytes by its number.
function escaped_char(char)
    local first, second, third = byte(char, 1, 3)
    local number = third and (first - 224) * 4096 + (second - 128) * 64 + third - 128
        or second and (first - 192) * 64 + second - 128 or first
    return ESCAPES[char] or format("\\u%04x", number)
end

-- Control characters, and those that change the direction of the text around them, are not shown as they are.
UNSHOWN = { '[\1-\31"\\\127]', "\194[\128-\159]", "\216\156", "\226\128[\142\143\170-\174]", "\226\129[\166-\169]" }

local function text_text(_, value)
    for _, pattern in ipairs(UNSHOWN) do
        value = value:gsub(pattern, escaped_char)
    end
    return '"' .. value .. '"'
end

local function text(bits, length)
    return { bits = bits, length = length, read = read_text, text = text_text, zero = "", ft = ftypes.STRING }
end

local function bytes_text(_, value)
    return (value:gsub(".", function(char) return format("%02x", byte(char)) end))
end

local function bytes(bits, length)
    return { bits = bits, length = length, text = bytes_text, zero = "", ft = ftypes.BYTES, is_bytes = true }
end
