-- coded.lua - coded deltas: the symbols of each item, and predictions of baselines.
-- SPDX-License-Identifier: MIT
--
-- c.coding is the form of the delta that is read: whether it is plain, and by how many bits its coded items are shorter.
-- c.was_of has, for each predicted record or list, the one that it was predicted from.

local LONGEST = 12

-- ---- codes

-- A code table: how many bits each of its symbols has.
function codes(...)
    local t = { lengths = { ... }, counts = {}, order = {} }
    t.count = #t.lengths
    for bits = 1, LONGEST do
        local before = #t.order
        for symbol = 1, t.count do
            if t.lengths[symbol] == bits then
                t.order[#t.order + 1] = symbol - 1
            end
        end
        t.counts[bits] = #t.order - before
    end
    return t
end

-- A code table of `count` symbols, of which only one can come.
function code_alone(symbol, count)
    local t = { lengths = {}, count = count, longest = 0, symbols = { [0] = symbol }, sizes = { [0] = 0 } }
    for at = 1, count do
        t.lengths[at] = 0
    end
    return t
end

-- Lists the symbol, and how many bits it has, of each number that the next bits may be. The first bit of a code is the
-- highest one of its number among codes of that length, and the lowest one of what is listed.
function prepare_symbols(t)
    if t.symbols then
        return
    end
    t.symbols, t.sizes, t.longest = {}, {}, math.max(table.unpack(t.lengths))
    local code, at = 0, 1
    for bits = 1, t.longest do
        for _ = 1, t.counts[bits] do
            local turned = 0
            for i = 1, bits do
                turned = turned + floor(code / POWER[bits - i]) % 2 * POWER[i - 1]
            end
            for number = turned, POWER[t.longest] - 1, POWER[bits] do
                t.symbols[number], t.sizes[number] = t.order[at], bits
            end
            code, at = code + 1, at + 1
        end
        code = 2 * code
    end
end

function take_symbol(c, t, start, name)
    prepare_symbols(t)
    local number = peek(c) % POWER[t.longest]
    local size = t.sizes[number]
    need(c, size, start, name)
    c.bit = c.bit + size
    return t.symbols[number]
end

-- ---- numbers as codes from 0 on, which are UInt64 for a wide type

function bias_of(t)
    local is_signed = t.make == s64 and t.high == 0 and t.low == 0
    return is_signed and u64(0x80000000, 0) or u64(t.high, t.low)
end

function code_of(t, value)
    if t.steps then
        return quantized_code(t, value)
    elseif t.code_of then
        return t.code_of(value)
    end
    return t.is_wide and to_u64(value) - bias_of(t) or value - t.least
end

function value_of_code(t, code)
    if t.steps then
        return quantized_value(t, code)
    elseif t.value_of then
        return t.value_of(code)
    end
    return t.is_wide and t.make(halves_of(code + bias_of(t))) or code + t.least
end

function greatest_code(t)
    return t.top or t.is_wide and t.most or t.greatest - t.least
end

function distance(t, from, to)
    return select(2, way_between(t, from, to))
end

function code_digits(code)
    local high, low = halves_of(code)
    return high > 0 and 32 + digits_of(high) or digits_of(low)
end

function compact_bits(t, value)
    local digits = code_digits(value)
    local size = digits == 0 and 1 or ceil(digits / 8)
    if size > 1 then
        return t.bytes - size + 1 + 8 * size
    end
    return t.bytes + (digits <= 4 and 4 or 8)
end

function table_for(f, old, was)
    local context = was ~= nil and #f.codes > 1 and code_digits(distance(f.type, was, old)) or 0
    return f.codes[context < 5 and context + 1 or 6] or f.codes[1]
end

-- The bits after the symbol of a difference: whether it is down, and how far.
function take_way(c, is_wide, symbol, start, name)
    if symbol == 0 then
        return false, is_wide and u64(0, 0) or 0
    end
    local down, low = take_bit(c, start, name), symbol - 1
    if is_wide then
        local far = u64(take_halves(c, low, start, name))
        return down, far + (low < 32 and u64(0, POWER[low]) or u64(POWER[low - 32], 0))
    end
    return down, POWER[low] + take(c, low, start, name)
end

-- now: nil for a raw value of a type with `or raw`.
function difference_cost(t, codes, old, now)
    if now == nil then
        return codes.lengths[codes.count] + 32
    end
    local symbol = code_digits(distance(t, old, now))
    return codes.lengths[symbol + 1] + symbol
end

-- A raw number after one with a code.
function take_raw(c, f, start)
    local value, how = float_of(take(c, 32, start, f.name)), c.coding
    if f.type.code_of(value) then
        refuse(c, "canonical", start, f.name)
    end
    how.lead = how.lead + 33 - (c.bit - start)
    show(c, f, start, value)
    return value, true
end

-- The symbol of a code among the frequent values of a field of the integer type t.
local function category_of(f, t, code)
    if not f.symbols then
        f.symbols = {}
        for i, value in ipairs(f.values) do
            f.symbols[value] = i - 1
        end
    end
    return f.symbols[t.is_wide and code:tonumber() or code] or #f.values
end

-- A number that is coded by its frequent values.
local function coded_category(c, f, base)
    local start, name, how = c.bit, f.name, c.coding
    local t = f.type.raw or f.type -- of an enum or flags, the integer
    local old = base ~= nil and code_of(t, base) or nil
    if base == nil and not how.is_plain then
        give_up(c, { unknown = true, bit = c.bit, text = "what follows depends on its baseline" })
    end
    local context = old ~= nil and category_of(f, t, old) or #f.values
    local codes = f.codes[context + 1] or f.codes[#f.codes]
    local symbol = how.is_plain and #f.values or take_symbol(c, codes, start, name)
    local value
    if symbol == #f.values then
        value = f.type.read(c, f.type, start, name)
        symbol = category_of(f, t, code_of(t, value))
        if symbol ~= #f.values and not how.is_plain then
            refuse(c, "canonical", start, name)
        end
    else
        local code = f.values[symbol + 1]
        value = value_of_code(t, t.is_wide and u64(0, code) or code)
    end
    local plain = t.bytes and compact_bits(t, code_of(t, value)) or t.bits
    local coded = codes.lengths[symbol + 1] + (symbol == #f.values and plain or 0)
    show(c, f, start, value)
    if base == nil then
        return value
    end
    how.lead = how.lead + plain - coded
    return value, value ~= base
end

-- Reads a number that is marked as changed. As for delta_number, the second result is whether it has changed.
function coded_number(c, f, base)
    if f.values then
        return coded_category(c, f, base)
    end
    local t, start, name, how, was = f.type, c.bit, f.name, c.coding, c.was
    local old = base ~= nil and code_of(t, base) or nil
    local codes = old ~= nil and table_for(f, old, was ~= nil and code_of(t, was) or nil) or f.codes[1]
    if t.grid and base == nil and not how.is_plain then
        give_up(c, { unknown = true, bit = c.bit, text = "what follows depends on whether its baseline is raw" })
    end
    if how.is_plain or t.grid and old == nil then
        local value = t.read(c, t, start, name)
        local code = code_of(t, value)
        show(c, f, start, value)
        if old == nil then
            return value
        end
        how.lead = how.lead + c.bit - start - difference_cost(t, codes, old, code)
        return value, code ~= old
    end
    local symbol = take_symbol(c, codes, start, name)
    if t.grid and symbol == codes.count - 1 then
        return take_raw(c, f, start)
    end
    local down, far = take_way(c, t.is_wide, symbol, start, name)
    if old == nil then
        add(c, layout.changes, start, nil, name, c.visible and step_text(down, far))
        return nil
    end
    local code = down and old - far or old + far
    if t.circle and 2 * far < t.circle + (down and 0 or 1) then
        code = code % t.circle
    elseif t.circle or far > (down and old or greatest_code(t) - old) then
        refuse(c, "range", start, name)
    end
    local value = value_of_code(t, code)
    how.lead = how.lead + (t.bytes and compact_bits(t, value) or t.bits) - (c.bit - start)
    show(c, f, start, value, c.visible and step_text(down, far))
    return value, symbol ~= 0
end

-- ---- rotations

-- The tables of the three codes of a rotation.
function rotation_tables(f, base, was)
    local tables = { f.codes[1], f.codes[1], f.codes[1] }
    if base == nil or was == nil then
        return tables
    end
    local largest, old = quat_codes(f.type, base)
    local was_largest, before = quat_codes(f.type, was)
    for i = 1, largest == was_largest and 3 or 0 do
        tables[i] = table_for(f, old[i], before[i])
    end
    return tables
end

-- Reads the differences of the three codes of the item that began at start. The first symbol has been read already.
function take_turn(c, f, tables, first, base, start)
    local t, name = f.type, f.name
    local largest, old, now, texts, is_other = nil, nil, {}, {}, false
    if base ~= nil then
        largest, old = quat_codes(t, base)
    end
    for i = 1, 3 do
        local symbol = i == 1 and first or take_symbol(c, tables[i], start, name)
        if symbol > t.bits then
            refuse(c, "range", start, name)
        end
        local down, far = take_way(c, false, symbol, start, name)
        if old and far > (down and old[i] or t.steps - old[i]) then
            refuse(c, "range", start, name)
        end
        texts[i] = c.visible and step_text(down, far) or ""
        now[i] = old and (down and old[i] - far or old[i] + far)
        is_other = is_other or symbol ~= 0
    end
    return show_turned(c, f, start, old, largest, now, texts), is_other
end

function rotation_cost(t, tables, base, value)
    local largest, old = quat_codes(t, base)
    local now_largest, now = quat_codes(t, value)
    if largest ~= now_largest then
        return tables[1].lengths[t.bits + 2] + 2 + 3 * t.bits
    end
    local bits = 0
    for i = 1, 3 do
        bits = bits + difference_cost(t, tables[i], old[i], now[i])
    end
    return bits
end

function coded_rotation(c, f, base)
    local t, start, name, how = f.type, c.bit, f.name, c.coding
    local tables = rotation_tables(f, base, c.was)
    local first = not how.is_plain and take_symbol(c, tables[1], start, name)
    if first and first <= t.bits then
        local value, is_other = take_turn(c, f, tables, first, base, start)
        how.lead = how.lead + 2 + 3 * t.bits - (c.bit - start)
        return value, is_other
    end
    local value = t.read(c, t, start, name)
    if base ~= nil then
        local cost = rotation_cost(t, tables, base, value)
        if first and (quat_codes(t, base)) == (quat_codes(t, value)) then
            refuse(c, "canonical", start, name)
        end
        how.lead = how.lead + 2 + 3 * t.bits - cost
    end
    show(c, f, start, value)
    return value
end

-- ---- change masks

-- The symbol of a mask among the frequent ones.
local function symbol_of_mask(fields, changed, values)
    local mask = 0
    for i, field in ipairs(fields) do
        mask = mask + (changed[field] and POWER[i - 1] or 0)
    end
    for i, value in ipairs(values) do
        if value == mask then
            return i - 1
        end
    end
    return #values
end

-- Takes the mask of a block that is coded by its frequent values.
local function take_frequent_mask(c, fields, changed, t, values)
    local start, how = c.bit, c.coding
    local symbol = how.is_plain and #values or take_symbol(c, t, start, "changes")
    if symbol == #values then
        need(c, #fields, start, "changes")
        take_plain_mask(c, fields, changed)
        symbol = symbol_of_mask(fields, changed, values)
        if symbol ~= #values and not how.is_plain then
            refuse(c, "canonical", start, "changes")
        end
    else
        for i, field in ipairs(fields) do
            if floor(values[symbol + 1] / POWER[i - 1]) % 2 == 1 then
                changed[field] = true
            end
        end
    end
    how.lead = how.lead - t.lengths[symbol + 1] + (symbol < #values and #fields or 0)
end

-- Takes the mask of a block with code tables.
function take_coded_mask(c, fields, changed, masks, values)
    if values then
        return take_frequent_mask(c, fields, changed, masks[1], values)
    end
    local start, how, bits, at = c.bit, c.coding, 0, 0
    if how.is_plain then
        take_plain_mask(c, fields, changed)
    end
    for _, t in ipairs(masks) do
        local size = digits_of(t.count) - 1
        local symbol = not how.is_plain and take_symbol(c, t, start, "changes") or 0
        for i = 1, size do
            local place = POWER[i - 1]
            if how.is_plain then
                symbol = symbol + (changed[fields[at + i]] and place or 0)
            elseif floor(symbol / place) % 2 == 1 then
                changed[fields[at + i]] = true
            end
        end
        bits, at = bits + t.lengths[symbol + 1], at + size
    end
    how.lead = how.lead + #fields - bits
end

-- ---- changed elements

-- How many bits a subset of n elements, whose indices are in a list, has in the mode `auto`.
function subset_bits(list, n)
    local least, bits = 0, 0
    for i = 1, #list do
        bits = bits + difference_bits(list[i] - least + 1, n)
        least = list[i] + 1
    end
    bits = bits + difference_bits(n - least + 1, n)
    return 1 + (bits <= n and bits or n)
end

-- How many bits the runs between the elements in a list have, which are not as expected.
function runs_bits(t, list, n)
    local bits, at = 0, 0
    for i = 1, #list do
        local symbol = digits_of(list[i] - at)
        bits = bits + t.lengths[symbol + 1] + (symbol > 1 and symbol - 1 or 0)
        at = list[i] + 1
    end
    return bits + (at < n and t.lengths[t.count] or 0)
end

-- Takes which elements are not as expected, in their order. `list` is the change of a list with keys, or nil.
function take_runs(c, f, set, others, n, list)
    local t, at = f.runs, 0
    while at < n do
        local start = c.bit
        local symbol = take_symbol(c, t, start, f.name)
        if symbol == t.count - 1 then
            add(c, layout.index, start, nil, f.name, "the others are as expected")
            return
        end
        local run = symbol > 0 and POWER[symbol - 1] + take(c, symbol - 1, start, f.name) or 0
        if run >= n - at then
            refuse(c, "range", start, f.name)
        end
        at = at + run
        set[at] = not set[at]
        others[#others + 1] = at
        add(c, layout.index, start, nil, f.name,
            c.visible and format("element %s %s", index_text({ list = list }, at), set[at] and "changes" or "stays"))
        at = at + 1
    end
end

-- Whether two records, rotations or numbers are not the same. -0 is not 0.
function is_another(a, b)
    return a ~= b or a == 0 and type(a) == "number" and 1 / a ~= 1 / b
end

-- Whether the prediction has moved an element. One with an `after` that is not greater than its start counts as moved, unless
-- its array rests.
local function has_moved(c, f, now, was)
    local copy = setmetatable({}, { __index = c }) -- because a refusal leaves it where it was found
    return is_another(now, was) or f.type.holds_after and not f.rests and not pcall(check_order, copy, f.type, now)
end

-- The elements of which a set holds, in their order.
local function listed(set, n)
    local list = {}
    for i = 0, n - 1 do
        if set[i] then
            list[#list + 1] = i
        end
    end
    return list
end

-- Reads which elements of a coded array have changed, and then these. `list` is the change of a list with keys, or nil. The baseline
-- has `held` elements: no other is expected to change.
function coded_elements(c, f, record, n, held, old, new, list)
    local how, start, outer = c.coding, c.bit, c.sub
    local was = old and c.was_of[old]
    local others, set = {}, {} -- of the elements that are not as expected; and of those that change
    for i = 0, was and math.min(n, held) - 1 or -1 do
        set[i] = has_moved(c, f, element_of(f, old, i), element_of(f, was, i))
    end
    if not list then
        open(c, nil, c.visible and f.name .. outer .. ": changes of " .. elements_text(n))
    end
    if how.is_plain then
        others, set = set, {}
        read_subset(c, "auto", n, n, f.name, function(index)
            set[index] = true
            others[index] = not others[index]
        end, list)
        others = listed(others, n)
    else
        take_runs(c, f, set, others, n, list)
    end
    local changes = was and listed(set, n) or others
    how.lead = how.lead + subset_bits(changes, n) - runs_bits(f.runs, others, n)
    local is_quick = c.quick and old and not next(c.was_of)
    if is_quick then
        quick_changes(c, f, record, changes, n, 0, old, new)
        refuse_gone(list, new)
    end
    for _, i in ipairs(is_quick and {} or changes) do
        need_left(c, f, list, i)
        c.was = was and element_of(f, was, i)
        delta_element(c, f, record, i, outer .. format("[%.0f]", list and place_of(list, i) or i), old, new)
        c.sub = outer
    end
    if not list then
        close(c)
    end
end

-- ---- the whole

-- Reads a delta of a type that has coded fields, or types that have.
function coded_delta(c, t, base)
    local start = c.bit
    local is_coded = take_bit(c, start, "form")
    add(c, layout.changes, start, nil, "form", is_coded and "coded" or "plain")
    if is_coded and not base and t.predicts then
        give_up(c, { unknown = true, bit = c.bit, text = "what follows depends on how its baseline has moved" })
    end
    c.coding = { is_plain = not is_coded, lead = 0 }
    local value = delta_inside(c, t, base)
    if base and (c.coding.lead < 0) == is_coded then
        refuse(c, "canonical", start, "form")
    end
    c.coding = nil
    return value
end

-- An element of an array, as a delta to the one before it; the first one to base values.
function read_chained(c, f, previous)
    local t = f.type
    local base = previous or blank_value(t)
    open(c, f.field, c.visible and f.name .. c.sub .. ": " .. t.name, t.field)
    c.coding, c.was_of = nil, {}
    local result = inside(c, f.name, read_whole_delta, t, base)
    close(c)
    show_whole_field(c, f, result)
    return result
end

-- ---- predictions: k has `was_of`, and the ages `back` and `gap`

-- The code that is `on` steps from another.
function step_on(t, base, down, on, most)
    if t.circle then
        return (base + (down and -on or on)) % t.circle
    elseif not down then
        return base + (on < most - base and on or most - base)
    end
    return base - (on < base and on or base)
end

function moved_code(k, t, base, before, most, slower)
    local gap = k.gap * slower
    local down, far = way_between(t, before, base)
    local twice = 2 * far * k.back + gap
    local on = (twice - twice % (2 * gap)) / (2 * gap)
    return t.farthest and on > t.farthest and base or step_on(t, base, down, on, most)
end

function predict_rotation(k, t, base, before)
    local largest, now = quat_codes(t, base)
    local before_largest, was = quat_codes(t, before)
    local to, is_other = {}, false
    for i = 1, 3 do
        to[i] = moved_code(k, t, now[i], was[i], t.steps, 2)
        is_other = is_other or to[i] ~= now[i]
    end
    return largest == before_largest and is_other and quat_value(t, largest, to) or base
end

function predict_number(k, f, base, before)
    local t = f.type
    if f.asked or f.codes[1].count > 33 then
        return base
    end
    local now, was, most = code_of(t, base), code_of(t, before), greatest_code(t)
    if now == nil or was == nil then
        return base
    end
    if t.is_wide then
        now, was, most = now:tonumber(), was:tonumber(), most:tonumber()
    end
    local to = moved_code(k, t, now, was, most, 1)
    if to == now then
        return base
    end
    return value_of_code(t, t.is_wide and u64(0, to) or to)
end

-- How far a number of a record goes by its own speed; 0 for 2^32 steps and more. All products are below 2^53.
function way_of_speed(k, s, record)
    local speed, half = s.fields[s.name], 16777216
    if s.condition and not evaluate(s.condition, record) then
        return false, 0
    end
    local code = code_of(speed.type, value_of(record, speed))
    if code == nil then
        return false, 0
    end
    code = speed.type.is_wide and code:tonumber() or code
    local product = (code < s.rest and s.rest - code or code - s.rest) * s.factor
    local low = product % half
    local high = (product - low) / half * k.back
    low = low * k.back + 2 ^ (s.shift - 1)
    high, low = high + (low - low % half) / half, low % half
    if high >= 2 ^ (s.shift + 8) then
        return false, 0
    elseif s.shift >= 24 then
        return code < s.rest, (high - high % 2 ^ (s.shift - 24)) / 2 ^ (s.shift - 24)
    end
    return code < s.rest, high * 2 ^ (24 - s.shift) + (low - low % 2 ^ s.shift) / 2 ^ s.shift
end

function predict_by_speed(k, f, record, base)
    local t = f.type
    local now, most = code_of(t, base), greatest_code(t)
    local down, way = way_of_speed(k, f.speed, record)
    if f.asked or now == nil or way == 0 then
        return base
    end
    if t.is_wide then
        now, most = now:tonumber(), most:tonumber()
    end
    local to = step_on(t, now, down, way, most)
    return value_of_code(t, t.is_wide and u64(0, to) or to)
end

-- before: nil if there is none.
function predict_element(k, f, record, base, before)
    local t = f.type
    if t.items or t.members then
        return t.holds_coded and predict_value(k, t, base, before) or base
    elseif f.speed then
        return predict_by_speed(k, f, record, base)
    elseif f.still or before == nil then
        return base
    end
    return (t.parts and predict_rotation or predict_number)(k, t.parts and t or f, base, before)
end

function predict_list(k, f, base, before)
    local old, was, new = value_of(base, f), before and value_of(before, f), nil
    local count, places = count_of(base, f), {}
    if before and f.type.key then
        each_pair(f.type.key.name, old, count, was, count_of(before, f), function(i, at) places[i] = at end)
    elseif before then
        for i = 0, math.min(count, count_of(before, f)) - 1 do
            places[i] = i
        end
    end
    for i = 0, count - 1 do
        local from = element_of(f, old, i)
        local to = predict_element(k, f, base, from, places[i] and element_of(f, was, places[i]))
        if is_another(to, from) then
            new = new or list_from(old, count, count)
            new[i] = to
        end
    end
    if not new then
        return old
    end
    k.was_of[new] = old
    return new
end

-- Puts into `to` what moves.
function predict_items(k, items, base, before, to)
    for _, item in ipairs(items) do
        if item.is_choice then
            local block = chosen_block(item, base)
            if block then
                predict_items(k, block, base, before and block == chosen_block(item, before) and before, to)
            end
        elseif item.is_field and (item.codes or item.type.holds_coded) and is_there(base, item) then
            local from, was = value_of(base, item), before and is_there(before, item) and before or nil
            local moved = item.dims and predict_list(k, item, base, was)
                or not item.dims and predict_element(k, item, base, from, was and value_of(was, item))
            if is_another(moved, from) then
                to[item.name] = moved
            end
        end
    end
end

-- The value as it goes on; itself if nothing moves. before: nil if it goes on by speeds of its own alone.
function predict_value(k, t, base, before)
    if t.members then
        local was = before and base.member == before.member and before.value or nil
        local record = predict_value(k, base.member.type, base.value, was)
        return record == base.value and base or { member = base.member, value = record }
    end
    local to = {}
    predict_items(k, t.items, base, before, to)
    if next(to) == nil then
        return base
    end
    for name, value in pairs(base) do
        if to[name] == nil then
            to[name] = value
        end
    end
    k.was_of[to] = base
    return to
end
