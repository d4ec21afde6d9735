#!/usr/bin/env python3
# roundtrip.py - proves or refutes the claims of one function of roundtrip.h.
# SPDX-License-Identifier: MIT
#
# usage: roundtrip.py CODE.ll FUNCTION NUMBER[,NUMBER]...
#
# CODE.ll is compiled with roundtrip.h. Executes FUNCTION with each NUMBER, or two of them, as its arguments, and asks the SAT solver cadical
# whether a claim can be false. Prints each that can be, with an example, and exits with 1 then.
#
# Abstract are, each by the same unknown function of its arguments in both directions:
# - the checksum of the bytes
# - whether a text is UTF-8; known are that plain texts are, and that texts with a zero are not
# - the code of a quantized float. Known is what quantized.c finds out by trying all floats and all codes: each code is that of
#   its value; 0 is the value of a code; the code of a number is in range, or UINT32_MAX for what is not finite. Code that
#   only copies floats, compares them with 0 and passes them to these two functions cannot tell which floats the values
#   are: here the value of a code is the float whose bits are the code, less that of 0.
import sys

import bits
import ir
import machine
from bits import FALSE, TRUE, all_of, any_of, bits_of, chosen, differ, equal, number


def literal(v):
    return v if isinstance(v, int) else v[0]


def nonzero(byte):
    return any_of(bits_of(byte, 8))


class Abstract:
    """A function of bytes: equal arguments give equal results."""

    def __init__(self, width, known=None):
        self.width, self.known = width, known
        self.results = {}

    def of(self, part):
        key = tuple(part)
        if key not in self.results:
            result = bits.unknown(self.width)
            for other, v in self.results.items():
                if len(other) == len(key):
                    same = all_of(equal(x, y, 8) for x, y in zip(key, other))
                    if same != FALSE:
                        for x, y in zip(result, v):
                            bits.constraints.append([same ^ 1, differ(x, y) ^ 1])
            if self.known:
                self.known(key, result)
            self.results[key] = result
        return self.results[key]


def text_known(key, result):
    plain = all_of(bits.both(nonzero(x), bits_of(x, 8)[7] ^ 1) for x in key)
    bits.constraints.append([plain ^ 1, result[0]])
    bits.constraints.append([all_of(nonzero(x) for x in key), result[0] ^ 1])


class Floats:
    """Codes of quantized floats. A range is lo, hi and steps, all known. compared: floats are also compared with each
    other, so it counts that equal floats have equal codes."""

    def __init__(self, compared):
        self.codes, self.others, self.compared = {}, [], compared

    def zero(self, scale):
        """The code of 0: on a circle, and in a range from 0 on, 0; else the middle one."""
        lo, hi, steps = scale
        if steps >> 31 or lo == 0:
            return 0
        assert lo == hi ^ 1 << 31 and steps % 2 == 0
        return steps // 2

    def last(self, scale):
        steps = scale[2]
        return (steps & 0x7FFFFFFF) - 1 if steps >> 31 else steps

    def value(self, code, scale):
        """code is at most the last one, where the result matters. Both directions flip the same bits."""
        zero = self.zero(scale)
        return code ^ zero if isinstance(code, int) else tuple(x ^ (zero >> i & 1) for i, x in enumerate(code))

    def code(self, v, scale):
        key = (v, scale)
        if key in self.codes:
            return self.codes[key]
        literals = bits_of(v, 32)
        zero, last = self.zero(scale), self.last(scale)
        code = self.value(v, scale)
        is_value = bits.at_least(last, code, 32)
        negative_zero = equal(v, 1 << 31, 32)
        finite = all_of(literals[23:31]) ^ 1
        if isinstance(v, int):
            other = 0xFFFFFFFF
        else:
            other = bits.unknown(32)
            bits.constraints.append([bits.at_least(last, other, 32), all_of(other)])
            for w, of_scale, code_of_w in self.others:
                if self.compared and of_scale == scale:
                    same = equal(v, w, 32)
                    for x, y in zip(other, code_of_w):
                        bits.constraints.append([same ^ 1, differ(x, y) ^ 1])
            self.others.append((v, scale, other))
        other = chosen(finite, other, 0xFFFFFFFF, 32)
        result = chosen(is_value, code, chosen(negative_zero, zero, other, 32), 32)
        if isinstance(v, int):
            assert TRUE in (is_value, negative_zero), (v, scale)
        self.codes[key] = result
        return result


class Claims:
    """The functions that the code calls, but that are not part of it."""

    def __init__(self, compared):
        self.checksum, self.text, self.floats = Abstract(32), Abstract(1, text_known), Floats(compared)

    def table(self):
        found = {'@' + n[5:]: getattr(self, n) for n in dir(self) if n.startswith('call_')}
        found['@bcmp'] = found['@memcmp']
        found['@pkt_crc32_within'] = found['@pkt_crc32']
        for name, of in (('memcpy', self.copy), ('memmove', self.copy), ('memset', self.set)):
            found['@' + name] = of
            found[f'@llvm.{name}.p0i8.p0i8.i64' if of == self.copy else '@llvm.memset.p0i8.i64'] = of
        return found

    @staticmethod
    def sized(m, s, size, what):
        return m.known(s, size, 64, what)

    def call_prove_any(self, m, s, a):
        m.store(s, a[0], [bits.unknown(8) for _ in range(a[1])])
        return [(s, None)]

    def call_prove_if(self, m, s, a):
        t = s.with_fact(literal(a[0]))
        return [(t, None)] if t else []

    def call_prove_that(self, m, s, a):
        c = literal(a[0])
        m.claim(s, c, f'claim {s.calls[-1]}')
        t = s.with_fact(c)
        return [(t, None)] if t else []

    def first_zero(self, m, s, at, size):
        """The states in which byte k is the first that is 0, with k; k is size if there is none."""
        part = m.load(s, at, size)
        if part is None:
            return
        asked = [i for i, x in enumerate(part) if s.says(nonzero(x)) is None]
        if asked:
            zero = any_of(nonzero(part[i]) ^ 1 for i in asked)
            if bits.solve(bits.both(s.guard(), zero)) is None:
                for i in asked:
                    s = s.with_fact(nonzero(part[i]))
        for i, x in enumerate(part):
            t = s.with_fact(nonzero(x) ^ 1) if s.says(nonzero(x)) is not True else None
            if t is not None:
                yield t, i
            s = s.with_fact(nonzero(x))
            if s is None:
                return
        yield s, size

    def call_memchr(self, m, s, a):
        assert a[1] == 0
        return [(t, a[0] + i if i < a[2] else 0) for t, i in self.first_zero(m, s, a[0], a[2])]

    def call_prove_text_size(self, m, s, a):
        return list(self.first_zero(m, s, a[0], a[1] + 1))

    def call_prove_text_valid(self, m, s, a):
        return [(t, machine.one(self.text.of(m.load(t, a[0], n))[0])) for t, n in self.sized(m, s, a[1], 'text')]

    call_pkt_is_well_formed = call_prove_text_valid

    def call_pkt_crc32(self, m, s, a):
        results = []
        for t, n in self.sized(m, s, a[2], 'checksum'):
            part = m.load(t, a[1], n)
            if part is not None:
                results.append((t, self.checksum.of(m.split(a[0], 4, 32) + part)))
        return results

    def call_memcmp(self, m, s, a):
        results = []
        for t, n in self.sized(m, s, a[2], 'memcmp'):
            x, y = m.load(t, a[0], n), m.load(t, a[1], n)
            if x is not None and y is not None:
                same = all_of(equal(p, q, 8) for p, q in zip(x, y))
                results.append((t, number((same ^ 1,) + (FALSE,) * 31)))
        return results

    def copy(self, m, s, a):
        results = []
        for t, n in self.sized(m, s, a[2], 'memcpy'):
            part = m.load(t, a[1], n)
            if part is not None and m.store(t, a[0], part):
                results.append((t, a[0]))
        return results

    def set(self, m, s, a):
        results = []
        for t, n in self.sized(m, s, a[2], 'memset'):
            byte = a[1] & 255 if isinstance(a[1], int) else a[1][:8]
            if m.store(t, a[0], [byte] * n):
                results.append((t, a[0]))
        return results

    def call_prove_quantize(self, m, s, a):
        return [(s, self.floats.code(a[0], tuple(a[1:])))]

    def call_prove_dequantize(self, m, s, a):
        return [(s, self.floats.value(a[0], tuple(a[1:])))]


def prove(program, function, arguments):
    """Prints each claim that can be false; True if none can."""
    bits.reset()
    m = machine.Machine(program, Claims('delta' in function).table())
    m.run('@' + function, arguments, machine.State.first())
    # One by one: together they are much harder.
    for guard, claim, what in m.claims:
        if bits.solve(bits.both(guard, claim ^ 1)) is not None:
            print(f'refuted: {function}{tuple(arguments)}: {what}')
            return False, m
    return True, m


def main():
    sys.setrecursionlimit(100000)
    with open(sys.argv[1], encoding='utf-8') as file:
        program = ir.Program(file.read())
    good = True
    for numbers in sys.argv[3:]:
        proved, m = prove(program, sys.argv[2], [int(x) for x in numbers.split(',')] + [0])
        print(f'{sys.argv[2]}({numbers}): {m.steps} steps, {len(bits.nodes)} nodes, {len(m.claims)} claims', flush=True)
        good = good and proved
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
