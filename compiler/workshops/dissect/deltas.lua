-- deltas.lua - deltas: which fields have changed since the baseline, and what was sent for them.
-- SPDX-License-Identifier: MIT
--
-- The baseline is not in the datagram. Where it is nil, because it is not known, a delta is shown as it is: masks,
-- steps, and the values that were sent in full. Its record has only these values. If a condition asks for another one,
-- the dissection ends. Everything else is refused as a reader would.

function delta_inside(c, t, base)
    return (t.members and delta_union or delta_struct)(c, t, base)
end

-- ---- steps of numbers

-- The step from one number or code to another: whether it is down, and how far. On a circle it is the shorter way, and
-- up if both ways have the same length.
function way_between(t, from, to)
    local down = to < from
    local far = down and from - to or to - from
    if t.circle and (2 * far > t.circle or 2 * far == t.circle and down) then
        return not down, t.circle - far
    end
    return down, far
end

-- The number of a value for steps: a greater value has a greater number. It is a UInt64 for a wide type, and nil for a raw
-- value of a type with `or raw`.
function rank_of(t, value)
    if t.steps then
        return quantized_code(t, value)
    elseif t.code_of then
        return t.code_of(value)
    elseif t.is_wide and t.make == s64 then
        return to_u64(value) + u64(0x80000000, 0)
    end
    return value
end

-- The value of a number; nil if it is out of range.
function value_of_rank(t, rank)
    if t.steps then
        return rank >= 0 and rank <= t.top and quantized_value(t, rank) or nil
    elseif t.value_of then
        return (t.is_wide or rank >= 0 and rank <= t.top) and t.value_of(rank) or nil
    elseif not t.is_wide then
        return rank >= t.least and rank <= t.greatest and rank or nil
    end
    local bits = t.make == s64 and rank - u64(0x80000000, 0) or rank
    if bits - u64(t.high, t.low) > t.most then
        return nil
    end
    return t.make(halves_of(bits))
end

-- A step that was taken: whether it is down, and how far. The numbers are UInt64 for a wide type.
function take_step(c, f, is_small, start)
    local bits = is_small and f.small or f.large
    local raw, half, beyond
    if f.type.is_wide then
        raw = u64(take_halves(c, bits, start, f.name))
        half, beyond = UInt64.new(1):lshift(bits - 1), UInt64.new(1):lshift(f.small - 1)
    else
        raw, half, beyond = take(c, bits, start, f.name), POWER[bits - 1], POWER[f.small - 1]
    end
    local down = raw < half
    local far = down and half - raw or raw - half
    if is_small then
        return down, far, true
    end
    return down, far + beyond, not f.type.is_wide or far + beyond >= far
end

-- The number that a step leads to; nil if there is none.
function stepped(t, from, down, far)
    if t.circle then
        local first = t.steps and 0 or t.least
        return (from + (down and -far or far) - first) % t.circle + first
    elseif not t.is_wide then
        return down and from - far or from + far
    elseif down then
        return far <= from and from - far or nil
    end
    return from + far >= from and from + far or nil
end

-- Whether a step can be sent: small, or large.
function is_reached(f, from, to)
    local down, far = way_between(f.type, from, to)
    local small, large
    if f.type.is_wide then
        small, large = UInt64.new(1):lshift(f.small - 1), UInt64.new(1):lshift(f.large - 1)
    else
        small, large = POWER[f.small - 1], POWER[f.large - 1]
    end
    if down and far <= small or not down and far < small then
        return true
    end
    return down and far - small <= large or not down and far - small < large
end

function step_text(down, far)
    return (down and "-" or "+") .. int_text(nil, far)
end

-- The second result is whether the value differs from the baseline, if a step tells that.
function delta_number(c, f, base)
    local t, start, name = f.type, c.bit, f.name
    local from = base ~= nil and rank_of(t, base)
    local is_small = take_bit(c, start, name)
    if not is_small and not take_bit(c, start, name) then
        local value = t.read(c, t, start, name)
        local to = from and rank_of(t, value)
        if to and is_reached(f, from, to) then
            refuse(c, "canonical", start, name)
        end
        show(c, f, start, value)
        return value
    end
    local down, far, fits = take_step(c, f, is_small, start)
    if base == nil then
        add(c, layout.changes, start, nil, name, c.visible and step_text(down, far))
        return nil
    end
    local rank = from and fits and stepped(t, from, down, far)
    local value = rank and value_of_rank(t, rank)
    if not value then
        refuse(c, "range", start, name)
    end
    show(c, f, start, value, c.visible and step_text(down, far))
    return value, rank ~= from
end

-- ---- steps of rotations

function rotation_is_reached(f, largest, codes, now_largest, now_codes)
    local reached = largest == now_largest
    for i = 1, 3 do
        reached = reached and is_reached(f, codes[i], now_codes[i])
    end
    return reached
end

-- The rotation of these codes, which steps have changed; nil without a baseline.
function show_turned(c, f, start, base, largest, now, texts)
    local text = table.concat(texts, ", ")
    if not base then
        add(c, layout.changes, start, nil, f.name, text)
        return nil
    end
    local value = quat_value(f.type, largest, now)
    if not value then
        refuse(c, "range", start, f.name)
    end
    show(c, f, start, value, text)
    return value
end

function delta_rotation(c, f, base)
    local t, start, name = f.type, c.bit, f.name
    local largest, codes
    if base then
        largest, codes = quat_codes(t, base)
    end
    if not take_bit(c, start, name) then
        local value = t.read(c, t, start, name)
        if base and rotation_is_reached(f, largest, codes, quat_codes(t, value)) then
            refuse(c, "canonical", start, name)
        end
        show(c, f, start, value)
        return value
    end
    local texts, now = {}, {}
    for i = 1, 3 do
        local down, far = take_step(c, f, take_bit(c, start, name), start)
        texts[i] = c.visible and step_text(down, far) or ""
        now[i] = base and stepped(t, codes[i], down, far)
    end
    return show_turned(c, f, start, base, largest, now, texts)
end

-- ---- values

-- A bool in a mask or a subset has changed; elsewhere, it is sent whole.
function delta_value(c, f, record, base, is_whole)
    local t = f.type
    if t.items or t.members then
        open(c, f.field, c.visible and element_text(c, f, base), t.field)
        local result = inside(c, f.name, t.key and delta_keyed or delta_inside, t, base)
        close(c)
        return result
    elseif t == bool and f.unless == nil and not is_whole then
        if base == nil then
            add(c, layout.changes, c.bit, nil, f.name, "the other value")
            return nil
        end
        show(c, f, c.bit, not base)
        return not base
    elseif f.codes and c.coding then
        return (t.parts and not f.values and coded_rotation or coded_number)(c, f, base)
    elseif f.small then
        return (t.parts and delta_rotation or delta_number)(c, f, base)
    end
    return read_element(c, f, record)
end

-- Whether a value that was read differs from its baseline. Parts that differ were counted in c.changed, which was
-- `before` at its beginning.
function has_changed(c, t, old, new, before)
    if t.items then
        return c.changed > before
    elseif t.members then
        return c.changed > before or old.member ~= new.member
    end
    return not same_scalars(t, old, new)
end

-- Reads an element that has changed, at an index of the list. `sub` has its subscripts.
function delta_element(c, f, record, at, sub, old, new)
    local start, before = c.bit, c.changed
    local from = old and element_of(f, old, at)
    c.sub = c.named and sub or ""
    local value, is_step = delta_value(c, f, record, from, false)
    if old then
        new[at] = value
        if not (is_step or is_step == nil and has_changed(c, f.type, from, value, before)) then
            refuse(c, "canonical", start, f.name)
        end
    end
    c.changed = before + 1
end

-- Reads the changed elements of a dimension. `each` is the number of innermost elements in one of them, `first` the
-- index of the first of all. old and new are lists; nil if the baseline is not known. `list` is the change of a list with keys.
function delta_elements(c, f, record, d, first, old, new, list)
    if c.quick and old and not d.inner then
        quick_elements(c, f, record, d.count, first, old, new)
        refuse_gone(list, new)
        return
    end
    local outer = c.sub
    if not list then
        open(c, nil, c.visible and f.name .. outer .. ": changes of " .. elements_text(d.count))
    end
    read_subset(c, "auto", d.count, d.count, f.name, function(index)
        need_left(c, f, list, index)
        local start, at, before = c.bit, first + index * d.each, c.changed
        local sub = c.named and outer .. format("[%.0f]", list and place_of(list, index) or index) or ""
        if d.inner then
            c.sub = sub
            delta_elements(c, f, record, d.inner, at, old, new)
            if old and c.changed == before then
                refuse(c, "canonical", start, f.name)
            end
            c.changed = before + 1
        else
            delta_element(c, f, record, at, sub, old, new)
        end
        c.sub = outer
    end, list)
    if not list then
        close(c)
    end
end

-- The dimensions of an array: of each, how many elements it has, and how many innermost ones are in each of these.
function dimensions_of(f, count)
    local inner
    local each = 1
    for d = #f.dims, 1, -1 do
        local n = f.count_low and count or f.dims[d]
        inner = { count = n, each = each, inner = inner }
        each = each * n
    end
    return inner
end

function delta_array(c, f, record, base)
    local count = f.count_low and read_count(c, f, record) or product(f.dims)
    local old = base and value_of(base, f)
    local new = old and list_from(old, count_of(base, f), count)
    if f.coded and c.coding then
        coded_elements(c, f, record, count, old, new)
    else
        delta_elements(c, f, record, dimensions_of(f, count), 0, old, new)
    end
    record[f.name] = new
    return base and count ~= count_of(base, f)
end

function delta_field(c, f, record, base)
    local start, before = c.bit, c.changed
    local was_there = base and is_there(base, f)
    local from = base and (was_there and base or {})
    local is_other = base and not was_there
    if f.optional and not read_presence(c, f, record) then
        if is_other then
            refuse(c, "canonical", start, f.name)
        end
        c.changed = before + 1
        return
    end
    if f.dims then
        local has_others = (f.type.key and delta_list or delta_array)(c, f, record, from)
        is_other = is_other or has_others or c.changed > before
    else
        local old = from and value_of(from, f)
        if f.codes and c.coding then
            local was = from and c.was_of[from]
            c.was = was and value_of(was, f)
        end
        local value, is_step = delta_value(c, f, record, old, f.optional)
        record[f.name] = value
        if base and not is_other then
            is_other = is_step or is_step == nil and has_changed(c, f.type, old, value, before)
        end
    end
    if base and not is_other then
        refuse(c, "canonical", start, f.name)
    end
    c.changed = before + 1
end

-- An unchanged field takes the baseline's value.
function keep_field(c, f, record, base)
    if not base then
        return
    elseif f.optional then
        local was_there = is_there(base, f)
        record["has_" .. f.name] = was_there
        if not was_there then
            return
        end
    end
    record[f.name] = value_of(base, f)
    if f.count_low then
        record[f.name .. "_count"] = count_of(base, f)
    end
    if f.after and record[f.name] <= record[f.after] then
        refuse(c, "order", c.bit, f.name)
    end
end

-- ---- blocks

-- The fields of a block itself, which have a bit in its mask.
function masked_fields(items)
    if not items.masked then
        items.masked = {}
        for _, item in ipairs(items) do
            if item.is_field then
                table.insert(items.masked, item)
            end
        end
    end
    return items.masked
end

-- Takes a bit for each field.
function take_plain_mask(c, fields, changed)
    local count = #fields
    need(c, count, c.bit, "changes")
    for first = 1, count, 32 do
        local last = first + 31 < count and first + 31 or count
        local mask = take_few(c, last - first + 1)
        for i = first, last do
            if mask % 2 == 1 then
                changed[fields[i]] = true
                mask = mask - 1
            end
            mask = mask / 2
        end
    end
end

-- Takes the mask of a block, and returns the set of fields that have changed.
function take_mask(c, items)
    local start, changed, fields = c.bit, {}, masked_fields(items)
    if c.coding and items.masks then
        take_coded_mask(c, fields, changed, items.masks, items.mask_values)
    else
        take_plain_mask(c, fields, changed)
    end
    if c.visible then
        local names = {}
        for i = 1, #fields do
            names[#names + 1] = changed[fields[i]] and fields[i].name
        end
        add(c, layout.changes, start, nil, "changes", #names > 0 and table.concat(names, ", ") or "none")
    end
    return changed
end

function delta_choice(c, item, record, base)
    local block, unknown = chosen_block(item, record)
    if unknown then
        local text = format("what follows depends on %s%s, which only the baseline has", c.prefix, unknown)
        give_up(c, { unknown = true, bit = c.bit, text = text })
    elseif block then
        delta_items(c, block, record, base)
    end
end

function delta_items(c, items, record, base)
    local changed = take_mask(c, items)
    for i = 1, #items do
        local item = items[i]
        if item.is_choice then
            delta_choice(c, item, record, base)
        elseif not item.is_field then
            item.read(c, item, record)
        elseif changed[item] then
            delta_field(c, item, record, base)
        else
            keep_field(c, item, record, base)
        end
    end
end

function delta_struct(c, t, base)
    local read = c.quick and base and not c.was_of[base] and quick_of(t, how_of(c))
    if read then
        return read(c, base)
    end
    local record = t.key and { [t.key.name] = base[t.key.name] } or {}
    delta_items(c, t.items, record, base)
    return record
end

function delta_union(c, u, base)
    local member = take_tag(c, u)
    local old = base and (base.member == member and base.value or blank_value(member.type))
    open(c, member.field, c.visible and member.name .. ": " .. member.type.name, member.type.field)
    local record = inside(c, member.name, delta_struct, member.type, old)
    close(c)
    return { member = member, value = record }
end

-- ---- order

-- Refuses an `after` that is not greater than its start, as in base values. What was not sent may have one.
function check_order(c, t, value)
    if t.members then
        inside(c, value.member.name, check_order, value.member.type, value.value)
    elseif t.holds_after then
        check_items_order(c, t.items, value)
    end
end

function check_items_order(c, items, record)
    for _, item in ipairs(items) do
        if item.is_choice then
            check_items_order(c, chosen_block(item, record) or {}, record)
        elseif item.is_field and is_there(record, item) then
            check_field_order(c, item, record)
        end
    end
end

function check_field_order(c, f, record)
    local value = value_of(record, f)
    if f.after and value <= value_of(record, { name = f.after, blank = 0, type = f.type }) then
        refuse(c, "order", c.bit, f.name)
    elseif f.type.holds_after and f.dims then
        for i = 0, count_of(record, f) - 1 do
            c.sub = subscripts(c, f.dims, i)
            inside(c, f.name, check_order, f.type, element_of(f, value, i))
        end
        c.sub = ""
    elseif f.type.holds_after then
        inside(c, f.name, check_order, f.type, value)
    end
end

-- A delta of a type: the whole of what is sent for it. In the delta of another type it is `delta_inside`.
function read_whole_delta(c, t, base)
    local value = (t.holds_coded and coded_delta or delta_inside)(c, t, base)
    if base then
        check_order(c, t, value)
    end
    return value
end
