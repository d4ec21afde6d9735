# bits.py - Boolean circuits, and whether they can be true.
# SPDX-License-Identifier: MIT
#
# A literal is a number: 2 n is node n, 2 n + 1 is its negation; 0 is false, 1 is true. Equal nodes are one node. A value of
# w bits is an int if all its bits are known, otherwise a tuple of w literals, the lowest bit first.
import os
import subprocess
import tempfile

FALSE, TRUE = 0, 1
VARIABLE, AND, XOR, CHOICE = range(4)
nodes = [None]  # kind, then the operands
index = {}
# What every solution has to satisfy: clauses of literals.
constraints = []
# The variables of each node that depends on few.
depends = {}


def reset():
    del nodes[1:]
    index.clear()
    constraints.clear()
    depends.clear()
    depends[0] = frozenset()


def variable():
    nodes.append((VARIABLE,))
    return 2 * (len(nodes) - 1)


def node(kind, *operands):
    key = (kind,) + operands
    at = index.get(key)
    if at is None:
        at = index[key] = len(nodes)
        nodes.append(key)
    return 2 * at


def both(a, b):
    if a > b:
        a, b = b, a
    if a == FALSE or a == b ^ 1:
        return FALSE
    if a == TRUE or a == b:
        return b
    # One operand is part of the other, or contradicts a part of it.
    for x, y in ((a, b), (b, a)):
        kind = nodes[y >> 1]
        if kind[0] == AND:
            if y & 1 == 0:
                if x in kind[1:]:
                    return y
                if x ^ 1 in kind[1:]:
                    return FALSE
            elif x ^ 1 in kind[1:]:
                return x
            elif x in kind[1:]:
                return both(x, (kind[2] if kind[1] == x else kind[1]) ^ 1)
    return node(AND, a, b)


def either(a, b):
    return both(a ^ 1, b ^ 1) ^ 1


def differ(a, b):
    flip = (a ^ b) & 1
    a, b = sorted((a & ~1, b & ~1))
    if a == b:
        return flip
    if a == FALSE:
        return b ^ flip
    return node(XOR, a, b) ^ flip


def choose(c, a, b):
    """a if c, else b"""
    if a == b or c == TRUE:
        return a
    if c == FALSE:
        return b
    if a == b ^ 1:
        return differ(c, b)
    if a == TRUE or a == c:
        return either(c, b)
    if a == FALSE or a == c ^ 1:
        return both(c ^ 1, b)
    if b == TRUE or b == c ^ 1:
        return either(c ^ 1, a)
    if b == FALSE or b == c:
        return both(c, a)
    if c & 1:
        c, a, b = c ^ 1, b, a
    flip = a & 1
    return node(CHOICE, c, a ^ flip, b ^ flip) ^ flip


def all_of(literals):
    result = TRUE
    for x in literals:
        result = both(result, x)
    return result


def any_of(literals):
    return all_of(x ^ 1 for x in literals) ^ 1


# ---- numbers


def bits_of(v, width):
    return tuple(v >> i & 1 for i in range(width)) if isinstance(v, int) else v


def number(bits):
    v = 0
    for i, x in enumerate(bits):
        if x > 1:
            return tuple(bits)
        v |= x << i
    return v


def unknown(width):
    return tuple(variable() for _ in range(width))


def plus(a, b, width, carry=FALSE):
    result = []
    for x, y in zip(bits_of(a, width), bits_of(b, width)):
        half = differ(x, y)
        result.append(differ(half, carry))
        carry = either(both(x, y), both(half, carry))
    return number(result), carry


def minus(a, b, width):
    """The difference, and whether a >= b."""
    return plus(a, tuple(x ^ 1 for x in bits_of(b, width)), width, TRUE)


def times(a, b, width):
    if isinstance(a, int):
        a, b = b, a
    total = 0
    for i, x in enumerate(bits_of(b, width)):
        if x != FALSE:
            part = tuple(both(x, y) for y in ((FALSE,) * i + bits_of(a, width))[:width])
            total = plus(total, number(part), width)[0]
    return total


def equal(a, b, width):
    if isinstance(a, int) and isinstance(b, int):
        return int(a == b)
    return all_of(differ(x, y) ^ 1 for x, y in zip(bits_of(a, width), bits_of(b, width)))


def at_least(a, b, width):
    return minus(a, b, width)[1]


def chosen(c, a, b, width):
    if c == TRUE or a == b:
        return a
    if c == FALSE:
        return b
    return number([choose(c, x, y) for x, y in zip(bits_of(a, width), bits_of(b, width))])


def shifted(a, by, width, move):
    """move(bits, n): bits moved by n places; by: at most 2^k - 1 for the k bits that matter"""
    bits = bits_of(a, width)
    if isinstance(by, int):
        return number(move(bits, min(by, width)))
    for i, x in enumerate(by):
        if x != FALSE:
            moved = move(bits, min(1 << i, width))
            bits = tuple(choose(x, y, z) for y, z in zip(moved, bits))
    return number(bits)


def left(bits, n):
    return (FALSE,) * n + bits[: len(bits) - n]


def right(bits, n):
    return bits[n:] + (FALSE,) * n


def right_signed(bits, n):
    return bits[n:] + (bits[-1],) * n


# ---- what a literal depends on, if that is little

MOST = 10


def support(literal):
    """The variables of a literal; None for more than MOST."""
    todo = [literal >> 1]
    while todo:
        at = todo[-1]
        if at in depends:
            todo.pop()
            continue
        kind = nodes[at]
        if kind[0] == VARIABLE:
            depends[at] = frozenset((at,))
            continue
        missing = [x >> 1 for x in kind[1:] if x >> 1 not in depends]
        if missing:
            todo += missing
            continue
        parts = [depends[x >> 1] for x in kind[1:]]
        if None in parts:
            depends[at] = None
        else:
            union = frozenset().union(*parts)
            depends[at] = union if len(union) <= MOST else None
        todo.pop()
    return depends[literal >> 1]


def table(literal, variables, memo):
    """A bit for each assignment of these variables."""
    n = 1 << len(variables)
    ones = (1 << n) - 1

    def of(at):
        if at == 0:
            return 0
        if at in memo:
            return memo[at]
        kind = nodes[at]
        if kind[0] == VARIABLE:
            i = variables.index(at)
            block = ((1 << (1 << i)) - 1) << (1 << i)
            result = 0
            for k in range(0, n, 2 << i):
                result |= block << k
        else:
            values = [of(x >> 1) ^ (ones if x & 1 else 0) for x in kind[1:]]
            if kind[0] == AND:
                result = values[0] & values[1]
            elif kind[0] == XOR:
                result = values[0] ^ values[1]
            else:
                result = (values[0] & values[1]) | (~values[0] & ones & values[2])
        memo[at] = result
        return result

    return of(literal >> 1) ^ (ones if literal & 1 else 0)


# ---- the solver

def solve(goal):
    """None if no assignment makes the goal true and meets the constraints; otherwise the true nodes of one."""
    if goal == FALSE:
        return None
    clauses = [[goal]] + constraints
    names, order = {}, []
    todo = [x >> 1 for clause in clauses for x in clause]
    while todo:
        at = todo.pop()
        if at in names or at == 0:
            continue
        order.append(at)
        names[at] = len(order)
        todo += [x >> 1 for x in nodes[at][1:]]

    def name(x):
        return -names[x >> 1] if x & 1 else names[x >> 1]

    lines = []
    for clause in clauses:
        if TRUE not in clause:
            lines.append(' '.join(str(name(x)) for x in clause if x != FALSE) + ' 0')
    for at in order:
        kind, o = nodes[at][0], names[at]
        operands = [name(x) for x in nodes[at][1:]]
        if kind == AND:
            a, b = operands
            lines += [f'{-o} {a} 0', f'{-o} {b} 0', f'{o} {-a} {-b} 0']
        elif kind == XOR:
            a, b = operands
            lines += [f'{-o} {a} {b} 0', f'{-o} {-a} {-b} 0', f'{o} {-a} {b} 0', f'{o} {a} {-b} 0']
        elif kind == CHOICE:
            c, a, b = operands
            lines += [f'{-c} {-a} {o} 0', f'{-c} {a} {-o} 0', f'{c} {-b} {o} 0', f'{c} {b} {-o} 0',
                      f'{-a} {-b} {o} 0', f'{a} {b} {-o} 0']
    with tempfile.NamedTemporaryFile('w', suffix='.cnf', delete=False) as out:
        out.write(f'p cnf {len(order)} {len(lines)}\n' + '\n'.join(lines) + '\n')
    try:
        run = subprocess.run(['cadical', '-q', out.name], stdout=subprocess.PIPE, universal_newlines=True, check=False)
    finally:
        os.unlink(out.name)
    if run.returncode == 20:
        return None
    if run.returncode != 10:
        raise RuntimeError(f'cadical: {run.returncode}')
    true = set()
    for line in run.stdout.splitlines():
        if line.startswith('v'):
            true.update(order[int(x) - 1] for x in line.split()[1:] if int(x) > 0)
    return true
