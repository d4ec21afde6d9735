-- elements.lua - the changed elements of arrays, where nobody looks at them.
-- SPDX-License-Identifier: MIT

-- ---- elements of arrays

-- The function that reads the change of an element from its baseline; false if there is none.
function quick_element(f, how)
    f.quick = f.quick or {}
    if f.quick[how] == nil then
        local change, b = change_of(f, how), new_body()
        if change then
            put(b, "local lead = 0")
            change(b, f)
            put_ahead(b)
            put(b, "if bit > c.limit then fail() end c.bit = bit")
            put(b, how == "plain" and "return v" or "c.coding.lead = c.coding.lead + lead return v")
        end
        f.quick[how] = change and made_of(b, "c, old") or false
    end
    return f.quick[how]
end

-- The form of the delta that is read.
function how_of(c)
    return not c.coding and "plain" or c.coding.is_plain and "priced" or "coded"
end

-- The function that reads a changed element of an array; false if there is none, or if baselines have moved.
function quick_reader(c, f)
    if next(c.was_of) then
        return false
    end
    return f.type.items and quick_of(f.type, how_of(c)) or not f.type.items and quick_element(f, how_of(c))
end

-- Takes the indices of a bitmap, as SUBSETS.bitmap does.
function quick_bitmap(c, n)
    local present, count, least, bits, far = {}, 0, 0, 0, 6 + far_bits(n)
    need(c, n, c.bit, "")
    for first = 0, n - 1, 32 do
        local set, index = take_few(c, n - first < 32 and n - first or 32), first
        while set > 0 do
            local is_present = set % 2
            if is_present == 1 then
                count = count + 1
                present[count] = index
                bits = bits + (NEAR_BITS[index - least + 1] or far)
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

NEAR, NEAR_SIZES = {}, {} -- by the next LOOK bits: the difference that they begin with, and how many bits it has, unless it is far
for number = 1, POWER[LOOK] - 1 do
    local form = FORM_OF[number % 64]
    if form then
        NEAR_SIZES[number] = form + FORMS[form][2]
        NEAR[number] = FORM_FIRST[form] + floor(number % POWER[NEAR_SIZES[number]] / POWER[form])
    end
end

-- Reads the changed elements of n behind each other: those of a list of indices, or with the differences of a subset before them.
function quick_changes(c, f, record, list, n, first, old, new)
    local read, words, before, blank = quick_reader(c, f), c.words, c.changed, blank_of(f)
    local is_struct, count, least, bits = f.type.items, list and #list or n + 1, 0, 0
    for i = 1, count do
        if list then
            least = list[i] + 1
        else
            local bit = c.bit
            local s = bit % 32
            local p, a = POWER[s], (bit - s) / 32 + 1
            local w = words[a]
            local at = ((w - w % p) / p + words[a + 1] % p * (4294967296 / p)) % 4096
            local difference, size = NEAR[at], NEAR_SIZES[at]
            if difference then
                c.bit = bit + size
            else
                difference, size = take_difference(c, n, bit, ""), 6 + far_bits(n)
            end
            least, bits = least + difference, bits + size
            if least > n then
                break
            end
        end
        local at = first + least - 1
        if read then
            local from = old[at]
            if from == nil then
                from = blank
            end
            c.changed = before
            new[at] = read(c, from)
            if is_struct and c.changed == before then
                fail()
            end
            c.changed = before + 1
        else
            delta_element(c, f, record, at, "", old, new)
        end
    end
    if least > n + 1 or bits > n or c.bit > c.limit then
        fail()
    end
end

-- Reads the changed elements of an array of one dimension, or of the innermost one, as a subset in the mode `auto`.
function quick_elements(c, f, record, n, first, old, new)
    quick_changes(c, f, record, take_bit(c, c.bit, "") and quick_bitmap(c, n), n, first, old, new)
end

-- Reads elements that are deltas to those before them, as read_chained does. False if there is no function for it: what has a
-- mask takes at least one bit, so a count does not keep it busy beyond the end.
function quick_chain(c, f, list, count)
    local t = f.type
    local read = t.items and #masked_fields(t.items) > 0 and not t.holds_after and not t.holds_coded and quick_of(t, "plain")
    if not read or count == 0 then
        return false
    end
    local previous = blank_value(t)
    c.coding, c.was_of = nil, {}
    for i = 0, count - 1 do
        previous = read(c, previous)
        list[i] = previous
    end
    return true
end
