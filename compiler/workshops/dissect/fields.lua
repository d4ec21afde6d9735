-- fields.lua - fields, arrays, choices, structs and unions in their full encoding.
-- SPDX-License-Identifier: MIT
--
-- A record is a table of values, by the names that conditions use: x, x_count, has_x. The value of an array is a table from
-- indices to elements, from 0; that of a union is { member, value }. Fields that a record lacks have base values.

-- Elements without bits that are shown of one array, and in all arrays of a datagram before only the first one of each is.
local MOST_EMPTY, MOST_EMPTY_ALL = 256, 20000

-- ---- conditions

-- A condition is a list in postfix order: numbers, paths to fields { "a", "b" }, and the names of operators. "s" and "u"
-- before an operator say that it is computed in 64 bits, signed or unsigned; "n" makes a number of the result.
local function truncated(number)
    return number < 0 and ceil(number) or floor(number)
end

-- The number of set bits.
local function ones_of(value)
    local count = 0
    for _, half in ipairs({ halves_of(value) }) do
        while half > 0 do
            count = count + half % 2
            half = floor(half / 2)
        end
    end
    return count
end

local OPERATORS = {
    ["||"] = function(a, b) return a or b end,
    ["&&"] = function(a, b) return a and b end,
    ["=="] = function(a, b) return a == b end,
    ["!="] = function(a, b) return a ~= b end,
    ["<"] = function(a, b) return a < b end,
    ["<="] = function(a, b) return a <= b end,
    [">"] = function(a, b) return a > b end,
    [">="] = function(a, b) return a >= b end,
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end,
    ["/"] = function(a, b) return truncated(a / b) end,
    ["%"] = function(a, b) return math.fmod(a, b) end,
}
local WIDE_OPERATORS = {
    ["&"] = function(a, b) return a:band(b) end,
    ["/"] = function(a, b) return a / b end,
    ["%"] = function(a, b) return a % b end,
}
local UNARY = {
    ["!"] = function(a) return not a end,
    negate = function(a) return -a end,
    n = function(a) return number_of(a) end,
    bits = function(a) return ones_of(a) end,
}

-- Each step of a condition becomes a function of the record. An unknown value is nil, followed by its name.

local function constant_step(value)
    return function() return value end
end

local function path_step(path)
    local first, count, text = path[1], #path, table.concat(path, ".")
    return function(record)
        local value = record[first]
        for i = 2, count do
            value = value and value[path[i]]
        end
        if value == nil then
            return nil, text
        end
        return value
    end
end

local function unary_step(operate, operand)
    return function(record)
        local a, unknown = operand(record)
        if a == nil then
            return nil, unknown
        end
        return operate(a)
    end
end

local function binary_step(step, left, right)
    local mode, operator = step:match("^([su]?)(.+)$")
    local convert = mode == "s" and to_s64 or mode == "u" and to_u64
    local operate = convert and WIDE_OPERATORS[operator] or OPERATORS[operator]
    return function(record)
        local a, unknown_left = left(record)
        local b, unknown_right = right(record)
        if a == nil or b == nil then
            return nil, unknown_left or unknown_right
        elseif convert then
            return operate(convert(a), convert(b))
        end
        return operate(a, b)
    end
end

local function compile(condition)
    local stack = {}
    for _, step in ipairs(condition) do
        local top = #stack
        if type(step) == "table" then
            stack[top + 1] = path_step(step)
        elseif type(step) ~= "string" then
            stack[top + 1] = constant_step(step)
        elseif UNARY[step] then
            stack[top] = unary_step(UNARY[step], stack[top])
        else
            stack[top - 1] = binary_step(step, stack[top - 1], stack[top])
            stack[top] = nil
        end
    end
    return stack[1]
end

-- The value of a condition; nil and the name of a field whose value is not known.
function evaluate(condition, record)
    local run = condition.run
    if not run then
        run = compile(condition)
        condition.run = run
    end
    return run(record)
end

-- ---- after

local AFTER = { { 1, 1 }, { 2, 6 }, { 7, 23 }, { 24, 280 }, { 281, 4377 }, { 4378, 69914 } }

-- `from` is nil if it is not known; then the result is the difference, and how it is shown.
local function read_after(c, from, start, name)
    for _, form in ipairs(AFTER) do
        if take_bit(c, start, name) then
            local most = form[2] - form[1]
            local more = take(c, digits_of(most), start, name)
            local value = (from or 0) + form[1] + more
            if more > most or (from and value > 4294967295) then
                refuse(c, "range", start, name)
            end
            return from and value, form[1] + more
        end
    end
    local value = take(c, 32, start, name)
    if from and value <= from then
        refuse(c, "order", start, name)
    elseif from and value - from <= 69914 then
        refuse(c, "canonical", start, name)
    end
    return value
end

-- ---- elements

local read_items, read_union, read_chained

-- Whether two scalars are the same on the wire.
local function same_scalars(t, a, b)
    if t.steps and t.parts then
        a, b = components_of(t, a), components_of(t, b)
        return a[1] == b[1] and a[2] == b[2] and a[3] == b[3] and a[4] == b[4]
    elseif t.steps then
        return quantized_code(t, a) == quantized_code(t, b)
    end
    return a == b and (a ~= 0 or type(a) ~= "number" or 1 / a == 1 / b)
end

local function show_parts(c, f, item, start, value)
    local t = f.type
    if type(value) == "table" then
        components_of(t, value)
    end
    for i, field in ipairs(f.part_fields) do
        local part = type(value) == "table" and value[i]
        local shown = t.part_ft == ftypes.BOOLEAN and is_set(value, i - 1) or part
        local child = item:add(field, range(c, start, c.bit), shown)
        if c.visible then
            child:set_text(t.parts[i] .. ": " .. (part and real_text(float, part) or tostring(shown)))
        end
        child:set_generated()
    end
end

-- Whether an item of a field, or one of its parts, is of use.
local function is_shown(c, f)
    local wanted = c.visible or c.wanted[f]
    if wanted == nil then
        wanted = is_wanted(c, f.field)
        for _, part in ipairs(f.part_fields or {}) do
            wanted = is_wanted(c, part) or wanted
        end
        c.wanted[f] = wanted
    end
    return wanted
end

-- `how` the value was sent comes after it.
local function show(c, f, start, value, how)
    if c.wanted[f] == false or not is_shown(c, f) or not has_room(c) then
        return
    end
    local t, here, label, text = f.type, range(c, start, c.bit), nil, nil
    if c.visible then
        text = t.text(t, value)
        label = label_of(c, start, f.name, how and format("%s (%s)", text, how) or text)
    end
    local shown = value
    if t.filter then
        shown = t.filter(t, value, text)
    elseif t.ft == ftypes.NONE then
        shown = nil
    end
    local item = put_item(c, f.field, here, shown, label)
    if f.part_fields then
        show_parts(c, f, item, start, value)
    end
end

-- Reads what a name stands for, with the names inside it.
local function inside(c, name, read, ...)
    if not c.named then
        return read(c, ...)
    end
    local prefix, sub = c.prefix, c.sub
    c.prefix, c.sub = prefix .. name .. sub .. ".", ""
    local result, more = read(c, ...)
    c.prefix, c.sub = prefix, sub
    return result, more
end

-- `key` is that of an element of a list.
local function read_struct(c, t, key)
    local read = c.quick and quick_of(t, "whole")
    if read then
        return read(c, key)
    end
    local record = t.key and { [t.key.name] = key } or {}
    read_items(c, t.items, record)
    return record
end

local function read_composite(c, f)
    local t = f.type
    open(c, f.field, c.visible and f.name .. c.sub .. ": " .. t.name, t.field)
    local record = inside(c, f.name, t.members and read_union or read_struct, t)
    close(c)
    return record
end

local function read_bytes(c, f)
    local value, first, padding = take_bytes(c, f.type, f.name, f.name .. "_size", f.size_field)
    if is_wanted(c, f.field) and has_room(c) then
        local label = c.visible and label_of(c, padding, f.name, bytes_text(nil, value))
        put_item(c, f.field, range(c, first, c.bit), nil, label)
    end
    return value
end

local function read_scalar(c, f, record)
    local t, start, name = f.type, c.bit, f.name
    local value, difference
    if f.after then
        value, difference = read_after(c, record[f.after], start, name)
        if value == nil then
            add(c, layout.changes, start, nil, name, c.visible and format("%s + %.0f", f.after, difference))
            return nil
        end
    elseif f.unless == nil then
        value = t.read(c, t, start, name)
    elseif not take_bit(c, start, name) then
        value = f.unless
    else
        value = t.read(c, t, c.bit, name)
        if same_scalars(t, value, f.unless) then
            refuse(c, "canonical", start, name)
        end
    end
    show(c, f, start, value)
    return value
end

local function read_element(c, f, record)
    local t = f.type
    if f.part then
        return read_packet_part(c, f, record)
    elseif t.items or t.members then
        return read_composite(c, f)
    elseif t.is_bytes then
        return read_bytes(c, f)
    end
    return read_scalar(c, f, record)
end

-- ---- arrays

-- "[1][2]": the element of a flat index, through all dimensions. Without names: "".
local function subscripts(c, dims, index)
    local result = ""
    if not c.named then
        return result
    end
    for d = #dims, 2, -1 do
        result = format("[%.0f]", index % dims[d]) .. result
        index = floor(index / dims[d])
    end
    return format("[%.0f]", index) .. result
end

local function elements_text(count)
    return count == 1 and "1 element" or whole(count) .. " elements"
end

local function read_elements(c, f, record, count)
    local list = {}
    record[f.name] = list
    if c.quick and f.chained and quick_chain(c, f, list, count) then
        return
    end
    open(c, nil, c.visible and f.name .. ": " .. elements_text(count))
    for i = 0, count - 1 do
        local start = c.bit
        c.sub = subscripts(c, f.dims, i)
        if f.chained then
            list[i] = read_chained(c, f, list[i - 1])
        else
            list[i] = read_element(c, f, record)
        end
        -- The items that decide the size of an element come before it, so all elements after it take no bits either.
        c.empty = c.bit == start and c.empty + 1 or c.empty
        if c.bit == start and i + 1 < count and (i + 1 == MOST_EMPTY or c.empty > MOST_EMPTY_ALL) then
            if c.visible and has_room(c) then
                c.tree:add(range(c, start, start), elements_text(count - i - 1) .. " more, which take no bits either")
            end
            break
        end
    end
    c.sub = ""
    close(c)
end

local function read_count(c, f, record)
    local start, name = c.bit, f.name .. "_count"
    local count = f.count_low + take_up_to(c, f.dims[1] - f.count_low, f.count_bits, start, name)
    record[name] = count
    add(c, f.count_field, start, count, name, c.visible and whole(count))
    return count
end

-- ---- subsets

-- For each form: its differences are below the first number; the second is the number of bits after its prefix.
local FORMS = { { 2, 0 }, { 6, 2 }, { 14, 3 }, { 30, 4 }, { 62, 5 }, { 126, 6 } }
local FORM_FIRST = { 1, 2, 6, 14, 30, 62 }
local FAR = 126

local function far_bits(n)
    return n + 1 < FAR and 0 or digits_of(n + 1 - FAR)
end

local NEAR_BITS = {} -- of differences before FAR
for i, form in ipairs(FORMS) do
    for difference = FORM_FIRST[i], form[1] - 1 do
        NEAR_BITS[difference] = i + form[2]
    end
end

local function difference_bits(difference, n)
    return NEAR_BITS[difference] or 6 + far_bits(n)
end

local FORM_OF = {} -- by the 6 bits of the prefix, of which the first one that is set tells; none if it is far
for prefix = 1, 63 do
    local form = 1
    while prefix % POWER[form] == 0 do
        form = form + 1
    end
    FORM_OF[prefix] = form
end

local function take_difference(c, n, start, name)
    local ahead = peek(c)
    local form = FORM_OF[ahead % 64]
    local bits = form and form + FORMS[form][2] or 6
    need(c, bits, start, name)
    c.bit = c.bit + bits
    if not form then
        return FAR + take(c, far_bits(n), start, name)
    end
    ahead = ahead % POWER[bits]
    return FORM_FIRST[form] + (ahead - ahead % POWER[form]) / POWER[form]
end

-- "5"; of a list also the key, "5 (id 17)".
local function index_text(s, index)
    local list = s.list
    return list and format("%s (%s)", whole(index), key_text(list.type, list.old[index])) or whole(index)
end

-- "index 5", or a text without a number.
local function show_index(c, s, start, text, number)
    add(c, layout.index, start, nil, s.name, c.visible and (number and text .. index_text(s, number) or text))
end

-- Accepts the index of the item that began at start, and reads its element.
local function accept(c, s, index, start)
    if index < s.least then
        refuse(c, "order", start, s.name)
    elseif s.count == s.limit then
        refuse(c, "range", start, s.name)
    end
    s.relative_bits = s.relative_bits + difference_bits(index - s.least + 1, s.n)
    s.count = s.count + 1
    s.least = index + 1
end

local SUBSETS = {}

function SUBSETS.flag(c, s, read)
    local start = c.bit -- of the flags of elements that are not there, which are one item
    local function show_absent(to)
        if c.bit > start then
            show_index(c, s, start, "no index before ", to)
        end
    end
    for i = 0, s.n - 1 do
        local at = c.bit
        if take_bit(c, at, s.name) then
            c.bit = at
            show_absent(i)
            c.bit = at + 1
            show_index(c, s, at, "index ", i)
            accept(c, s, i, at)
            read(i)
            start = c.bit
        end
    end
    show_absent(s.n)
end

function SUBSETS.count(c, s, read)
    local start = c.bit
    local count = take_up_to(c, s.limit, digits_of(s.limit), start, s.name)
    show_index(c, s, start, elements_text(count))
    for _ = 1, count do
        start = c.bit
        local index = take_up_to(c, s.n - 1, digits_of(s.n - 1), start, s.name)
        show_index(c, s, start, "index ", index)
        accept(c, s, index, start)
        read(index)
    end
end

-- Reads indices up to the end, n. take_index returns the next one.
local function read_to_end(c, s, take_index, read)
    while true do
        local start = c.bit
        local index = take_index(start)
        if index > s.n then
            refuse(c, "range", start, s.name)
        end
        show_index(c, s, start, index == s.n and "end" or "index ", index < s.n and index)
        if index == s.n then
            return
        end
        accept(c, s, index, start)
        read(index)
    end
end

function SUBSETS.sentinel(c, s, read)
    local bits = digits_of(s.n)
    read_to_end(c, s, function(start) return take(c, bits, start, s.name) end, read)
end

function SUBSETS.relative(c, s, read)
    read_to_end(c, s, function(start) return s.least + take_difference(c, s.n, start, s.name) - 1 end, read)
end

-- `choice` is the position of the bit of `auto` that chose a bitmap, or nil.
function SUBSETS.bitmap(c, s, read, choice)
    local start, present = c.bit, {}
    need(c, s.n, start, s.name)
    local least, relative_bits = 0, 0
    for i = 0, s.n - 1 do
        if take_few(c, 1) == 1 then
            present[#present + 1] = i
            relative_bits = relative_bits + difference_bits(i - least + 1, s.n)
            least = i + 1
        end
    end
    if #present > s.limit then
        refuse(c, "range", start, s.name)
    elseif choice and relative_bits + difference_bits(s.n - least + 1, s.n) <= s.n then
        refuse(c, "canonical", choice, s.name)
    end
    if c.visible then
        local texts = {}
        for i, index in ipairs(present) do
            texts[i] = index_text(s, index)
        end
        show_index(c, s, start, #present == 0 and "no index" or "bitmap of " .. table.concat(texts, ", "))
    end
    for _, index in ipairs(present) do
        read(index)
    end
end

function SUBSETS.auto(c, s, read)
    local start = c.bit
    local is_bitmap = take_bit(c, start, s.name)
    show_index(c, s, start, is_bitmap and "as a bitmap" or "as differences")
    if is_bitmap then
        SUBSETS.bitmap(c, s, read, start)
        return
    end
    SUBSETS.relative(c, s, read)
    if s.relative_bits + difference_bits(s.n - s.least + 1, s.n) > s.n then
        refuse(c, "canonical", start, s.name)
    end
end

-- Reads a subset of n elements, at most `limit` of them; `read` is called for each index. `list` is the change of a list that
-- they are of, or nil.
local function read_subset(c, mode, n, limit, name, read, list)
    SUBSETS[mode](c, { n = n, limit = limit, name = name, list = list, least = 0, count = 0, relative_bits = 0 }, read)
end

local function read_sparse(c, f, record)
    open(c, nil, c.visible and f.name .. ": some of " .. elements_text(f.dims[1]))
    read_subset(c, f.sparse, f.dims[1], f.limit, f.name, function(index)
        c.sub = subscripts(c, f.dims, index)
        read_element(c, f, record)
        c.sub = ""
    end)
    close(c)
end

-- ---- fields

local function read_presence(c, f, record)
    local start, name = c.bit, "has_" .. f.name
    local has = take_bit(c, start, name)
    record[name] = has
    add(c, f.has_field, start, has, name, tostring(has))
    return has
end

local function product(dims)
    local result = 1
    for _, n in ipairs(dims) do
        result = result * n
    end
    return result
end

local function read_field(c, f, record)
    if f.optional and not read_presence(c, f, record) then
        return
    end
    if f.sparse then
        read_sparse(c, f, record)
    elseif f.count_low then
        (f.type.key and read_list or read_elements)(c, f, record, read_count(c, f, record))
    elseif f.count then
        read_elements(c, f, record, evaluate(f.count, record))
    elseif f.dims then
        read_elements(c, f, record, product(f.dims))
    else
        record[f.name] = read_element(c, f, record)
    end
end

-- ---- items

local function read_align(c)
    local start = c.bit
    take_padding(c, "align")
    if c.bit > start then
        add(c, layout.item, start, nil, "align", "zeros")
    end
end

local function read_constant(c, item)
    local start = c.bit
    local high, low = take_halves(c, item.bits, start, item.name)
    if high ~= item.high or low ~= item.low then
        refuse(c, "check", start, item.name)
    end
    local text = high > 0 and format("0x%x%08x", high, low) or format("0x%x", low)
    add(c, layout.item, start, nil, item.name, text)
end

-- The block that the record selects, or nil. The second result is the name of a field whose value is not known.
local function chosen_block(item, record)
    local value, unknown = evaluate(item.subject, record)
    if value == nil then
        return nil, unknown
    end
    return item.blocks[key_of(value)] or item.otherwise
end

local function read_choice(c, item, record)
    local block = chosen_block(item, record)
    if block then
        read_items(c, block, record)
    end
end

function read_items(c, items, record)
    for i = 1, #items do
        local item = items[i]
        item.read(c, item, record)
    end
end

local function take_tag(c, u)
    local start, last = c.bit, #u.members - 1
    local tag = take_up_to(c, last, digits_of(last), start, "tag")
    local member = u.members[tag + 1]
    add(c, u.tag_field, start, tag, "tag", c.visible and format("%s (%.0f)", member.name, tag))
    return member
end

function read_union(c, u)
    local member = take_tag(c, u)
    open(c, member.field, c.visible and member.name .. ": " .. member.type.name, member.type.field)
    local record = inside(c, member.name, read_struct, member.type)
    close(c)
    return { member = member, value = record }
end
