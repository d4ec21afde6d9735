-- baselines.lua - values as baselines: their fields, and showing them as a whole.
-- SPDX-License-Identifier: MIT

-- ---- fields

local fill_items

-- The base value of a struct or union, or its initial value. Nobody changes it.
function blank_value(t, is_initial)
    local name = is_initial and t.has_initials and "initial" or "blank"
    if t[name] == nil then
        t[name] = {}
        if t.members then
            t[name].member = t.members[1]
            t[name].value = blank_value(t.members[1].type, is_initial)
        else
            fill_items(t.items, t[name], is_initial)
        end
    end
    return t[name]
end

-- The base value of a field, or of an element of an array; or its initial value.
function blank_of(f, is_initial)
    local t = f.type
    if t.members or t.items then
        return blank_value(t, is_initial)
    end
    if is_initial and f.has_initial then
        return f.initial
    end
    return f.blank
end

-- The elements of an array in such a value. They are listed if they have no base values.
function blank_list(f, is_initial)
    local list = {}
    if is_initial and f.has_initial then
        for i = 0, (f.count_low or product(f.dims)) - 1 do
            list[i] = blank_of(f, true)
        end
    end
    return list
end

-- Conditions ask for base values as for others.
function fill_items(items, record, is_initial)
    for _, item in ipairs(items) do
        if item.is_choice then
            fill_items(chosen_block(item, record) or {}, record, is_initial)
        elseif item.is_field and item.optional then
            record["has_" .. item.name] = false
        elseif item.is_field then
            record[item.name] = (item.dims and blank_list or blank_of)(item, is_initial)
            record[item.name .. "_count"] = item.count_low
        end
    end
end

function value_of(record, f)
    local value = record[f.name]
    if value == nil then
        return f.dims and {} or blank_of(f)
    end
    return value
end

function is_there(record, f)
    return not f.optional or record["has_" .. f.name] == true
end

function element_of(f, list, index)
    local value = list[index]
    if value == nil then
        return blank_of(f)
    end
    return value
end

function count_of(record, f)
    return f.count_low and (record[f.name .. "_count"] or f.count_low) or product(f.dims)
end

-- ---- lists: a list that was made from another has only what is different, so that a capture with many deltas needs no more
-- memory than they do

local MOST_LAYERS = 32

function list_from(old, old_count, count)
    local meta = getmetatable(old)
    local layers = meta and meta.layers or 1
    if layers < MOST_LAYERS and count >= old_count then
        return setmetatable({}, { __index = old, layers = layers + 1 })
    end
    local flat, all = {}, { old }
    while meta do
        table.insert(all, 1, meta.__index)
        meta = getmetatable(meta.__index)
    end
    for _, list in ipairs(all) do
        for index, value in pairs(list) do
            flat[index] = index < count and value or nil
        end
    end
    return flat
end

-- ---- a value as a whole, when only its difference was sent

function whole_element(c, f, value)
    local t = f.type
    if t.items then
        open(c, f.field, element_text(c, f, value), t.field)
        inside(c, f.name, whole_struct, t, value)
        close(c)
    elseif t.members then
        open(c, f.field, f.name .. c.sub .. ": " .. t.name, t.field)
        open(c, value.member.field, value.member.name .. ": " .. value.member.type.name, value.member.type.field)
        inside(c, f.name, whole_items, value.member.type.items, value.value)
        close(c)
        close(c)
    else
        show(c, f, c.bit, value)
    end
end

-- The elements of an array of scalars. There can be thousands of them, so this does what show does, but what is the same for
-- all of them only once.
function whole_scalars(c, f, list, count)
    local t, field, name, here = f.type, f.field, f.name, range(c, c.bit, c.bit)
    for i = 0, count - 1 do
        if not has_room(c) then
            break
        end
        local value = element_of(f, list, i)
        local text = t.text(t, value)
        local shown = value
        if t.filter then
            shown = t.filter(t, value, text)
        end
        c.tree:add(field, here, shown, format("%s[%.0f]: %s", name, i, cut_text(text)))
    end
end

function whole_field(c, f, record)
    local value = value_of(record, f)
    if not is_there(record, f) then
        return
    elseif not f.dims then
        whole_element(c, f, value)
        return
    end
    local count = count_of(record, f)
    open(c, nil, f.name .. ": " .. elements_text(count))
    if #f.dims == 1 and not (f.type.items or f.type.members or f.type.is_bytes or f.part_fields) then
        whole_scalars(c, f, value, count)
        count = 0
    end
    for i = 0, count - 1 do
        if c.items > MOST_ITEMS then
            break
        end
        c.sub = subscripts(c, f.dims, i)
        whole_element(c, f, element_of(f, value, i))
    end
    c.sub = ""
    close(c)
end

function whole_struct(c, t, record)
    if t.key then
        show(c, t.key, c.bit, record[t.key.name])
    end
    whole_items(c, t.items, record)
end

function whole_items(c, items, record)
    for _, item in ipairs(items) do
        if item.is_choice then
            local block = chosen_block(item, record)
            if block then
                whole_items(c, block, record)
            end
        elseif item.is_field then
            whole_field(c, item, record)
        end
    end
end

-- Shows a struct of which a delta was sent.
function show_whole_field(c, f, value)
    if c.visible then
        open(c, f.field, f.name .. c.sub .. ": the whole value", f.type.field)
        inside(c, f.name, whole_items, f.type.items, value)
        close(c)
    end
end

-- Shows a value of a struct or union, if somebody sees it: it can be much larger than the sent part.
function show_whole(c, t, value)
    if not c.visible then
        return
    end
    open(c, t.field, t.name .. ": the whole value")
    if t.members then
        open(c, value.member.field, value.member.name .. ": " .. value.member.type.name, value.member.type.field)
        whole_items(c, value.member.type.items, value.value)
        close(c)
    else
        whole_items(c, t.items, value)
    end
    close(c)
end
