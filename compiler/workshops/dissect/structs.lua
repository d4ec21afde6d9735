-- structs.lua - functions of Lua for structs: their fields, and the blocks of their items.
-- SPDX-License-Identifier: MIT

-- ---- fields

-- What has no quick form, by what is called for it. All dissectors share the list: tests/dissect/work.lua prints it.
_G.pktc_slow = _G.pktc_slow or {}

function note_slow(call, name)
    _G.pktc_slow[call .. " of " .. name] = true
end

-- Leaves a field or an item to a function for all cases.
function put_call(b, name, call, ...)
    note_slow(call:match("[%w_]+"), name)
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

-- A field of the record, or the variable that stands for it.
function target_of(b, name)
    return b.targets and b.targets[name] or format("record[%q]", name)
end

function put_set(b, f, value)
    put(b, "%s = %s", target_of(b, f.name), value)
end

-- Reads the change of a field that is one value into v, with the function for all cases.
function put_apart(b, f)
    put(b, "local apart = {} c.bit = bit delta_field(c, %s, apart, base) v, bit = apart[%q], c.bit", constant_of(b, f), f.name)
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

MOST_VARIABLES = 40 -- which stand for the fields of a struct

-- Whether a choice is an `if` about one field, of which the name is in a list.
function asks_for_one_of(list, item)
    return item.is_choice and item.blocks["true"] and condition_text({}, item.subject) and list[item.subject[1][1]]
end

-- Adds to a list the fields of a block and the blocks in it, and their names as its keys. nil if one of them, or a condition,
-- needs the record.
function list_variables(items, how, list)
    for _, item in ipairs(items) do
        local blocks = asks_for_one_of(list, item) and { item.blocks["true"], item.otherwise }
        local has_variable = item.is_field and not item.optional and not item.dims and not item.after and not item.part
            and (how == "whole" and item.unless == nil and is_simple(item.type)
                 or how ~= "whole" and (change_of(item, how) or has_turn(item) or is_inner(item)))
        if has_variable and #list < MOST_VARIABLES then
            list[#list + 1], list[item.name] = item.name, true
        elseif not blocks then
            return nil
        end
        for _, block in pairs(blocks or {}) do
            if not list_variables(block, how, list) then
                return nil
            end
        end
    end
    return list
end

-- Puts the key of an element of a list, which is a parameter, or in the baseline.
function put_key(b, t, how)
    if t.key then
        put(b, how == "whole" and "%s = key" or "%s = base[%q]", target_of(b, t.key.name), t.key.name)
    end
end

-- Puts the items of a struct, of which the record is made at the end, where that is possible. The result is its text.
function put_record(b, t, how)
    local list, texts, names, outer = t.key and { t.key.name, [t.key.name] = true } or {}, {}, {}, b.targets
    list = list_variables(t.items, how, list)
    if not list or #list == 0 then
        b.targets = nil
        put(b, "local record = %s", record_text(t))
        put_key(b, t, how)
        put_items(b, t.items, how)
        b.targets = outer
        return "record"
    end
    b.targets = {}
    for i, name in ipairs(list) do
        if not b.targets[name] then
            names[#names + 1] = format("x%d_%d", b.depth, i)
            b.targets[name] = names[#names]
            texts[#texts + 1] = format("[%q] = %s", name, names[#names])
        end
    end
    b.depth = b.depth + 1
    put(b, "local %s", table.concat(names, ", "))
    put_key(b, t, how)
    put_items(b, t.items, how)
    b.depth, b.targets = b.depth - 1, outer
    return "{ " .. table.concat(texts, ", ") .. " }"
end

function put_changed_field(b, f, how)
    local change = not f.optional and not f.dims and change_of(f, how)
    if change then
        change(b, f)
        put_set(b, f, "v")
    elseif how ~= "plain" and has_turn(f) then
        if how == "coded" then
            put_turn(b, f)
        else
            put_ahead(b)
            put(b, "local v")
            put_apart(b, f)
            b.left, b.skip = 0, 0
        end
        put_set(b, f, "v")
    elseif is_leaf(f) then
        put_old(b, f)
        put(b, "local base, changed = old, 0")
        if not list_variables(f.type.items, how, {}) then
            put(b, "local outer = record")
        end
        local text = put_record(b, f.type, how)
        put(b, "if changed == 0 then fail() end")
        put(b, "%s = %s", text == "record" and target_of(b, f.name):gsub("^record", "outer") or target_of(b, f.name), text)
    elseif is_inner(f) then
        put_old(b, f)
        put_ahead(b)
        put(b, "c.bit = bit local before = c.changed %s = delta_struct(c, %s, old) bit = c.bit", target_of(b, f.name),
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
        local target = target_of(b, f.name)
        if b.targets then
            put(b, "%s = base[%q] if %s == nil then %s = value_of(base, %s) end", target, f.name, target, target, constant_of(b, f))
        else
            put_old(b, f)
            put(b, "%s = old", target)
        end
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
        local before = place - 1 - (place - 1) % 32
        set, place, last = before / 32 + 1, place - before, math.min(32, last - before)
    end
    if place == last then
        return format("set%d >= %s", set, number_text(POWER[place - 1]))
    end
    return format("set%d %% %s >= %s", set, number_text(POWER[place]), number_text(POWER[place - 1]))
end

function put_mask(b, items, fields, how)
    if items.mask_values and how ~= "plain" then
        b.is_unknown = true -- take_coded_mask takes it
        return
    end
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
function condition_text(b, condition)
    local path, value, operator = condition[1], condition[2], condition[3]
    local field = type(path) == "table" and #path == 1 and target_of(b, path[1])
    if field and #condition == 1 then
        return field .. " == true"
    elseif field and #condition == 3 and type(value) == "number" and operator == "==" then
        return format("%s == %s", field, number_text(value))
    elseif field and #condition == 3 and type(value) == "number" and COMPARISONS[operator] then
        return format("%s ~= nil and %s %s %s", field, field, COMPARISONS[operator], number_text(value))
    end
end

COMPARISONS = { ["=="] = "==", ["!="] = "~=", ["<"] = "<", ["<="] = "<=", [">"] = ">", [">="] = ">=" }

function put_choice(b, item, how)
    local when = item.blocks["true"]
    local text = when and condition_text(b, item.subject)
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

QUICK_NAMES = { quantized_value = quantized_value, quantized_code = quantized_code, coded_value = coded_value, code_in = code_in,
                take_far = take_far, quick_turn = quick_turn, difference_cost = difference_cost, same_scalars = same_scalars,
                is_reached = is_reached, read_field = read_field, read_item = read_item, delta_field = delta_field,
                keep_field = keep_field, delta_struct = delta_struct, chosen_block = chosen_block, value_of = value_of }

function new_body()
    return { constants = {}, names = {}, depth = 0, left = 0, skip = 0, ahead = 0 }
end

function make_struct(t, how)
    local b = new_body()
    if how ~= "whole" then
        put(b, "local changed, lead = 0, 0")
    end
    local record = put_record(b, t, how)
    put_ahead(b)
    put(b, "if bit > c.limit then fail() end c.bit = bit")
    if how ~= "whole" then
        put(b, "if changed > 0 then c.changed = c.changed + 1 end")
    end
    if how == "coded" or how == "priced" then
        put(b, "local coding = c.coding coding.lead = coding.lead + lead")
    end
    put(b, "return %s", record)
    return made_of(b, how == "whole" and "c, key" or "c, base")
end

-- The function of a struct, which is made when it is first used; false if there is none.
function quick_of(t, how)
    t.quick = t.quick or {}
    if t.quick[how] == nil then
        t.quick[how] = make_struct(t, how) or false
        if not t.quick[how] then
            note_slow("whole struct", t.name)
        end
    end
    return t.quick[how]
end

