-- deltas.lua - deltas: which fields have changed since the baseline, and what was sent for them.
-- SPDX-License-Identifier: MIT
--
-- A datagram does not contain the baseline. So a delta is shown as it is: masks, steps, and the values that were sent in
-- full, which are all that its record has. Where a condition asks for another one, the dissection ends.

local delta_items, delta_struct, delta_union

local function delta_inside(c, t)
    return t.members and delta_union(c, t) or delta_struct(c, t)
end

-- ---- steps

local function step_text(high, low, bits, beyond)
    if bits > 52 then
        return format("step 0x%x%08x of %.0f bits", high, low, bits)
    end
    local step = high * 4294967296 + low - POWER[bits - 1]
    step = step + (step < 0 and -beyond or beyond)
    return format("%s%.0f", step < 0 and "-" or "+", math.abs(step))
end

-- Takes a small or a large step.
local function take_step(c, f, is_small, start)
    local bits = is_small and f.small or f.large
    local high, low = take_halves(c, bits, start, f.name)
    return step_text(high, low, bits, is_small and 0 or POWER[f.small - 1])
end

local function read_step(c, f, start)
    local is_small = take(c, 1, start, f.name) == 1
    if is_small or take(c, 1, start, f.name) == 1 then
        return take_step(c, f, is_small, start)
    end
end

local function read_rotation_steps(c, f, start)
    if take(c, 1, start, f.name) == 1 then
        local steps = {}
        for i = 1, 3 do
            steps[i] = take_step(c, f, take(c, 1, start, f.name) == 1, start)
        end
        return "steps " .. table.concat(steps, ", ")
    end
end

local function delta_number(c, f)
    local start = c.bit
    local step = (f.type.parts and read_rotation_steps or read_step)(c, f, start)
    if step then
        add(c, layout.changes, start, nil, f.name, step)
        return nil
    end
    local value, more = f.type.read(c, f.type, start, f.name)
    show(c, f, start, value, more)
    return value
end

-- ---- values

-- A bool in a mask or a subset has changed; elsewhere, it is sent whole.
local function delta_value(c, f, record, is_whole)
    local t = f.type
    if t.items or t.members then
        open(c, f.field, f.name .. c.sub .. ": " .. t.name)
        local result = inside(c, f.name, delta_inside, t)
        close(c)
        return result
    elseif t == bool and f.unless == nil and not is_whole then
        add(c, layout.changes, c.bit, nil, f.name, "the other value")
        return nil
    elseif f.small then
        return delta_number(c, f)
    end
    return read_element(c, f, record)
end

local function delta_elements(c, f, record, depth, count)
    local outer = c.sub
    open(c, nil, f.name .. outer .. ": changes of " .. elements_text(count))
    read_subset(c, "auto", count, count, f.name, function(index)
        c.sub = outer .. format("[%.0f]", index)
        if not f.count_low and depth < #f.dims then
            delta_elements(c, f, record, depth + 1, f.dims[depth + 1])
        else
            delta_value(c, f, record, false)
        end
        c.sub = outer
    end)
    close(c)
end

local function delta_field(c, f, record)
    if f.optional and not read_presence(c, f, record) then
        return
    end
    if f.count_low then
        delta_elements(c, f, record, 1, read_count(c, f, record))
    elseif f.dims then
        delta_elements(c, f, record, 1, f.dims[1])
    else
        record[f.name] = delta_value(c, f, record, f.optional)
    end
end

-- ---- blocks

-- Takes a bit for each field of the block itself.
local function take_mask(c, items)
    local start, changed, names, count = c.bit, {}, {}, 0
    for _, item in ipairs(items) do
        count = count + (item.is_field and 1 or 0)
    end
    need(c, count, start, "")
    for _, item in ipairs(items) do
        if item.is_field and take_few(c, 1) == 1 then
            changed[item] = true
            names[#names + 1] = item.name
        end
    end
    add(c, layout.changes, start, nil, "changes", #names > 0 and table.concat(names, ", ") or "none")
    return changed
end

local function delta_choice(c, item, record)
    local block, unknown = chosen_block(item, record)
    if unknown then
        local text = format("what follows depends on %s%s, which only the baseline has", c.prefix, unknown)
        error({ unknown = true, bit = c.bit, text = text }, 0)
    elseif block then
        delta_items(c, block, record)
    end
end

function delta_items(c, items, record)
    local changed = take_mask(c, items)
    for _, item in ipairs(items) do
        if item.is_choice then
            delta_choice(c, item, record)
        elseif not item.is_field then
            item.read(c, item, record)
        elseif changed[item] then
            delta_field(c, item, record)
        end
    end
end

function delta_struct(c, t)
    local record = {}
    delta_items(c, t.items, record)
    return record
end

function delta_union(c, u)
    local member = take_tag(c, u)
    open(c, member.field, member.name .. ": " .. member.type.name)
    local record = inside(c, member.name, delta_struct, member.type)
    close(c)
    return record
end
