-- lists.lua - lists: arrays whose elements are sorted by a key, which is sent before each element.
-- SPDX-License-Identifier: MIT
--
-- The record of an element has its key too. In the delta of a list, an element is known by its index in the old list, and shown
-- with its index in the new one and its key.

-- ---- keys

-- "id 17"
function key_text(t, record)
    local key = t.key
    return key.name .. " " .. key.type.text(key.type, record[key.name])
end

-- The label of an element of an array. That of a list has its key in the record.
function element_text(c, f, record)
    local text = f.name .. c.sub .. ": " .. f.type.name
    return f.type.key and text .. ", " .. key_text(f.type, record) or text
end

-- Takes a difference from 1 on, of which the codes up to `most` have more bits than a Lua number. The second result is the
-- part that is beyond FAR; nil if there is none.
function take_wide_difference(c, most, start, name)
    local near = FORM_OF[peek(c) % 64]
    if near then
        return take_difference(c, 0, start, name)
    end
    need(c, 6, start, name)
    c.bit = c.bit + 6
    return FAR, u64(take_halves(c, code_digits(most - u64(0, FAR - 1)), start, name))
end

function take_wide_key(c, previous, most, start, name)
    local near, beyond = take_wide_difference(c, most, start, name)
    local first = previous or u64(0, 0)
    local more = u64(0, previous and near or near - 1)
    local left = most - first
    if more > left or beyond and beyond > left - more then
        refuse(c, "range", start, name)
    end
    return first + more + (beyond or u64(0, 0))
end

-- Takes the key behind the one that has the code `previous`, which is nil for the first key. The results are its code and the key.
function take_key(c, key, previous, name)
    local t, start = key.raw, c.bit
    local most = greatest_code(t)
    local code
    if t.is_wide then
        code = take_wide_key(c, previous, most, start, name)
    else
        local difference = take_difference(c, most, start, name)
        previous = previous or -1
        if difference > most - previous then
            refuse(c, "range", start, name)
        end
        code = previous + difference
    end
    return code, value_of_code(t, code)
end

-- ---- whole lists

function read_keyed(c, t, start, key)
    if not c.quick then
        show(c, t.key, start, key)
    end
    return read_struct(c, t, key)
end

-- Reads the body of an element, whose key began at `start` and ends here.
function read_listed(c, f, start, key)
    local bit = c.bit
    c.bit = start
    open(c, f.field, c.visible and element_text(c, f, { [f.type.key.name] = key }), f.type.field)
    c.bit = bit
    local record = inside(c, f.name, read_keyed, f.type, start, key)
    close(c)
    return record
end

function read_list(c, f, record, count)
    local list, code, key = {}, nil, nil
    record[f.name] = list
    open(c, nil, c.visible and f.name .. ": " .. elements_text(count))
    for i = 0, count - 1 do
        local start = c.bit
        c.sub = subscripts(c, f.dims, i)
        code, key = inside(c, f.name, take_key, f.type.key, code, f.type.key.name)
        list[i] = read_listed(c, f, start, key)
    end
    c.sub = ""
    close(c)
end

-- ---- deltas: what becomes of a list. It has
--
-- old, count   the elements before, and how many there are
-- gone         of these, which ones are gone, by their index; nil if none is
-- keys         those of the new elements, in their order
-- places       the index that an element of old has now, by its old one; of the new elements, new_places
-- left         how many elements there are now

-- Takes which elements are gone.
function take_gone(c, f, change)
    local start, gone, count = c.bit, {}, 0
    local some = take_bit(c, start, f.name)
    show_index(c, f, start, some and "some gone" or "none gone")
    if not some then
        return
    end
    read_subset(c, "auto", change.count, change.count, f.name, function(index)
        gone[index] = true
        count = count + 1
    end, change)
    if count == 0 then
        refuse(c, "canonical", start, f.name)
    end
    change.gone, change.left = gone, change.count - count
end

-- Gives the old elements their places, up to the first one whose key is not below `key`; nil: all of them. The result is
-- whether that one has the same key.
function place_old(change, name, key)
    local at = change.at
    while at < change.count and (key == nil or change.old[at][name] < key) do
        if not (change.gone and change.gone[at]) then
            change.places[at] = change.place
            change.place = change.place + 1
        end
        at = at + 1
    end
    change.at = at
    return at < change.count and change.old[at][name] == key
end

-- Takes the keys of the new elements.
function take_new_keys(c, f, change)
    local t, code, key = f.type, nil, nil
    while true do
        local start = c.bit
        local more = take_bit(c, start, f.name)
        show_index(c, f, start, more and "a new key" or "no new key")
        if not more then
            return
        end
        start = c.bit
        code, key = take_key(c, t.key, code, f.name)
        local is_old = place_old(change, t.key.name, key)
        if is_old or change.left == f.dims[1] then
            refuse(c, is_old and "order" or "range", start, f.name)
        end
        add(c, layout.index, start, nil, f.name, c.visible and key_text(t, { [t.key.name] = key }))
        change.keys[#change.keys + 1], change.new_places[#change.new_places + 1] = key, change.place
        change.place, change.left = change.place + 1, change.left + 1
    end
end

-- The index that an element of the old list has now.
function place_of(change, index)
    return change.places[index] or index
end

-- Refuses an element that is gone, where it would begin.
function need_left(c, f, change, index)
    if change and change.gone and change.gone[index] then
        refuse(c, "order", c.bit, f.name)
    end
end

-- Gives up if elements that are gone have changed. They were read as those of an array.
function refuse_gone(change, changed)
    for index in pairs(change and change.gone or {}) do
        if changed[index] ~= nil then
            fail()
        end
    end
end

-- What a new element starts from: initial values, on whose branches its key can decide.
function keyed_initial(t, key)
    if t.has_initials then
        local record = { [t.key.name] = key }
        fill_items(t.items, record, true)
        return record
    end
    return setmetatable({ [t.key.name] = key }, { __index = blank_value(t) })
end

-- An element that has changed, or is new. Filters find it by its key.
function delta_keyed(c, t, base)
    if not c.quick then
        show(c, t.key, c.bit, base[t.key.name])
    end
    return delta_struct(c, t, base)
end

-- The start value, if the list is a field of the part's type itself, so that its new elements may start from those there.
function start_of_list(c, f)
    for _, item in ipairs(c.starting and c.starting.type.items or {}) do
        if item == f then
            if not c.starting.is_known then
                local text = format("what follows depends on %s%s, which only the start value has", c.prefix, f.name)
                give_up(c, { unknown = true, bit = c.bit, text = text })
            end
            return c.starting.value
        end
    end
    return nil
end

function delta_new_elements(c, f, record, change, new)
    local start, at, count = change.keys[1] ~= nil and start_of_list(c, f), 0, 0
    local list, name, how = nil, f.type.key.name, c.coding or {}
    local is_outer = how.is_new
    if start then
        list, count = value_of(start, f), count_of(start, f)
    end
    how.is_new = true
    for i, key in ipairs(change.keys) do
        local place = change.new_places[i]
        while at < count and list[at][name] < key do
            at = at + 1
        end
        local from = at < count and list[at][name] == key and list[at] or keyed_initial(f.type, key)
        c.sub = subscripts(c, f.dims, place)
        new[place] = delta_value(c, f, record, from, true)
        c.sub = ""
    end
    how.is_new = is_outer
end

-- The list after a delta, without its new elements. `changed` has those that have changed, by their old index.
function list_after(change, changed)
    local new = {}
    for i = 0, change.count - 1 do
        local place = change.places[i]
        if place then
            local now = changed[i]
            if now == nil then
                now = change.old[i]
            end
            new[place] = now
        end
    end
    return new
end

-- A list with other keys is made anew, which takes no bits. In one datagram, this happens to so many elements at most.
local MOST_MOVED = 1000000

-- Finds the places of all elements that are left.
function move_elements(c, f, change)
    c.moved = c.moved + change.count
    if c.moved > MOST_MOVED then
        give_up(c, { unknown = true, bit = c.bit, text = "what follows are too many changes of long lists" })
    end
    place_old(change, f.type.key.name)
end

-- Reads a list that has changed. The result is whether it has other keys.
function delta_list(c, f, record, base)
    if not base then
        local text = format("what follows depends on %s%s, which only the baseline has", c.prefix, f.name)
        give_up(c, { unknown = true, bit = c.bit, text = text })
    end
    local old, count = value_of(base, f), count_of(base, f)
    local change = { old = old, count = count, left = count, keys = {}, places = {}, new_places = {}, at = 0, place = 0, type = f.type }
    open(c, nil, c.visible and f.name .. ": changes of " .. elements_text(count))
    take_gone(c, f, change)
    take_new_keys(c, f, change)
    local is_other = change.gone ~= nil or change.keys[1] ~= nil
    if is_other then
        move_elements(c, f, change)
    end
    local changed = is_other and {} or list_from(old, count, count)
    if f.coded and c.coding then
        coded_elements(c, f, record, count, count, old, changed, change)
    else
        delta_elements(c, f, record, { count = count, each = 1 }, 0, old, changed, change)
    end
    local new = is_other and list_after(change, changed) or changed
    delta_new_elements(c, f, record, change, new)
    close(c)
    record[f.name], record[f.name .. "_count"] = new, change.left
    return is_other
end

-- ---- predictions

-- Calls a function for the elements of two lists that have the same key, with their indices.
function each_pair(name, one, count, other, other_count, call)
    local at = 0
    for i = 0, count - 1 do
        local key = one[i][name]
        while at < other_count and other[at][name] < key do
            at = at + 1
        end
        if at < other_count and other[at][name] == key then
            call(i, at)
        end
    end
end
