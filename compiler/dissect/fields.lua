-- fields.lua - fields, arrays, choices, structs and unions in their full encoding.
-- SPDX-License-Identifier: MIT
--
-- A record is a table of values, by the names that conditions use: x, x_count, has_x. The value of an array is a table from
-- indices to elements, from 0; that of a union is { member, value }. What a record does not have has its base value.

-- Elements without bits that are shown of one array, and in all arrays of a datagram before only the first one of each is.
local MOST_EMPTY, MOST_EMPTY_ALL = 256, 20000

-- ---- conditions

-- A condition is a list in postfix order: numbers, paths to fields { "a", "b" }, and the names of operators. "s" and "u"
-- before an operator say that it is computed in 64 bits, signed or unsigned; "n" makes a number of the result.
local function truncated(number)
    return number < 0 and ceil(number) or floor(number)
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

local function evaluate(condition, record)
    local stack, top = {}, 0
    for _, step in ipairs(condition) do
        if type(step) == "table" then
            local value = record
            for _, name in ipairs(step) do
                value = value and value[name]
            end
            if value == nil then
                return nil, table.concat(step, ".")
            end
            top = top + 1
            stack[top] = value
        elseif type(step) ~= "string" then
            top = top + 1
            stack[top] = step
        elseif step == "!" then
            stack[top] = not stack[top]
        elseif step == "negate" then
            stack[top] = -stack[top]
        elseif step == "n" then
            stack[top] = number_of(stack[top])
        else
            local a, b = stack[top - 1], stack[top]
            local mode, operator = step:match("^([su]?)(.+)$")
            if mode ~= "" then
                local convert = mode == "s" and to_s64 or to_u64
                a, b = convert(a), convert(b)
            end
            top = top - 1
            stack[top] = (mode ~= "" and WIDE_OPERATORS[operator] or OPERATORS[operator])(a, b)
        end
    end
    return stack[1]
end

-- ---- after

local AFTER = { { 1, 1 }, { 2, 6 }, { 7, 23 }, { 24, 280 }, { 281, 4377 }, { 4378, 69914 } }

-- `from` is nil if it is not known; then the result is the difference, and how it is shown.
local function read_after(c, from, start, name)
    for _, form in ipairs(AFTER) do
        if take(c, 1, start, name) == 1 then
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

local read_items, read_union

-- Whether two scalars are the same on the wire.
local function same_scalars(t, a, b)
    if t.steps and t.parts then
        return a[1] == b[1] and a[2] == b[2] and a[3] == b[3] and a[4] == b[4]
    elseif t.steps then
        return quantized_code(t, a) == quantized_code(t, b)
    end
    return a == b and (a ~= 0 or type(a) ~= "number" or 1 / a == 1 / b)
end

local function flag_parts(c, f, item, start, value)
    local t = f.type
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

-- `before` the text: how it was sent.
local function show(c, f, start, value, before)
    local t = f.type
    local shown = value
    if t.filter then
        shown = t.filter(t, value)
    elseif t.ft == ftypes.NONE then
        shown = nil
    end
    local text = ""
    if c.visible then
        text = before and format("%s (%s)", t.text(t, value), before) or t.text(t, value)
    end
    local item = add(c, f.field, start, shown, f.name, text)
    if item and f.part_fields then
        flag_parts(c, f, item, start, value)
    end
end

-- Reads what a name stands for, with the names inside it.
local function inside(c, name, read, ...)
    local prefix, sub = c.prefix, c.sub
    c.prefix, c.sub = prefix .. name .. sub .. ".", ""
    local result = read(c, ...)
    c.prefix, c.sub = prefix, sub
    return result
end

local function read_struct(c, t)
    local record = {}
    read_items(c, t.items, record)
    return record
end

local function read_composite(c, f)
    local t = f.type
    open(c, f.field, f.name .. c.sub .. ": " .. t.name)
    local record = inside(c, f.name, t.members and read_union or read_struct, t)
    close(c)
    return record
end

local function read_bytes(c, f)
    local value, first, padding = take_bytes(c, f.type, f.name, f.name .. "_size", f.size_field)
    local item = has_room(c) and c.tree:add(f.field, range(c, first, c.bit))
    if item and c.visible then
        item:set_text(f.name .. c.sub .. ": " .. cut_text(bytes_text(nil, value)) .. bits_text(padding, c.bit))
    end
    return value
end

local function read_scalar(c, f, record)
    local t, start, name = f.type, c.bit, f.name
    local value, difference
    if f.after then
        value, difference = read_after(c, record[f.after], start, name)
        if value == nil then
            add(c, layout.changes, start, nil, name, format("%s + %.0f", f.after, difference))
            return nil
        end
    elseif f.unless == nil then
        value = t.read(c, t, start, name)
    elseif take(c, 1, start, name) == 0 then
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
    if t.items or t.members then
        return read_composite(c, f)
    elseif t.is_bytes then
        return read_bytes(c, f)
    end
    return read_scalar(c, f, record)
end

-- ---- arrays

-- "[1][2]": the element of a flat index, through all dimensions.
local function subscripts(dims, index)
    local result = ""
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
    open(c, nil, f.name .. ": " .. elements_text(count))
    for i = 0, count - 1 do
        local start = c.bit
        c.sub = subscripts(f.dims, i)
        list[i] = read_element(c, f, record)
        -- What decides how many bits an element takes comes before it: all that follow take none either.
        c.empty = c.bit == start and c.empty + 1 or c.empty
        if c.bit == start and i + 1 < count and (i + 1 == MOST_EMPTY or c.empty > MOST_EMPTY_ALL) then
            if has_room(c) then
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
    local above = take(c, f.count_bits, start, name)
    if above > f.dims[1] - f.count_low then
        refuse(c, "range", start, name)
    end
    local count = f.count_low + above
    record[name] = count
    add(c, f.count_field, start, count, name, whole(count))
    return count
end

-- ---- subsets

-- Less than this is the difference of a form, and how many bits it has behind its prefix.
local FORMS = { { 2, 0 }, { 6, 2 }, { 14, 3 }, { 30, 4 }, { 62, 5 }, { 126, 6 } }
local FORM_FIRST = { 1, 2, 6, 14, 30, 62 }
local FAR = 126

local function far_bits(n)
    return n + 1 < FAR and 0 or digits_of(n + 1 - FAR)
end

local function difference_bits(difference, n)
    for i, form in ipairs(FORMS) do
        if difference < form[1] then
            return i + form[2]
        end
    end
    return 6 + far_bits(n)
end

local function take_difference(c, n, start, name)
    for i, form in ipairs(FORMS) do
        if take(c, 1, start, name) == 1 then
            return FORM_FIRST[i] + take(c, form[2], start, name)
        end
    end
    return FAR + take(c, far_bits(n), start, name)
end

local function show_index(c, s, start, text)
    add(c, layout.index, start, nil, s.name, text)
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
            show_index(c, s, start, "no index before " .. whole(to))
        end
    end
    for i = 0, s.n - 1 do
        local at = c.bit
        if take(c, 1, at, s.name) == 1 then
            c.bit = at
            show_absent(i)
            c.bit = at + 1
            show_index(c, s, at, "index " .. whole(i))
            accept(c, s, i, at)
            read(i)
            start = c.bit
        end
    end
    show_absent(s.n)
end

function SUBSETS.count(c, s, read)
    local start = c.bit
    local count = take(c, digits_of(s.limit), start, s.name)
    if count > s.limit then
        refuse(c, "range", start, s.name)
    end
    show_index(c, s, start, elements_text(count))
    for _ = 1, count do
        start = c.bit
        local index = take(c, digits_of(s.n - 1), start, s.name)
        if index > s.n - 1 then
            refuse(c, "range", start, s.name)
        end
        show_index(c, s, start, "index " .. whole(index))
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
        show_index(c, s, start, index == s.n and "end" or "index " .. whole(index))
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
    show_index(c, s, start, #present == 0 and "no index" or "bitmap of " .. table.concat(present, ", "))
    for _, index in ipairs(present) do
        read(index)
    end
end

function SUBSETS.auto(c, s, read)
    local start = c.bit
    local is_bitmap = take(c, 1, start, s.name) == 1
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

-- Reads a subset of n elements, at most `limit` of them; `read` is called for each index.
local function read_subset(c, mode, n, limit, name, read)
    SUBSETS[mode](c, { n = n, limit = limit, name = name, least = 0, count = 0, relative_bits = 0 }, read)
end

local function read_sparse(c, f, record)
    open(c, nil, f.name .. ": some of " .. elements_text(f.dims[1]))
    read_subset(c, f.sparse, f.dims[1], f.limit, f.name, function(index)
        c.sub = subscripts(f.dims, index)
        read_element(c, f, record)
        c.sub = ""
    end)
    close(c)
end

-- ---- fields

local function read_presence(c, f, record)
    local start, name = c.bit, "has_" .. f.name
    local has = take(c, 1, start, name) == 1
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
        read_elements(c, f, record, read_count(c, f, record))
    elseif f.dims then
        read_elements(c, f, record, product(f.dims))
    else
        record[f.name] = read_element(c, f, record)
    end
end

-- ---- items

local function read_align(c)
    local start = c.bit
    take_padding(c, "")
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
    for _, item in ipairs(items) do
        item.read(c, item, record)
    end
end

local function take_tag(c, u)
    local start, last = c.bit, #u.members - 1
    local tag = take(c, digits_of(last), start, "tag")
    if tag > last then
        refuse(c, "range", start, "tag")
    end
    local member = u.members[tag + 1]
    add(c, u.tag_field, start, tag, "tag", format("%s (%.0f)", member.name, tag))
    return member
end

function read_union(c, u)
    local member = take_tag(c, u)
    open(c, member.field, member.name .. ": " .. member.type.name)
    local record = inside(c, member.name, read_struct, member.type)
    close(c)
    return { member = member, value = record }
end
