-- quick.lua - reads what nobody looks at: without items, names and texts, by a function of Lua for each struct.
-- SPDX-License-Identifier: MIT
--
-- Most datagrams of a capture are only listed. Their values are needed for the Info column, and as baselines. So c.quick says
-- that nothing else is asked for. A function of a struct does the same as read_items, or delta_items, for exactly this case: it
-- accepts what they accept, with the same value. Where it would refuse, it gives up, and the datagram is read again with names.
-- What has no quick form here is left to the functions for all cases, field by field.

MOST_LOCALS = 100 -- constants of a function that are local variables; Lua has at most 200

-- ---- the text of a function

function put(b, ...)
    b[#b + 1] = format(...)
end

-- The name of a constant in the text.
function constant_of(b, value)
    local name = b.names[value]
    if not name then
        b.constants[#b.constants + 1] = value
        name = format(#b.constants <= MOST_LOCALS and "k%d" or "K[%d]", #b.constants)
        b.names[value] = name
    end
    return name
end

-- Puts the next 32 bits into the variable w.
function put_window(b)
    put(b, "local s = bit %% 32 local p, a = P[s], (bit - s) / 32 + 1 local w = words[a] "
        .. "w = (w - w %% p) / p + words[a + 1] %% p * (4294967296 / p)")
end

function number_text(number)
    return format("%.17g", number)
end

-- Puts into a variable the code of `bits` bits of w, behind `skip` others.
function put_code(b, into, skip, bits)
    if skip == 0 then
        put(b, "local %s = w %% %s", into, number_text(POWER[bits]))
    else
        put(b, "local %s = (w - w %% %s) / %s %% %s", into, number_text(POWER[skip]), number_text(POWER[skip]),
            number_text(POWER[bits]))
    end
end

-- ---- scalars

-- Whether a type has a quick form: numbers of up to 30 bits, whose code is between 0 and a top.
function is_simple(t)
    return t == bool or (t.read == read_int or t.read == read_quantized) and t.bits <= 30
        or (t.read == read_enum or t.read == read_flags) and t.raw.read == read_int and t.raw.bits <= 30
end

function simple_bits(t)
    return t == bool and 1 or t.raw and t.raw.bits or t.bits
end

-- Puts into the variable v the value of a simple type, whose code is in w behind `skip` bits.
function put_value(b, t, skip)
    if t == bool then
        put(b, "local v = w %% %s >= %s", number_text(POWER[skip + 1]), number_text(POWER[skip]))
        return
    end
    local raw = t.raw or t
    local most = raw.top or raw.most
    put_code(b, "v", skip, raw.bits)
    if most < POWER[raw.bits] - 1 then
        put(b, "if v > %s then fail() end", number_text(most))
    end
    if raw.read == read_quantized then
        local name = constant_of(b, t)
        put(b, "v = %s.values.results[v] or quantized_value(%s, v)", name, name)
    elseif raw.low ~= 0 then
        put(b, "v = v + %s", number_text(raw.low))
    end
    if t.read == read_enum and not t.open then
        put(b, "if not %s[v] then fail() end", constant_of(b, t.names))
    end
end

-- Puts the number of the value in the variable `old` into `from`: a code, or the value itself.
function put_from(b, t)
    if t.steps then
        local name = constant_of(b, t)
        put(b, "local from = %s.codes.results[old] or quantized_code(%s, old)", name, name)
    else
        put(b, "local from = old")
    end
end

-- Puts the value of the number `to` into v.
function put_to(b, t)
    local least, most = t.steps and 0 or t.least, t.steps and t.top or t.greatest
    if t.circle then
        put(b, "to = (to - %s) %% %s + %s", number_text(least), number_text(t.circle), number_text(least))
    end
    put(b, "if to < %s or to > %s then fail() end", number_text(least), number_text(most))
    if t.steps then
        local name = constant_of(b, t)
        put(b, "v = %s.values.results[to] or quantized_value(%s, to)", name, name)
    else
        put(b, "v = to")
    end
end

-- A number with steps, as delta_number reads it. v is its value.
function put_steps(b, f)
    local t = f.type
    local small, large = POWER[f.small - 1], POWER[f.large - 1]
    put_window(b)
    put_from(b, t)
    put(b, "local v")
    put(b, "if w %% 2 >= 1 or w %% 4 >= 2 then local to if w %% 2 >= 1 then")
    put_code(b, "far", 1, f.small)
    put(b, "bit = bit + %d to = from + (far - %s) else", 1 + f.small, number_text(small))
    put_code(b, "far", 2, f.large)
    put(b, "bit = bit + %d far = far - %s to = from + far + (far < 0 and %s or %s) end", 2 + f.large, number_text(large),
        number_text(-small), number_text(small))
    put_to(b, t)
    put(b, "if to == from then fail() end else bit = bit + %d local new do", 2 + t.bits)
    put_value(b, t, 2)
    put(b, "new = v end v = new if is_reached(%s, from, rank_of(%s, v)) then fail() end end", constant_of(b, f), constant_of(b, t))
end

-- A coded number, as coded_number reads it in the coded form, of a baseline that has not moved.
function put_coded(b, f)
    local t, codes = f.type, f.codes[1]
    local name = constant_of(b, codes)
    prepare_symbols(codes)
    put_window(b)
    if t.steps then
        put_from(b, t)
    else
        put(b, "local from = old - %s", number_text(t.least))
    end
    put(b, "local at = w %% %s local symbol, length = %s.symbols[at], %s.sizes[at]", number_text(POWER[codes.longest]), name, name)
    put(b, "if symbol == 0 then fail() end w = (w - w %% P[length]) / P[length] local place = P[symbol - 1]")
    put(b, "local far = place + (w - w %% 2) / 2 %% place length = length + symbol bit = bit + length")
    put(b, "local to = w %% 2 >= 1 and from - far or from + far")
    if t.circle then
        put(b, "if 2 * far >= %s + (w %% 2 >= 1 and 0 or 1) then fail() end to = to %% %s", number_text(t.circle),
            number_text(t.circle))
    else
        put(b, "if to < 0 or to > %s then fail() end", number_text(greatest_code(t)))
    end
    put(b, "lead = lead + %d - length", t.bits)
    if t.steps then
        local type_name = constant_of(b, t)
        put(b, "local v = %s.values.results[to] or quantized_value(%s, to)", type_name, type_name)
    else
        put(b, "local v = to + %s", number_text(t.least))
    end
end

function has_steps(f)
    local t = f.type
    return f.small and not t.parts and is_simple(t) and not t.raw and 2 + math.max(f.small, f.large, t.bits) <= 32
end

function has_codes(f)
    local t = f.type
    return f.codes and not t.parts and (t.steps or t.read == read_int) and is_simple(t)
        and LONGEST + f.codes[1].count <= 32
end

-- How the change of a scalar is read that has a quick form, from `old` to `v`; nil if it has none.
function change_of(f, is_coded)
    local t = f.type
    if f.after or f.unless ~= nil or f.part or t.is_bytes or t.items or t.members then
        return nil
    elseif t == bool then
        return function(b) put(b, "local v = not old") end
    elseif f.codes and is_coded then
        return has_codes(f) and put_coded
    elseif f.small then
        return has_steps(f) and put_steps
    end
    return is_simple(t) and function(b)
        put_window(b)
        put(b, "bit = bit + %d", simple_bits(t))
        put_value(b, t, 0)
        if t.steps then
            put(b, "if same_scalars(%s, old, v) then fail() end", constant_of(b, t))
        else
            put(b, "if v == old then fail() end")
        end
    end
end

-- ---- fields

left_slow = {} -- what has no quick form, by what is called for it

-- Leaves a field or an item to a function for all cases.
function put_call(b, name, call, ...)
    left_slow[#left_slow + 1] = format("%s of %s", call:match("[%w_]+"), name)
    put(b, "c.bit = bit " .. call .. " bit = c.bit", ...)
end

function put_old(b, f)
    put(b, "local old = base[%q] if old == nil then old = value_of(base, %s) end", f.name, constant_of(b, f))
end

MOST_NAMES = 32 -- for which a record has room when it is made

function list_names(items, texts)
    for _, item in ipairs(items) do
        if #texts < MOST_NAMES and item.is_field then
            texts[#texts + 1] = format("[%q] = nil", item.name)
        elseif item.is_choice then
            for _, block in pairs(item.blocks) do
                list_names(block, texts)
            end
        end
    end
    return texts
end

-- The text of an empty record, which has room for its fields.
function record_text(t)
    return "{ " .. table.concat(list_names(t.items, {}), ", ") .. " }"
end

-- Whether a field is a struct by itself.
function is_inner(f)
    return f.type.items and not f.optional and not f.dims and not f.part
end

MOST_INLINE = 8 -- fields of a struct that is read in the function of another

function is_leaf(f)
    local items = is_inner(f) and #f.type.items <= MOST_INLINE and f.type.items
    for _, item in ipairs(items or {}) do
        items = items and item.is_field and not item.type.items and items
    end
    return items
end

function put_changed_field(b, f, is_coded)
    local change = not f.optional and not f.dims and change_of(f, is_coded)
    if change then
        put_old(b, f)
        change(b, f)
        put(b, "record[%q] = v", f.name)
    elseif is_leaf(f) and not (f.type.holds_coded and is_coded) then
        put_old(b, f)
        put(b, "local outer, base = record, old local record, changed = %s, 0", record_text(f.type))
        put_items(b, f.type.items, is_coded and "coded" or "plain")
        put(b, "if changed == 0 then fail() end outer[%q] = record", f.name)
    elseif is_inner(f) then
        put_old(b, f)
        put(b, "c.bit = bit local before = c.changed record[%q] = delta_struct(c, %s, old) bit = c.bit", f.name,
            constant_of(b, f.type))
        put(b, "if c.changed == before then fail() end")
    else
        put_call(b, f.name, "delta_field(c, %s, record, base)", constant_of(b, f))
    end
end

function put_kept_field(b, f)
    if f.optional or f.count_low or f.after then
        put_call(b, f.name, "keep_field(c, %s, record, base)", constant_of(b, f))
    else
        put_old(b, f)
        put(b, "record[%q] = old", f.name)
    end
end

function put_field(b, f)
    if f.dims or f.optional or f.after or f.unless ~= nil or f.part or not is_simple(f.type) then
        put_call(b, f.name, "read_field(c, %s, record)", constant_of(b, f))
        return
    end
    put_window(b)
    put(b, "bit = bit + %d", simple_bits(f.type))
    put_value(b, f.type, 0)
    put(b, "record[%q] = v", f.name)
end

-- ---- blocks

-- Puts what is set of the mask of a block with code tables into set1, set2, and so on: the fields of each table.
function put_coded_mask(b, items, fields)
    put(b, "local bits = 0")
    local at = 0
    for i, t in ipairs(items.masks) do
        local name = constant_of(b, t)
        prepare_symbols(t)
        put(b, "local set%d do", i)
        put_window(b)
        put(b, "local at = w %% %s set%d = %s.symbols[at] bit = bit + %s.sizes[at] lead = lead - %s.sizes[at] end",
            number_text(POWER[t.longest]), i, name, name, name)
        at = at + digits_of(t.count) - 1
        put(b, "changed = changed + set%d", i)
    end
    put(b, "lead = lead + %d", #fields)
end

-- The condition under which the field of a place in the mask has changed.
function mask_test(items, is_coded, place)
    local set = 1
    if is_coded and items.masks then
        for i, t in ipairs(items.masks) do
            local size = digits_of(t.count) - 1
            set = i
            if place <= size then
                break
            end
            place = place - size
        end
    else
        set, place = (place - 1 - (place - 1) % 32) / 32 + 1, (place - 1) % 32 + 1
    end
    return format("set%d %% %s >= %s", set, number_text(POWER[place]), number_text(POWER[place - 1]))
end

function put_mask(b, items, fields, is_coded)
    if is_coded and items.masks then
        put_coded_mask(b, items, fields)
        return
    end
    for first = 1, #fields, 32 do
        local count = math.min(32, #fields - first + 1)
        local set = (first - 1) / 32 + 1
        put(b, "local set%d do", set)
        put_window(b)
        put(b, "set%d = w %% %s bit = bit + %d changed = changed + set%d end", set, number_text(POWER[count]), count, set)
    end
end

-- ---- structs

-- The condition of an `if` about one field, so that the field is there; nil for others.
function condition_text(condition)
    local path, value, operator = condition[1], condition[2], condition[3]
    local is_field = type(path) == "table" and #path == 1
    if is_field and #condition == 1 then
        return format("record[%q] == true", path[1])
    elseif is_field and #condition == 3 and type(value) == "number" and COMPARISONS[operator] then
        return format("record[%q] ~= nil and record[%q] %s %s", path[1], path[1], COMPARISONS[operator], number_text(value))
    end
end

COMPARISONS = { ["=="] = "==", ["!="] = "~=", ["<"] = "<", ["<="] = "<=", [">"] = ">", [">="] = ">=" }

function put_choice(b, item, how)
    local when = item.blocks["true"]
    local text = when and condition_text(item.subject)
    if text then
        put(b, "if %s then", text)
        put_items(b, when, how)
        if item.otherwise then
            put(b, "else")
            put_items(b, item.otherwise, how)
        end
        put(b, "end")
        return
    end
    local done = {}
    put(b, "local block = chosen_block(%s, record) if not block then", constant_of(b, item))
    for _, block in pairs(item.blocks) do
        if not done[block] then
            done[block] = true
            put(b, "elseif block == %s then", constant_of(b, block))
            put_items(b, block, how)
        end
    end
    if item.otherwise and not done[item.otherwise] then
        put(b, "else")
        put_items(b, item.otherwise, how)
    end
    put(b, "end")
end

-- `how`: "whole", or for deltas "plain" or "coded".
function put_items(b, items, how)
    local place = 0
    if how ~= "whole" then
        put_mask(b, items, masked_fields(items), how == "coded")
    end
    for _, item in ipairs(items) do
        put(b, "do")
        if item.is_choice then
            put_choice(b, item, how)
        elseif not item.is_field then
            put_call(b, item.name or "align", "read_item(c, %s, record)", constant_of(b, item))
        elseif how == "whole" then
            put_field(b, item)
        else
            place = place + 1
            put(b, "if %s then", mask_test(items, how == "coded", place))
            put_changed_field(b, item, how == "coded")
            put(b, "else")
            put_kept_field(b, item)
            put(b, "end")
        end
        put(b, "end")
    end
end

function fail()
    error(NAMELESS, 0)
end

function read_item(c, item, record)
    item.read(c, item, record)
end

-- Makes a function of its body and the names of its parameters; nil where Lua's limits for a function are too narrow for it:
-- 200 local variables, 200 levels of blocks. Then the functions for all cases read what it would.
function made_of(b, parameters)
    local lines = { "local K, P, fail = ..." }
    for i = 1, math.min(MOST_LOCALS, #b.constants) do
        lines[#lines + 1] = format("local k%d = K[%d]", i, i)
    end
    lines[#lines + 1] = "return function(" .. parameters .. ") local words, bit = c.words, c.bit"
    lines[#lines + 1] = table.concat(b, "\n")
    lines[#lines + 1] = "end"
    local make = load(table.concat(lines, "\n"), "=quick", "t", QUICK_NAMES)
    return make and make(b.constants, POWER, fail)
end

QUICK_NAMES = { quantized_value = quantized_value, quantized_code = quantized_code, same_scalars = same_scalars,
                is_reached = is_reached, rank_of = rank_of, read_field = read_field, read_item = read_item, delta_field = delta_field,
                keep_field = keep_field, delta_struct = delta_struct, chosen_block = chosen_block, value_of = value_of }

function new_body()
    return { constants = {}, names = {} }
end

function make_struct(t, how)
    local b = new_body()
    put(b, "local record = %s", record_text(t))
    if how ~= "whole" then
        put(b, "local changed, lead = 0, 0")
    end
    put_items(b, t.items, how)
    put(b, "if bit > c.limit then fail() end c.bit = bit")
    if how ~= "whole" then
        put(b, "if changed > 0 then c.changed = c.changed + 1 end")
    end
    if how == "coded" then
        put(b, "c.coding.lead = c.coding.lead + lead")
    end
    put(b, "return record")
    return made_of(b, how == "whole" and "c" or "c, base")
end

-- The function of a struct, which is made when it is first used; false if there is none.
function quick_of(t, how)
    t.quick = t.quick or {}
    if t.quick[how] == nil then
        t.quick[how] = make_struct(t, how) or false
    end
    return t.quick[how]
end

-- ---- elements of arrays

-- The function that reads the change of an element from its baseline; false if there is none.
function quick_element(f, is_coded)
    local how = is_coded and "coded" or "plain"
    f.quick = f.quick or {}
    if f.quick[how] == nil then
        local change, b = change_of(f, is_coded), new_body()
        if change then
            put(b, "local lead = 0")
            change(b, f)
            put(b, "if bit > c.limit then fail() end c.bit = bit")
            put(b, is_coded and "c.coding.lead = c.coding.lead + lead return v" or "return v")
        end
        f.quick[how] = change and made_of(b, "c, old") or false
    end
    return f.quick[how]
end

-- The function that reads a changed element of an array; nil if there is none, or if baselines have moved.
function quick_reader(c, f)
    local t, is_coded = f.type, c.coding and not c.coding.is_plain
    if next(c.was_of) or t.items and c.coding and not is_coded then
        return nil
    end
    return t.items and quick_of(t, is_coded and "coded" or "plain") or not t.items and quick_element(f, is_coded) or nil
end

-- Reads a changed element.
function quick_change(c, f, read, record, at, old, new)
    local before, from = c.changed, old[at]
    if not read then
        delta_element(c, f, record, at, "", old, new)
        return
    elseif from == nil then
        from = blank_of(f)
    end
    new[at] = read(c, from)
    if f.type.items and c.changed == before then
        fail()
    end
    c.changed = before + 1
end

-- Takes the indices of a bitmap, as SUBSETS.bitmap does.
function quick_bitmap(c, n)
    local present, least, bits = {}, 0, 0
    need(c, n, c.bit, "")
    for first = 0, n - 1, 32 do
        local count = n - first < 32 and n - first or 32
        local set, index = take_few(c, count), first
        while set > 0 do
            local is_present = set % 2
            if is_present == 1 then
                present[#present + 1] = index
                bits = bits + difference_bits(index - least + 1, n)
                least = index + 1
            end
            set, index = (set - is_present) / 2, index + 1
        end
    end
    if bits + difference_bits(n - least + 1, n) <= n then
        fail()
    end
    return present
end

-- Reads the changed elements of an array of one dimension, or of the innermost one, as a subset in the mode `auto`.
function quick_elements(c, f, record, n, first, old, new)
    local read = quick_reader(c, f)
    if take_bit(c, c.bit, "") then
        for _, index in ipairs(quick_bitmap(c, n)) do
            quick_change(c, f, read, record, first + index, old, new)
        end
        return
    end
    local least, bits = 0, 0
    while least <= n do
        local difference = take_difference(c, n, c.bit, "")
        least = least + difference
        bits = bits + (NEAR_BITS[difference] or 6 + far_bits(n))
        if least <= n then
            quick_change(c, f, read, record, first + least - 1, old, new)
        end
    end
    if least > n + 1 or bits > n then
        fail()
    end
end
