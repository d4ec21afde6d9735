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

-- w has the bits from `bit` on: b.left of them at least, behind b.skip that were read. `bit` is b.ahead bits behind.
function put_shift(b)
    if b.skip > 0 and b.left > 0 then
        put(b, "w = (w - w %% %s) / %s", number_text(POWER[b.skip]), number_text(POWER[b.skip]))
    end
    b.skip = 0
end

function put_ahead(b)
    if b.ahead > 0 then
        put(b, "bit = bit + %d", b.ahead)
    end
    b.ahead = 0
end

-- Before a branch, and at its end, so that all branches leave the same behind.
function put_join(b)
    put_shift(b)
    put_ahead(b)
end

WINDOW = "s = bit % 32 p = P[s] a = (bit - s) / 32 + 1 w = words[a] "
    .. "w = (w - w % p) / p + words[a + 1] % p * (4294967296 / p)"

-- Puts at least `count` bits into w, up to 32.
function need_bits(b, count)
    if b.left >= count then
        put_shift(b)
        return
    end
    put_ahead(b)
    b[#b + 1] = WINDOW
    b.left, b.skip = 32, 0
end

-- Goes on by bits of w, of which nothing more is read.
function pass(b, count)
    b.ahead, b.skip, b.left = b.ahead + count, b.skip + count, b.left - count
end

-- Goes on by as many bits of w as a variable says, up to `most`.
function put_pass(b, variable, most)
    b.left = b.left - most
    put(b, "bit = bit + %s", variable)
    if b.left > 0 then
        put(b, "p = P[%s] w = (w - w %% p) / p", variable)
    end
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

-- Whether a type has a quick form: numbers of up to 32 bits, whose code is between 0 and a top.
function is_simple(t)
    return t == bool or (t.read == read_int or t.read == read_quantized) and t.bits <= 32
        or (t.read == read_enum or t.read == read_flags) and t.raw.read == read_int and t.raw.bits <= 32
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
        put(b, "v = %s[v] or quantized_value(%s, v)", constant_of(b, raw.values.results), name)
    elseif raw.low ~= 0 then
        put(b, "v = v + %s", number_text(raw.low))
    end
    if t.read == read_enum and not t.open then
        put(b, "if not %s[v] then fail() end", constant_of(b, t.names))
    end
end

-- Puts the value of a field in the baseline into `old`.
function put_old(b, f)
    put(b, "local old = base[%q] if old == nil then old = value_of(base, %s) end", f.name, constant_of(b, f))
end

-- The code of a field in the baseline.
function code_in(base, f)
    return quantized_code(f.type, value_of(base, f))
end

-- Puts the code of the baseline into `from`. That of an element is the variable `old`.
function put_from(b, f)
    local t = f.type
    local known = t.steps and constant_of(b, t.codes.results)
    if t.steps and f.dims then
        put(b, "local from = %s[old] or quantized_code(%s, old)", known, constant_of(b, t))
    elseif t.steps then
        put(b, "local from = %s[base[%q]] or code_in(base, %s)", known, f.name, constant_of(b, f))
    else
        put_old_scalar(b, f)
        put(b, "local from = old - %s", number_text(t.least))
    end
end

function put_old_scalar(b, f)
    if not f.dims then
        put_old(b, f)
    end
end

-- Puts the value of the code in the variable `to` into v.
function put_value_of(b, t)
    if t.steps then
        put(b, "local v = %s[to] or coded_value(%s, to)", constant_of(b, t.values.results), constant_of(b, t))
    else
        put(b, "if to < 0 or to > %s then fail() end local v = to + %s", number_text(greatest_code(t)), number_text(t.least))
    end
end

-- A number with steps, as delta_number reads it. v is its value.
function put_steps(b, f)
    local t = f.type
    local small, large = POWER[f.small - 1], POWER[f.large - 1]
    local round = t.circle and " % " .. number_text(t.circle) or ""
    need_bits(b, 2 + math.max(f.small, f.large, t.bits))
    put_from(b, f)
    put_ahead(b)
    put(b, "local to if w %% 2 >= 1 then")
    put_code(b, "far", 1, f.small)
    put(b, "bit = bit + %d to = (from + (far - %s))%s elseif w %% 4 >= 2 then", 1 + f.small, number_text(small), round)
    put_code(b, "far", 2, f.large)
    put(b, "bit = bit + %d far = far - %s to = (from + far + (far < 0 and %s or %s))%s else bit = bit + %d", 2 + f.large,
        number_text(large), number_text(-small), number_text(small), round, 2 + t.bits)
    put_code(b, "code", 2, t.bits)
    put(b, "to = code if is_reached(%s, from, to) then fail() end end if to == from then fail() end", constant_of(b, f))
    put_value_of(b, t)
    b.left = 0
end

LOOK = 12 -- bits, which most differences have at most with their symbol and sign

-- Lists the difference and its bits of each number that the next LOOK bits may be, as they come.
function prepare_ways(codes)
    prepare_symbols(codes)
    codes.ways, codes.way_sizes = codes.ways or {}, codes.way_sizes or {}
end

-- Takes a difference of a code table: below 0 if it is down. The second result is how many bits it has. nil for the symbol of
-- a rotation that is sent whole.
function take_far(codes, words, bit)
    local s = bit % 32
    local p, a = POWER[s], (bit - s) / 32 + 1
    local w = words[a]
    w = (w - w % p) / p + words[a + 1] % p * (4294967296 / p)
    local at = w % POWER[codes.longest]
    local symbol, size, far = codes.symbols[at], codes.sizes[at], 0
    if symbol > (codes.most or symbol) then
        return nil
    elseif symbol > 0 then
        local rest, place = (w - w % POWER[size]) / POWER[size], POWER[symbol - 1]
        far = place + (rest - rest % 2) / 2 % place
        far, size = rest % 2 >= 1 and -far or far, size + symbol
    end
    for number = size <= LOOK and w % POWER[size] or POWER[LOOK], POWER[LOOK] - 1, POWER[size] do
        codes.ways[number], codes.way_sizes[number] = far, size
    end
    return far, size
end

-- The value of a code, which may be out of range.
function coded_value(t, code)
    if code < 0 or code > t.top then
        fail()
    end
    return quantized_value(t, code)
end

-- Puts the difference of a code table, and its sign, into `to`, and how many bits it has into n.
function put_way(b, codes)
    prepare_ways(codes)
    need_bits(b, LOOK)
    put_ahead(b)
    put(b, "local at = w %% %d local n, to = %s[at], %s[at] if n then", POWER[LOOK], constant_of(b, codes.way_sizes),
        constant_of(b, codes.ways))
    put_pass(b, "n", LOOK)
    put(b, "else to, n = take_far(%s, words, bit) bit = bit + n", constant_of(b, codes))
    if b.left > 0 then
        b[#b + 1] = WINDOW
    end
    put(b, "end")
end

-- A coded number, as coded_number reads it in the coded form, of a baseline that has not moved.
function put_coded(b, f)
    local t = f.type
    put_from(b, f)
    put_way(b, f.codes[1])
    put(b, "if to == 0 then fail() end")
    if t.circle then
        put(b, "if 2 * to > %s or -2 * to >= %s then fail() end to = (from + to) %% %s", number_text(t.circle),
            number_text(t.circle), number_text(t.circle))
    else
        put(b, "to = from + to")
    end
    put(b, "lead = lead + %d - n", t.bits)
    put_value_of(b, t)
end

-- A coded number in the plain form.
function put_priced(b, f)
    local t = f.type
    put_from(b, f)
    need_bits(b, t.bits)
    put_code(b, "to", 0, t.bits)
    pass(b, t.bits)
    put(b, "if to == from then fail() end lead = lead + %d - difference_cost(%s, %s, from, to)", t.bits, constant_of(b, t),
        constant_of(b, f.codes[1]))
    put_value_of(b, t)
end

-- The change of a rotation with the same largest component, as take_turn reads it, and how many bits it has. nil if it is sent
-- otherwise, or is to be refused, or where that takes a closer look: the functions for all cases tell.
function quick_turn(f, words, bit, old)
    local t, codes, P = f.type, f.codes[1], POWER
    local sizes, ways, known = codes.way_sizes, codes.ways, t.values.results
    local largest, from = old.largest, old.codes
    if not from then
        largest, from = quat_codes(t, old)
    end
    local s = bit % 32
    local p, a = P[s], (bit - s) / 32 + 1
    local w = words[a]
    w = (w - w % p) / p + words[a + 1] % p * (4294967296 / p)
    local at = w % 4096
    local first = sizes[at]
    if not first then
        take_far(codes, words, bit)
        return nil
    end
    local to, x = from[1] + ways[at], P[first]
    at = (w - w % x) / x % 4096
    local second = sizes[at]
    if not second then
        take_far(codes, words, bit + first)
        return nil
    end
    local far, n = ways[at], first + second
    local to_second = from[2] + far
    s = (bit + n) % 32
    p, a = P[s], (bit + n - s) / 32 + 1
    w = words[a]
    at = ((w - w % p) / p + words[a + 1] % p * (4294967296 / p)) % 4096
    local third = sizes[at]
    if not third then
        take_far(codes, words, bit + n)
        return nil
    end
    local to_third = from[3] + ways[at]
    if to == from[1] and far == 0 and to_third == from[3] then
        return nil
    end
    local y, z
    x, y, z = known[to], known[to_second], known[to_third]
    if not (x and y and z) or x * x + y * y + z * z > 0.999999 then
        return nil
    end
    return { largest = largest, codes = { to, to_second, to_third } }, n + third
end

function put_turn(b, f)
    prepare_ways(f.codes[1])
    f.codes[1].most = f.type.bits
    put_ahead(b)
    put_old(b, f)
    put(b, "local v, n = quick_turn(%s, words, bit, old) if v then bit = bit + n lead = lead + %d - n else", constant_of(b, f),
        2 + 3 * f.type.bits)
    put_apart(b, f)
    put(b, "end")
    b.left, b.skip = 0, 0
end

-- Whether a field is a rotation with codes, which is by itself.
function has_turn(f)
    return f.codes and f.type.read == read_quat and not f.optional and not f.dims and f.unless == nil and not f.after and LONGEST + f.type.bits + 1 <= 32
end

function has_steps(f)
    local t = f.type
    return f.small and not t.parts and is_simple(t) and not t.raw and 2 + math.max(f.small, f.large, t.bits) <= 32
end

function has_codes(f)
    local t = f.type
    return f.codes and not f.values and not t.parts and (t.steps or t.read == read_int) and is_simple(t)
        and LONGEST + f.codes[1].count <= 32
end

-- How the change of a scalar is read that has a quick form, from `old` to `v`; nil if it has none. `how` as for put_items.
function change_of(f, how)
    local t = f.type
    if f.after or f.unless ~= nil or f.part or t.is_bytes or t.items or t.members then
        return nil
    elseif t == bool then
        return function(b)
            put_old_scalar(b, f)
            put(b, "local v = not old")
        end
    elseif f.codes and how ~= "plain" then
        return has_codes(f) and (how == "coded" and put_coded or put_priced)
    elseif f.small then
        return has_steps(f) and put_steps
    end
    return is_simple(t) and function(b)
        need_bits(b, simple_bits(t))
        put_value(b, t, 0)
        pass(b, simple_bits(t))
        put_old_scalar(b, f)
        if t.steps then
            put(b, "if same_scalars(%s, old, v) then fail() end", constant_of(b, t))
        else
            put(b, "if v == old then fail() end")
        end
    end
end
