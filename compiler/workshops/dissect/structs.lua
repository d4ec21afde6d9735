-- structs.lua - functions of Lua for structs: their fields, and the blocks of their items.
-- SPDX-License-Identifier: MIT

-- ---- fields

left_slow = {} -- what has no quick form, by what is called for it

-- Leaves a field or an item to a function for all cases.
function put_call(b, name, call, ...)
    left_slow[#left_slow + 1] = format("%s of %s", call:match("[%w_]+"), name)
    put_ahead(b)
    put(b, "c.bit = bit " .. call .. " bit = c.bit", ...)
    b.left, b.skip = 0, 0
end

-- Puts branches: each has a condition, or is the last one, and a function that puts what it does.
function put_branches(b, branches)
    put_join(b)
    local before = b.left
    local least = before
    for i, branch in ipairs(branches) do
        put(b, branch[1] and "%s %s then" or "else", i == 1 and "if" or "elseif", branch[1])
        b.left = before
        branch[2]()
        put_join(b)
        least = math.min(least, b.left)
    end
    put(b, "end")
    b.left = least
end

-- Puts the value of the variable v into a field of the record, or into a variable that stands for it.
function put_set(b, f, value)
    put(b, b.targets[f] and "%s = %s" or "record[%q] = %s", b.targets[f] or f.name, value)
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
            list_names(item.otherwise or {}, texts)
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

-- Whether all fields of a struct are scalars that have a quick form.
function is_flat(items, how)
    for _, item in ipairs(items) do
        if not change_of(item, how) or item.optional or item.dims then
            return false
        end
    end
    return true
end

-- A struct in the function of another. Where its fields are scalars, they are variables until its record is made.
function put_leaf(b, f, how)
    local items, names = f.type.items, {}
    if is_flat(items, how) then
        for i, item in ipairs(items) do
            b.targets[item] = "x" .. i
            names[i] = format("[%q] = x%d", item.name, i)
        end
        put(b, "local base, changed = old, 0 local x1%s", #items > 1 and ", x" .. table.concat(range_of(2, #items), ", x") or "")
        put_items(b, items, how)
        put(b, "if changed == 0 then fail() end")
        for _, item in ipairs(items) do
            b.targets[item] = nil
        end
        put_set(b, f, "{ " .. table.concat(names, ", ") .. " }")
        return
    end
    put(b, "local outer, base = record, old local record, changed = %s, 0", record_text(f.type))
    put_items(b, items, how)
    put(b, "if changed == 0 then fail() end outer[%q] = record", f.name)
end

function range_of(from, to)
    local list = {}
    for i = from, to do
        list[#list + 1] = i
    end
    return list
end

function put_changed_field(b, f, how)
    local change = not f.optional and not f.dims and change_of(f, how)
    if change then
        put_old(b, f)
        change(b, f)
        put_set(b, f, "v")
    elseif how == "coded" and has_turn(f) then
        put_old(b, f)
        put_turn(b, f)
        put_set(b, f, "v")
    elseif is_leaf(f) then
        put_old(b, f)
        put_leaf(b, f, how)
    elseif is_inner(f) then
        put_old(b, f)
        put_ahead(b)
        put(b, "c.bit = bit local before = c.changed record[%q] = delta_struct(c, %s, old) bit = c.bit", f.name,
            constant_of(b, f.type))
        put(b, "if c.changed == before then fail() end")
        b.left, b.skip = 0, 0
    else
        put_call(b, f.name, "delta_field(c, %s, record, base)", constant_of(b, f))
    end
end

function put_kept_field(b, f)
    if f.optional or f.count_low or f.after then
        put(b, "c.bit = bit keep_field(c, %s, record, base)", constant_of(b, f))
    else
        put_old(b, f)
        put_set(b, f, "old")
    end
end

function put_field(b, f)
    if f.dims or f.optional or f.after or f.unless ~= nil or f.part or not is_simple(f.type) then
        put_call(b, f.name, "read_field(c, %s, record)", constant_of(b, f))
        return
    end
    need_bits(b, simple_bits(f.type))
    put_value(b, f.type, 0)
    pass(b, simple_bits(f.type))
    put_set(b, f, "v")
end

-- ---- blocks

-- Puts what is set of the mask of a block with code tables into set1, set2, and so on: the fields of each table.
function put_coded_mask(b, items, fields)
    for i, t in ipairs(items.masks) do
        prepare_symbols(t)
        need_bits(b, t.longest)
        put(b, "local set%d, n do local at = w %% %s set%d, n = %s[at], %s[at] end changed, lead = changed + set%d, lead - n", i,
            number_text(POWER[t.longest]), i, constant_of(b, t.symbols), constant_of(b, t.sizes), i)
        put_pass(b, "n", t.longest)
    end
    put(b, "lead = lead + %d", #fields)
end

-- Puts what the mask of a block would take in the coded form.
function put_mask_price(b, items, fields)
    local at = 0
    put(b, "lead = lead + %d", #fields)
    for _, t in ipairs(items.masks) do
        local size, skip = digits_of(t.count) - 1, at % 32
        if skip + size > 32 then
            b.is_unknown = true
        end
        put(b, "do local w = set%d", (at - skip) / 32 + 1)
        put_code(b, "symbol", skip, size)
        put(b, "lead = lead - %s[symbol + 1] end", constant_of(b, t.lengths))
        at = at + size
    end
end

-- The condition under which the field of a place in the mask has changed.
function mask_test(items, how, place, last)
    local set = 1
    if how == "coded" and items.masks then
        for i, t in ipairs(items.masks) do
            local size = digits_of(t.count) - 1
            set, last = i, size
            if place <= size then
                break
            end
            place = place - size
        end
    else
        set, place, last = (place - 1 - (place - 1) % 32) / 32 + 1, (place - 1) % 32 + 1, (last - 1) % 32 + 1
    end
    if place == last then
        return format("set%d >= %s", set, number_text(POWER[place - 1]))
    end
    return format("set%d %% %s >= %s", set, number_text(POWER[place]), number_text(POWER[place - 1]))
end

function put_mask(b, items, fields, how)
    if how == "coded" and items.masks then
        put_coded_mask(b, items, fields)
        return
    end
    for first = 1, #fields, 32 do
        local count = math.min(32, #fields - first + 1)
        local set = (first - 1) / 32 + 1
        need_bits(b, count)
        put(b, "local set%d = w %% %s changed = changed + set%d", set, number_text(POWER[count]), set)
        pass(b, count)
    end
    if how == "priced" and items.masks then
        put_mask_price(b, items, fields)
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
    local branches, done = {}, {}
    local function add_branch(condition, block)
        branches[#branches + 1] = { condition, function() put_items(b, block, how) end }
        done[block] = true
    end
    if text then
        add_branch(text, when)
    else
        put(b, "local block = chosen_block(%s, record)", constant_of(b, item))
        add_branch("not block", {})
        for _, block in pairs(item.blocks) do
            if not done[block] then
                add_branch("block == " .. constant_of(b, block), block)
            end
        end
    end
    if item.otherwise and not done[item.otherwise] then
        add_branch(nil, item.otherwise)
    end
    put_branches(b, branches)
end

-- `how`: "whole"; or for deltas "plain" or "coded"; or "priced", for those in the plain form of what has a coded one.
function put_items(b, items, how)
    local place, fields = 0, masked_fields(items)
    if how ~= "whole" then
        put_mask(b, items, fields, how)
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
            put_branches(b, {
                { mask_test(items, how, place, #fields), function() put_changed_field(b, item, how) end },
                { nil, function() put_kept_field(b, item) end },
            })
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
    lines[#lines + 1] = "return function(" .. parameters .. ") local words, bit, w, s, p, a = c.words, c.bit, 0"
    lines[#lines + 1] = table.concat(b, "\n")
    lines[#lines + 1] = "end"
    local make = not b.is_unknown and load(table.concat(lines, "\n"), "=quick", "t", QUICK_NAMES)
    return make and make(b.constants, POWER, fail)
end

QUICK_NAMES = { quantized_value = quantized_value, quantized_code = quantized_code, coded_value = coded_value,
                take_far = take_far, quick_turn = quick_turn, difference_cost = difference_cost, same_scalars = same_scalars,
                is_reached = is_reached, read_field = read_field, read_item = read_item, delta_field = delta_field,
                keep_field = keep_field, delta_struct = delta_struct, chosen_block = chosen_block, value_of = value_of }

function new_body()
    return { constants = {}, names = {}, targets = {}, left = 0, skip = 0, ahead = 0 }
end

function make_struct(t, how)
    local b = new_body()
    put(b, "local record = %s", record_text(t))
    if how ~= "whole" then
        put(b, "local changed, lead = 0, 0")
    end
    put_items(b, t.items, how)
    put_ahead(b)
    put(b, "if bit > c.limit then fail() end c.bit = bit")
    if how ~= "whole" then
        put(b, "if changed > 0 then c.changed = c.changed + 1 end")
    end
    if how == "coded" or how == "priced" then
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

