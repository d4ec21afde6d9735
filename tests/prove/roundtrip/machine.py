# machine.py - executes functions for all values at once: the bits of variables and memory are literals of bits.py.
# SPDX-License-Identifier: MIT
#
# Where a condition is not known, both ways are followed. States that meet again are joined, unless they differ in a known
# number of 32 bits or more, such as a position or a pointer, or of 1 bit: so these stay known, and each access has one place. The address
# of byte i of object n is n << 32 | i.
import heapq

import bits
import ir
from bits import FALSE, TRUE, all_of, both, bits_of, chosen, equal, number

LONGEST_LOOP = 5000
MOST_VALUES = 200


class State:
    __slots__ = ('facts', 'memory', 'frames', 'rounds', 'calls')

    @staticmethod
    def first():
        s = State()
        s.facts, s.memory, s.frames, s.rounds, s.calls = {}, {}, [], (), ()
        return s

    def copy(self):
        s = State()
        s.facts = self.facts
        s.memory = dict(self.memory)
        s.frames = [dict(f) for f in self.frames]
        s.rounds = self.rounds
        s.calls = self.calls
        return s

    def guard(self):
        return all_of(self.facts)

    def says(self, x, depth=12, memo=None):
        """True or False if the facts say so at once, otherwise None."""
        if x <= 1:
            return bool(x)
        if x in self.facts:
            return True
        if x ^ 1 in self.facts:
            return False
        kind = bits.nodes[x >> 1]
        if kind[0] != bits.AND or not depth:
            return None
        memo = {} if memo is None else memo
        if x >> 1 not in memo:
            memo[x >> 1] = True
            for y in kind[1:]:
                said = self.says(y, depth - 1, memo)
                if said is not True:
                    memo[x >> 1] = said
                if said is False:
                    break
        said = memo[x >> 1]
        return None if said is None else said ^ bool(x & 1)

    def simpler(self, cell):
        """Bits without choices that the facts have made."""
        if isinstance(cell, int):
            return cell
        literals = []
        for x in cell:
            while True:
                kind = bits.nodes[x >> 1]
                if x <= 1 or kind[0] != bits.CHOICE:
                    break
                said = self.says(kind[1])
                if said is None:
                    break
                x = (kind[2] if said else kind[3]) ^ (x & 1)
            literals.append(x)
        return number(literals)

    def with_fact(self, x):
        """The state in which x is true, or None."""
        facts = dict(self.facts)
        todo = [x]
        while todo:
            y = todo.pop()
            if y == FALSE or y ^ 1 in facts:
                return None
            if y == TRUE or y in facts:
                continue
            facts[y] = None
            kind = bits.nodes[y >> 1]
            if kind[0] == bits.AND and not y & 1:
                todo += kind[1:]
        s = self.copy()
        s.facts = facts
        return s


class Meeting:
    """States at one place: those that are joined have the same numbers in `apart`."""

    def __init__(self):
        self.apart, self.buckets = [], {}

    def key(self, t):
        values = []
        for where, what in self.apart:
            v = t.memory.get(where, {}) if isinstance(what, int) else t.frames[where].get(what)
            if isinstance(what, int):
                v = v[what] if v else None
            values.append(v if isinstance(v, int) else None)
        return tuple(values)

    def split(self, place):
        states = self.all()
        self.apart.append(place)
        self.buckets = {}
        for t in states:
            self.buckets.setdefault(self.key(t), []).append(t)

    def all(self):
        return [t for bucket in self.buckets.values() for t in bucket]


class Machine:
    def __init__(self, program, externals):
        self.program = program
        self.externals = externals
        self.objects = {}
        self.names = []
        self.sizes = {}
        self.control = set()
        self.fresh = {}
        self.claims = []  # a guard, a condition that has to be true under it, what it says
        self.steps = 0
        self.constant = {}

    # ---- memory

    def object(self, key, size, control=False):
        if key not in self.objects:
            n = self.objects[key] = len(self.objects) + 1
            self.sizes[n] = size
            if control:
                self.control.add(n)
        return self.objects[key]

    def address(self, name):
        """Of a global; its data are made when they are first needed."""
        p = self.program
        if name in p.data:
            r = ir.Reader(p.data[name])
            r.skip()
            t = ir.type_of(r)
            n = self.object(name, p.layout(t)[0])
            if n not in self.constant:
                self.constant[n] = cells = [0] * self.sizes[n]
                self.fill(cells, 0, t, p.operand(r, t))
        else:
            n = self.object(name, 1)
        return n << 32

    def fill(self, cells, at, t, v):
        p = self.program
        t = p.plain(t)
        if v[0] == 'zero':
            return
        if t[0] in 'ifp':
            value = self.value({}, v)
            for i in range(p.layout(t)[0]):
                cells[at + i] = value >> 8 * i & 255
            return
        for i, (part, x) in enumerate(v[1]):
            offset = i * p.layout(part)[0] if t[0] == 'a' else p.member(t, i)[0]
            self.fill(cells, at + offset, part, x)

    def cells(self, s, n):
        cells = s.memory.get(n)
        if cells is None:
            cells = self.constant.get(n)
        return cells

    def reach(self, s, address, size, what):
        """The object of these bytes, and the first one; records a failure if they are not in it."""
        n, at = address >> 32, address & 0xFFFFFFFF
        if size and (self.cells(s, n) is None or at + size > self.sizes[n]):
            self.claim(s, FALSE, f'{what} outside of its object')
            return None
        return n, at

    def load(self, s, address, size):
        place = self.reach(s, address, size, 'a read')
        if place is None:
            return None
        n, at = place
        cells = self.cells(s, n)
        part = cells[at:at + size]
        if None in part:
            cells = list(cells)
            for i in range(at, at + size):
                if cells[i] is None:
                    # The same in all states: whatever the memory held before.
                    if (n, i) not in self.fresh:
                        self.fresh[n, i] = bits.unknown(8)
                    cells[i] = self.fresh[n, i]
            s.memory[n] = cells
            part = cells[at:at + size]
        return [s.simpler(x) for x in part]

    def load_number(self, s, address, width, size):
        part = self.load(s, address, size)
        if part is None:
            return None
        v, known = 0, True
        for i, x in enumerate(part):
            if not isinstance(x, int):
                known = False
                break
            v |= x << 8 * i
        if known:
            return v & ((1 << width) - 1)
        literals = []
        for x in part:
            literals += bits_of(x, 8)
        return number(literals[:width])

    def store(self, s, address, part):
        place = self.reach(s, address, len(part), 'a write')
        if place is None:
            return False
        n, at = place
        cells = list(self.cells(s, n))
        cells[at:at + len(part)] = part
        s.memory[n] = cells
        return True

    @staticmethod
    def split(v, size, width):
        if isinstance(v, int):
            return [v >> 8 * i & 255 for i in range(size)]
        v = v + (FALSE,) * (8 * size - len(v))
        return [number(v[8 * i:8 * i + 8]) for i in range(size)]

    # ---- claims and facts

    def claim(self, s, condition, what):
        if s.says(condition) is not True:
            self.claims.append((s.guard(), condition, what))

    def possible(self, s, x):
        """The states in which x is true and in which it is false; None for those that are certainly impossible."""
        said = s.says(x)
        if said is not None:
            return (s, None) if said else (None, s)
        variables = bits.support(x)
        if variables is not None:
            yes, no = self.rows(s, [x], variables)
            if not no:
                return s, None
            if not yes:
                return None, s
        ways = s.with_fact(x), s.with_fact(x ^ 1)
        if variables is not None:
            for t in ways:
                if t is not None:
                    self.settle(t, variables)
        return ways

    def rows(self, s, literals, variables):
        """For one literal: whether it can be true, and false, given the facts on these variables. For more: each value that
        they can have together."""
        names = sorted(variables)
        memo = {}
        n = 1 << len(names)
        allowed = (1 << n) - 1
        for x in s.facts:
            about = bits.support(x)
            if about is not None and about and about <= variables:
                allowed &= bits.table(x, names, memo)
        tables = [bits.table(x, names, memo) for x in literals]
        if len(literals) == 1:
            return allowed & tables[0] != 0, allowed & ~tables[0] != 0
        values = set()
        for row in range(n):
            if allowed >> row & 1:
                values.add(sum((t >> row & 1) << i for i, t in enumerate(tables)))
        return sorted(values)

    def known(self, s, v, width, why):
        """States in each of which the number v is known, with that number."""
        if isinstance(v, int):
            return [(s, v)]
        variables = frozenset()
        for x in v:
            about = bits.support(x)
            if about is None or len(variables | about) > bits.MOST + 3:
                return self.asked(s, v, why)
            variables |= about
        result = []
        for value in self.rows(s, list(v) + [TRUE], variables):
            value &= (1 << width) - 1
            t = s.with_fact(equal(v, value, width))
            if t is not None:
                self.settle(t, variables)
                result.append((t, value))
        return result

    def asked(self, s, v, why):
        """The same for a number of many variables: asks the solver, bit by bit."""
        states = [s]
        for x in v:
            ways = []
            for t in states:
                said = t.says(x)
                if said is not None:
                    ways.append(t)
                    continue
                for u in (t.with_fact(x), t.with_fact(x ^ 1)):
                    if u is not None and bits.solve(u.guard()) is not None:
                        ways.append(u)
            states = ways
            if len(states) > MOST_VALUES:
                raise NotImplementedError(f'{why}: a number of many values')
        result = []
        for t in states:
            t = t.copy()
            value = sum(int(t.says(x)) << i for i, x in enumerate(v))
            for frame in t.frames:
                for name, w in frame.items():
                    if isinstance(w, tuple):
                        frame[name] = number([x if t.says(x) is None else int(t.says(x)) for x in w])
            result.append((t, value))
        return result

    def settle(self, s, variables):
        """Replaces numbers that are known now by their values."""
        memo = {}

        def settled(v):
            if isinstance(v, int) or v is None:
                return v
            if v not in memo:
                memo[v] = v
                about = [bits.support(x) for x in v]
                if None not in about and frozenset().union(*about) <= variables:
                    values = self.rows(s, list(v) + [TRUE], variables)
                    if len(values) == 1:
                        memo[v] = values[0] & ((1 << len(v)) - 1)
            return memo[v]

        for frame in s.frames:
            for name, v in frame.items():
                if isinstance(v, tuple):
                    frame[name] = settled(v)
        for n in self.control & set(s.memory):
            s.memory[n] = [settled(x) for x in s.memory[n]]

    # ---- joining

    def gather(self, states, t, widths):
        """Joins t to one of these states, which are in a Meeting, or adds it."""
        while True:
            bucket = states.buckets.setdefault(states.key(t), [])
            for i, other in enumerate(bucket):
                apart = self.apart(other, t, widths)
                if apart is None:
                    bucket[i] = self.join(other, t, widths)
                    return
                if apart not in states.apart:
                    states.split(apart)
                    break
            else:
                bucket.append(t)
                return

    def apart(self, a, b, widths):
        """What keeps two states apart: a known number that differs. None if there is nothing."""
        last = len(a.frames) - 1
        for depth, (f, g) in enumerate(zip(a.frames, b.frames)):
            if f is g:
                continue
            for name, x in f.items():
                y = g.get(name, x)
                if x is not y and x != y:
                    if isinstance(x, int) and isinstance(y, int) and (depth < last or not 1 < widths[name] < 32):
                        return depth, name
        for n, cells in a.memory.items():
            other = b.memory.get(n)
            if n in self.control and other is not None and other is not cells:
                for i, (x, y) in enumerate(zip(cells, other)):
                    if isinstance(x, int) and isinstance(y, int) and x != y:
                        return n, i
        return None

    def join(self, a, b, widths):
        """One state for two that exclude each other."""
        s = State()
        s.facts = {x: None for x in a.facts if x in b.facts}
        # What a is chosen by: all that is true in it and not in both.
        of_a = all_of(x for x in a.facts if x not in s.facts)
        of_b = all_of(x for x in b.facts if x not in s.facts)
        some = bits.either(of_a, of_b)
        if some != TRUE:
            s.facts[some] = None
        s.rounds, s.calls = a.rounds, a.calls
        s.frames = []
        for f, g in zip(a.frames, b.frames):
            frame = {}
            for name, x in f.items():
                if name in g:
                    y = g[name]
                    if x is y or x == y:
                        frame[name] = x
                    else:
                        width = len(x) if isinstance(x, tuple) else len(y) if isinstance(y, tuple) else widths[name]
                        frame[name] = chosen(of_a, x, y, width)
            s.frames.append(frame)
        s.memory = {}
        for n, cells in a.memory.items():
            other = b.memory.get(n)
            if other is None or cells is other:
                s.memory[n] = cells
                continue
            s.memory[n] = [x if x is y or x == y else self.cell(n, i, x, y, of_a)
                           for i, (x, y) in enumerate(zip(cells, other))]
        for n, cells in b.memory.items():
            if n not in s.memory:
                s.memory[n] = cells
        return s

    def cell(self, n, i, x, y, of_x):
        values = []
        for v in (x, y):
            if v is None:
                if (n, i) not in self.fresh:
                    self.fresh[n, i] = bits.unknown(8)
                v = self.fresh[n, i]
            values.append(v)
        return chosen(of_x, values[0], values[1], 8)

    # ---- execution

    def value(self, frame, v):
        kind = v[0]
        if kind == 'k':
            return v[1]
        if kind == '%':
            return frame[v[1]]
        if kind == '@':
            return self.address(v[1])
        if kind == 'gep':
            return self.place(frame, v)
        if kind == 'zero':
            return 0
        if kind == 'list':
            literals = ()
            for t, x in v[1]:
                literals += bits_of(self.value(frame, x), self.program.width(t))
            return number(literals)
        raise NotImplementedError(v)

    def place(self, frame, v):
        _, t, base, indices = v
        p = self.program
        address = self.value(frame, base)
        for i, (width, index) in enumerate(indices):
            n = self.value(frame, index)
            if i == 0:
                size = p.layout(t)[0]
            else:
                t = p.plain(t)
                if t[0] == 's':
                    offset, t = p.member(t, n)
                    address = self.add(address, offset)
                    continue
                t = t[2]
                size = p.layout(t)[0]
            if isinstance(n, int):
                if n >> (width - 1) & 1:
                    n -= 1 << width
                address = self.add(address, n * size & (1 << 64) - 1)
            else:
                n = n + (n[-1],) * (64 - width)
                address = self.add(address, bits.times(n, size, 64))
        return address

    @staticmethod
    def add(a, b):
        if isinstance(a, int) and isinstance(b, int):
            return a + b & (1 << 64) - 1
        return bits.plus(a, b, 64)[0]

    def run(self, name, arguments, s):
        """The states in which the function returns, each with the result."""
        external = self.externals.get(name)
        if external:
            return external(self, s, arguments)
        f = self.program.function(name)
        if f is None:
            raise NotImplementedError(f'no function {name}')
        s = s.copy()
        outer = s.rounds
        s.frames.append(dict(zip(f.parameters, arguments)))
        s.rounds = ()
        returned = []
        waiting, heap = {}, []

        def arrive(t, block, source):
            """t goes on at a block, from another one."""
            frame = t.frames[-1]
            phis = f.phis[block]
            new = {}
            for i in phis:
                v = self.value(frame, i[3][source])
                if i[2] == 1 and isinstance(v, tuple):
                    # Whether something is true is known too where states meet.
                    for u, known in zip(self.possible(t, v[0]), (1, 0)):
                        if u is not None:
                            u = u.copy()
                            for name, w in u.frames[-1].items():
                                if w == v:
                                    u.frames[-1][name] = known
                            arrive(u, block, source)
                    return
                new[i[1]] = v
            needed = f.needed[block]
            frame = {n: v for n, v in frame.items() if n in needed}
            frame.update(new)
            t.frames[-1] = frame
            rounds = dict(t.rounds)
            heads = f.loops[block]
            if (source, block) in f.back:
                rounds[block] += 1
                if rounds[block] > LONGEST_LOOP:
                    raise NotImplementedError(f'{name}: a loop without end')
            elif heads and heads[-1] == block:
                rounds[block] = 0
            t.rounds = tuple((h, rounds[h]) for h in heads)
            key = tuple(x for h in heads for x in (f.number[h], rounds[h])) + (f.number[block],)
            if key not in waiting:
                waiting[key] = (block, Meeting())
                heapq.heappush(heap, key)
            self.gather(waiting[key][1], t, f.widths)

        def follow(t, block, at):
            """Executes the instructions of a block from one on."""
            code = f.blocks[block]
            while True:
                i = code[at]
                op = i[0]
                frame = t.frames[-1]
                self.steps += 1
                if op == 'binary':
                    frame[i[1]] = binary(i[2], i[3], self.value(frame, i[4]), self.value(frame, i[5]))
                elif op == 'gep':
                    frame[i[1]] = self.place(frame, i[2])
                elif op in ('load', 'store'):
                    address = self.value(frame, i[4] if op == 'load' else i[5])
                    if not isinstance(address, int):
                        for u, _ in self.known(t, address, 64, f'{name}: {i}'):
                            if isinstance(self.value(u.frames[-1], i[4] if op == 'load' else i[5]), int):
                                follow(u, block, at)
                            else:
                                raise NotImplementedError(f'{name}: {i}')
                        return
                    if op == 'load':
                        v = self.load_number(t, address, i[2], i[3])
                        if v is None:
                            return
                        frame[i[1]] = v
                    elif not self.store(t, address, self.split(self.value(frame, i[4]), i[3], i[2])):
                        return
                elif op == 'cast':
                    frame[i[1]] = cast(i[2], i[3], i[4], self.value(frame, i[5]))
                elif op == 'icmp':
                    frame[i[1]] = compare(i[2], i[3], self.value(frame, i[4]), self.value(frame, i[5]))
                elif op == 'fcmp':
                    frame[i[1]] = compare_floats(i[2], i[3], self.value(frame, i[4]), self.value(frame, i[5]))
                elif op == 'select':
                    c = self.value(frame, i[3])
                    a, b = self.value(frame, i[4]), self.value(frame, i[5])
                    c = c if isinstance(c, int) else c[0]
                    said = t.says(c)
                    if said is not None:
                        frame[i[1]] = a if said else b
                    elif i[2] >= 32 and isinstance(a, int) and isinstance(b, int) and a != b:
                        for u, v in zip(self.possible(t, c), (a, b)):
                            if u is not None:
                                u = u.copy()
                                u.frames[-1][i[1]] = v
                                follow(u, block, at + 1)
                        return
                    else:
                        frame[i[1]] = chosen(c, a, b, i[2])
                elif op == 'part':
                    whole = bits_of(self.value(frame, i[5]), i[2])
                    end = i[3] + i[4]
                    frame[i[1]] = number(whole[i[3]:end] if i[6] is None else
                                         whole[:i[3]] + bits_of(self.value(frame, i[6]), i[4]) + whole[end:])
                elif op == 'alloca':
                    n = self.object((t.calls, name, i[1]), i[2], i[3])
                    t.memory[n] = [None] * i[2]
                    frame[i[1]] = n << 32
                elif op == 'phi':
                    pass
                elif op == 'br':
                    if i[2] is None:
                        arrive(t, i[3], block)
                        return
                    c = self.value(frame, i[2])
                    yes, no = self.possible(t, c if isinstance(c, int) else c[0])
                    if yes is not None:
                        arrive(yes, i[3], block)
                    if no is not None:
                        arrive(no, i[4], block)
                    return
                elif op == 'switch':
                    v = self.value(frame, i[3])
                    for value, target in i[4]:
                        if t is None:
                            return
                        yes, t = self.possible(t, equal(v, value, i[2]))
                        if yes is not None:
                            arrive(yes.copy() if yes is t else yes, target, block)
                    if t is not None:
                        arrive(t, i[5], block)
                    return
                elif op == 'ret':
                    returned.append((t, None if i[2] is None else self.value(frame, i[2])))
                    return
                elif op == 'unreachable':
                    self.claim(t, FALSE, f'{name}: what is never reached')
                    return
                elif op == 'call':
                    callee = i[3]
                    if not callee.startswith('@llvm.lifetime') and callee not in (
                            '@llvm.assume', '@llvm.dbg.value', '@llvm.experimental.noalias.scope.decl'):
                        arguments = [self.value(frame, v) for _, v in i[4]]
                        if callee[0] == '%':
                            target = self.value(frame, ('%', callee))
                            callee = next(k for k, n in self.objects.items() if n == target >> 32)
                        if callee.startswith('@llvm.') and callee not in self.externals:
                            frame[i[1]] = intrinsic(callee, i[2], arguments)
                        else:
                            calls = t.calls
                            t.calls = calls + ((name, block, at),)
                            results = self.run(callee, arguments, t)
                            if len(results) == 1:
                                t, v = results[0]
                                t.calls = calls
                                if i[1]:
                                    t.frames[-1][i[1]] = v
                            else:
                                for u, v in results:
                                    u.calls = calls
                                    if i[1]:
                                        u.frames[-1][i[1]] = v
                                    follow(u, block, at + 1)
                                return
                else:
                    raise NotImplementedError(f'{name}: {i}')
                at += 1

        follow(s, f.entry, 0)
        while heap:
            key = heapq.heappop(heap)
            block, states = waiting.pop(key)
            for t in states.all():
                follow(t, block, 0)
        results = Meeting()
        for t, v in returned:
            t.frames.pop()
            t.rounds = outer
            # Results that differ are part of what is compared.
            t.frames.append({'result': v})
            self.gather(results, t, {'result': 64})
        return [(t, t.frames.pop()['result']) for t in results.all()]


# ---- instructions


def binary(op, width, a, b):
    full = (1 << width) - 1
    if isinstance(a, int) and isinstance(b, int):
        if op == 'add':
            return a + b & full
        if op == 'sub':
            return a - b & full
        if op == 'mul':
            return a * b & full
        if op == 'and':
            return a & b
        if op == 'or':
            return a | b
        if op == 'xor':
            return a ^ b
        if op == 'shl':
            return a << b & full if b < width else 0
        if op == 'lshr':
            return a >> b if b < width else 0
        if op == 'ashr':
            a = a - (1 << width) if a >> width - 1 else a
            return a >> min(b, width) & full
        if op == 'udiv':
            return a // b
        if op == 'urem':
            return a % b
    elif op == 'add':
        return bits.plus(a, b, width)[0]
    elif op == 'sub':
        return bits.minus(a, b, width)[0]
    elif op == 'mul':
        return bits.times(a, b, width)
    elif op in ('and', 'or', 'xor'):
        of = {'and': bits.both, 'or': bits.either, 'xor': bits.differ}[op]
        return number([of(x, y) for x, y in zip(bits_of(a, width), bits_of(b, width))])
    elif op in ('shl', 'lshr', 'ashr'):
        move = {'shl': bits.left, 'lshr': bits.right, 'ashr': bits.right_signed}[op]
        return bits.shifted(a, b, width, move)
    elif op in ('udiv', 'urem') and isinstance(b, int) and b & (b - 1) == 0:
        n = b.bit_length() - 1
        literals = bits_of(a, width)
        return number(literals[n:] + (FALSE,) * n if op == 'udiv' else literals[:n] + (FALSE,) * (width - n))
    raise NotImplementedError(op)


def cast(op, width, to, a):
    if op in ('bitcast', 'ptrtoint', 'inttoptr', 'freeze'):
        return a
    if op == 'fneg':
        return a ^ 1 << width - 1 if isinstance(a, int) else a[:-1] + (a[-1] ^ 1,)
    if isinstance(a, int):
        if op == 'sext' and a >> width - 1:
            a -= 1 << width
        return a & (1 << to) - 1
    if op == 'trunc':
        return number(a[:to])
    return a + (a[-1] if op == 'sext' else FALSE,) * (to - width)


def one(x):
    return x if x <= 1 else (x,)


def compare(condition, width, a, b):
    if condition in ('eq', 'ne'):
        return one(equal(a, b, width) ^ (condition == 'ne'))
    if condition[0] == 's':
        top = 1 << width - 1
        a, b = (x ^ top if isinstance(x, int) else x[:-1] + (x[-1] ^ 1,) for x in (a, b))
    greater = condition[1] == 'g'
    if condition[2] == 'e':
        return one(bits.at_least(a, b, width) if greater else bits.at_least(b, a, width))
    return one(bits.at_least(b, a, width) ^ 1 if greater else bits.at_least(a, b, width) ^ 1)


def compare_floats(condition, width, a, b):
    """Of all comparisons, only those for equality."""
    exponent = 8 if width == 32 else 11
    a, b = bits_of(a, width), bits_of(b, width)
    fraction = width - 1 - exponent

    def nan(v):
        return both(all_of(v[fraction:width - 1]), bits.any_of(v[:fraction]))

    same = equal(a, b, width)
    zeros = bits.any_of(a[:-1] + b[:-1]) ^ 1
    unordered = bits.either(nan(a), nan(b))
    equals = both(bits.either(same, zeros), unordered ^ 1)
    if condition == 'oeq':
        return one(equals)
    if condition == 'une':
        return one(equals ^ 1)
    raise NotImplementedError(condition)


def intrinsic(callee, width, arguments):
    name = callee.split('.')[1]
    a = arguments[0]
    if name in ('cttz', 'ctlz'):
        if isinstance(a, int):
            if a == 0:
                return width
            return (a & -a).bit_length() - 1 if name == 'cttz' else width - a.bit_length()
        result = width
        order = list(enumerate(a))
        for i, x in order if name == 'ctlz' else reversed(order):
            result = chosen(x, i if name == 'cttz' else width - 1 - i, result, width)
        return result
    if name == 'ctpop':
        total = 0
        for x in bits_of(a, width):
            total = bits.plus(total, number((x,) + (FALSE,) * (width - 1)), width)[0]
        return total
    if name in ('umin', 'umax', 'smin', 'smax'):
        b = arguments[1]
        c = compare(name[0] + 'l' + 'e', width, a, b)
        c = c if isinstance(c, int) else c[0]
        return chosen(c, a, b, width) if name[1:] == 'min' else chosen(c, b, a, width)
    if name == 'bswap':
        v = bits_of(a, width)
        return number([x for i in range(width - 8, -1, -8) for x in v[i:i + 8]])
    if name == 'fshl':
        a, b, by = arguments
        if isinstance(by, int):
            by %= width
            both_ = bits_of(b, width) + bits_of(a, width)
            return number(both_[width - by:2 * width - by])
    if name == 'expect':
        return a
    raise NotImplementedError(callee)
