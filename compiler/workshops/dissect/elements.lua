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

NEAR, NEAR_SIZES = {}, {} -- by the next LOOK bits: the difference that they begin with, and how many bits it has, unless it is far
for number = 1, POWER[LOOK] - 1 do
    local form = FORM_OF[number % 64]
    if form then
        NEAR_SIZES[number] = form + FORMS[form][2]
        NEAR[number] = FORM_FIRST[form] + floor(number % POWER[NEAR_SIZES[number]] / POWER[form])
    end
end

-- Reads the changed elements of an array of one dimension, or of the innermost one, as a subset in the mode `auto`.
function quick_elements(c, f, record, n, first, old, new)
    local read, words = quick_reader(c, f), c.words
    if take_bit(c, c.bit, "") then
        for _, index in ipairs(quick_bitmap(c, n)) do
            quick_change(c, f, read, record, first + index, old, new)
        end
        return
    end
    local least, bits = 0, 0
    while least <= n do
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
        if least <= n then
            quick_change(c, f, read, record, first + least - 1, old, new)
        end
    end
    if least > n + 1 or bits > n or c.bit > c.limit then
        fail()
    end
end
