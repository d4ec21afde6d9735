# ir.py - reads what clang -S -emit-llvm prints, for clang 14: functions, their blocks and loops, and global data.
# SPDX-License-Identifier: MIT
import re
import struct

TOKEN = re.compile(r'''\s*(c"(?:[^"])*"|[%@!]"[^"]*"|[%@][\w.$-]+|![\w.]*|\#\d+|"[^"]*"|-?\d+(?:\.\d+e[+-]?\d+)|0x[0-9A-F]+|-?\d+|\.\.\.|[\w.]+|[][{}()<>,*=:])''')
# What stands between a type and a value, or between a function and its type, and changes nothing here.
IGNORED = set('''noundef nonnull nocapture readonly readnone writeonly zeroext signext nsw nuw exact inbounds noalias
    returned nofree immarg sideeffect tail musttail notail fastcc dso_local local_unnamed_addr unnamed_addr volatile internal
    private hidden constant global external common align dereferenceable dereferenceable_or_null sret byval
    nnan ninf nsz arcp contract afn reassoc fast linkonce_odr available_externally weak dllimport swiftself'''.split())


def tokens_of(line):
    return TOKEN.findall(line)


class Reader:
    def __init__(self, line):
        self.tokens = tokens_of(line)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def take(self, expected=None):
        token = self.peek()
        if expected and token != expected:
            raise SyntaxError(f'{expected} expected: {self.tokens}')
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def skip(self):
        while self.peek() in IGNORED or self.peek().startswith('#'):
            word = self.take()
            if word == 'align' and self.peek().isdigit():
                self.take()
            elif self.peek() == '(' and word in ('dereferenceable', 'dereferenceable_or_null', 'sret', 'byval', 'align'):
                depth = 0
                while True:
                    token = self.take()
                    depth += (token == '(') - (token == ')')
                    if depth == 0:
                        break


# ---- types: ('i', bits), ('f', bits), ('p',), ('a', count, type), ('s', types, packed), ('n', name), ('v',)


def type_of(r):
    token = r.take()
    if re.fullmatch(r'i\d+', token):
        t = ('i', int(token[1:]))
    elif token in ('float', 'double'):
        t = ('f', 32 if token == 'float' else 64)
    elif token in ('void', 'metadata', 'label', 'opaque', 'x86_fp80'):
        t = ('v',)
    elif token == '[':
        count = int(r.take())
        r.take('x')
        t = ('a', count, type_of(r))
        r.take(']')
    elif token in ('{', '<'):
        packed = token == '<'
        if packed:
            if r.peek() != '{':
                count = int(r.take())
                r.take('x')
                t = ('a', count, type_of(r))
                r.take('>')
                return pointer(r, t)
            r.take('{')
        parts = []
        while not r.accept('}'):
            parts.append(type_of(r))
            r.accept(',')
        if packed:
            r.take('>')
        t = ('s', parts, packed)
    elif token[0] == '%':
        t = ('n', token)
    else:
        raise SyntaxError(f'type expected: {r.tokens} at {r.at - 1}')
    return pointer(r, t)


def pointer(r, t):
    while True:
        if r.peek() == '*':
            r.take()
            t = ('p',)
        elif r.peek() == '(' and function_follows(r):
            depth = 0
            while True:
                token = r.take()
                depth += (token == '(') - (token == ')')
                if depth == 0:
                    break
            if r.accept('*'):
                t = ('p',)
            # Otherwise the type of a function that is called: only its result counts.
        else:
            return t


def function_follows(r):
    """Whether what is in parentheses here are the types of parameters."""
    depth, at = 0, r.at
    while at < len(r.tokens):
        depth += (r.tokens[at] == '(') - (r.tokens[at] == ')')
        at += 1
        if depth == 0:
            break
    following = r.tokens[at] if at < len(r.tokens) else ''
    return following == '*' or following.startswith(('@', '%'))


class Program:
    def __init__(self, text):
        self.named, self.functions, self.data = {}, {}, {}
        lines = text.split('\n')
        i = 0
        while i < len(lines):
            line = lines[i]
            if line.startswith('%') and ' = type ' in line:
                name, rest = line.split(' = type ', 1)
                self.named[name] = type_of(Reader(rest))
            elif line.startswith('@') and re.search(r' (constant|global) ', line):
                name = line.split(' = ')[0]
                self.data[name] = re.split(r' (?:constant|global) ', line.split(' = ', 1)[1], maxsplit=1)[1]
            elif line.startswith('define'):
                name = re.search(r'@[\w.$]+', line).group()
                end = i
                while lines[end] != '}':
                    end += 1
                self.functions[name] = lines[i:end]
                i = end
            i += 1
        self.sizes = {}

    def function(self, name):
        f = self.functions.get(name)
        if isinstance(f, list):
            f = self.functions[name] = Function(self, name, f)
        return f

    def plain(self, t):
        while t[0] == 'n':
            t = self.named[t[1]]
        return t

    def layout(self, t):
        """The size and the alignment of a type in bytes."""
        key = str(t)
        if key not in self.sizes:
            self.sizes[key] = self.layout_of(self.plain(t))
        return self.sizes[key]

    def layout_of(self, t):
        if t[0] in 'if':
            size = max(1, (t[1] + 7) // 8)
            size = 1 << (size - 1).bit_length()
            return size, min(size, 8)
        if t[0] == 'p':
            return 8, 8
        if t[0] == 'a':
            size, align = self.layout(t[2])
            return t[1] * size, align
        if t[0] == 's':
            at, most = 0, 1
            for part in t[1]:
                size, align = self.layout(part)
                if not t[2]:
                    at = -(-at // align) * align
                    most = max(most, align)
                at += size
            return -(-at // most) * most, most
        return 0, 1

    def member(self, t, n):
        """The offset in bytes, and the type, of a member of a struct."""
        t = self.plain(t)
        at = 0
        for i, part in enumerate(t[1]):
            size, align = self.layout(part)
            if not t[2]:
                at = -(-at // align) * align
            if i == n:
                return at, part
            at += size
        raise IndexError(n)

    def width(self, t):
        """In bits. Of a vector or a struct that is not in memory: of all its parts, one after the other."""
        t = self.plain(t)
        if t[0] == 'a':
            return t[1] * self.width(t[2])
        if t[0] == 's':
            return sum(self.width(part) for part in t[1])
        return 64 if t[0] == 'p' else t[1] if t[0] in 'if' else 0

    def part(self, t, i):
        """The first bit of part i of a vector or struct that is not in memory, and its type."""
        t = self.plain(t)
        if t[0] == 'a':
            return i * self.width(t[2]), t[2]
        return sum(self.width(part) for part in t[1][:i]), t[1][i]

    # Operands: ('k', number), ('%', name), ('@', name), ('gep', type, base, indices), ('zero',), ('list', [(type, operand)])
    def operand(self, r, t):
        r.skip()
        token = r.take()
        if token[0] == '%':
            return ('%', token)
        if token[0] == '@':
            return ('@', token)
        if token in ('null', 'false', 'none', 'undef', 'poison', 'zeroinitializer'):
            return ('k', 0) if self.plain(t)[0] in 'ifp' else ('zero',)
        if token == 'true':
            return ('k', 1)
        if token[0] == 'c' and token[1:2] == '"':
            body = re.sub(rb'\\([0-9A-F]{2})', lambda m: bytes([int(m.group(1), 16)]), token[2:-1].encode())
            return ('list', [(('i', 8), ('k', x)) for x in body])
        if token in ('[', '{', '<'):
            close = {'[': ']', '{': '}', '<': '>'}[token]
            if token == '<' and r.accept('{'):
                close = '}'
            parts = []
            while not r.accept(close):
                part = type_of(r)
                parts.append((part, self.operand(r, part)))
                r.accept(',')
            if token == '<' and close == '}':
                r.take('>')
            return ('list', parts)
        if token == 'getelementptr':
            r.skip()
            r.take('(')
            result = self.place(r)
            r.take(')')
            return result
        if token in ('bitcast', 'inttoptr', 'ptrtoint', 'trunc', 'zext'):
            r.take('(')
            part = type_of(r)
            result = self.operand(r, part)
            r.take('to')
            type_of(r)
            r.take(')')
            return result
        if t[0] == 'f':
            value = struct.unpack('>d', bytes.fromhex(token[2:]))[0] if token.startswith('0x') else float(token)
            size = '>f' if t[1] == 32 else '>d'
            return ('k', int.from_bytes(struct.pack(size, value), 'big'))
        return ('k', int(token) & ((1 << self.width(t)) - 1))

    def place(self, r):
        """What getelementptr computes: a type, a pointer, and indices."""
        t = type_of(r)
        r.take(',')
        base = self.operand(r, type_of(r))
        indices = []
        while r.accept(','):
            if r.peek().startswith('!'):
                break
            part = type_of(r)
            indices.append((self.width(part), self.operand(r, part)))
        return ('gep', t, base, indices)


class Function:
    def __init__(self, program, name, lines):
        self.name = name
        self.program = program
        head = lines[0]
        self.parameters = []
        self.widths = {}
        inside = head[head.index(name) + len(name):]
        r = Reader(inside)
        r.take('(')
        while not r.accept(')'):
            if r.accept('...'):
                continue
            t = type_of(r)
            r.skip()
            parameter = r.take()
            self.parameters.append(parameter)
            self.widths[parameter] = program.width(t)
            r.accept(',')
        r = Reader(head.split(name)[0])
        r.take('define')
        r.skip()
        self.result = type_of(r)
        self.blocks = {}
        # The number of the first block counts on from the parameters.
        block = f'%{len(self.parameters)}'
        self.entry = block
        self.blocks[block] = []
        joined = None
        for line in lines[1:]:
            line = re.sub(r'\s*;.*', '', line) if not line.startswith(' ') else line
            label = re.match(r'^("[^"]*"|[\w.$-]+):', line)
            if label:
                block = '%' + label.group(1)
                if self.blocks == {self.entry: []}:
                    del self.blocks[self.entry]
                    self.entry = block
                self.blocks[block] = []
            elif joined is not None:
                joined += ' ' + line.strip()
                if line.strip() == ']':
                    self.blocks[block].append(self.instruction(joined))
                    joined = None
            elif line.strip().startswith('switch') and ']' not in line:
                joined = line.strip()
            elif line.strip():
                self.blocks[block].append(self.instruction(line.strip()))
        self.analyze()

    def typed(self, r):
        r.skip()
        t = type_of(r)
        return t, self.program.operand(r, t)

    def instruction(self, line):
        """A tuple: the operation, the name of the result or None, and what the operation needs."""
        p = self.program
        r = Reader(line)
        result = None
        if r.tokens[1:2] == ['=']:
            result = r.take()
            r.take()
        r.skip()
        op = r.take()
        r.skip()
        width = None
        if op in ('add', 'sub', 'mul', 'udiv', 'urem', 'sdiv', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'):
            t, a = self.typed(r)
            r.take(',')
            b = p.operand(r, t)
            width = p.width(t)
            out = ('binary', result, op, width, a, b)
        elif op in ('icmp', 'fcmp'):
            condition = r.take()
            t, a = self.typed(r)
            r.take(',')
            b = p.operand(r, t)
            width = 1
            out = (op, result, condition, p.width(t), a, b)
        elif op in ('zext', 'sext', 'trunc', 'bitcast', 'ptrtoint', 'inttoptr', 'freeze', 'fneg'):
            t, a = self.typed(r)
            width = p.width(t)
            if r.accept('to'):
                width = p.width(type_of(r))
            out = ('cast', result, op, p.width(t), width, a)
        elif op == 'getelementptr':
            width = 64
            out = ('gep', result, p.place(r))
        elif op == 'load':
            t = type_of(r)
            width = p.width(t)
            r.take(',')
            out = ('load', result, width, p.layout(t)[0], self.typed(r)[1])
        elif op == 'store':
            t, a = self.typed(r)
            r.take(',')
            out = ('store', None, p.width(t), p.layout(t)[0], a, self.typed(r)[1])
        elif op == 'alloca':
            t = type_of(r)
            width = 64
            out = ('alloca', result, p.layout(t)[0], 'pkt_' in str(t))
        elif op == 'select':
            _, c = self.typed(r)
            r.take(',')
            t, a = self.typed(r)
            r.take(',')
            width = p.width(t)
            out = ('select', result, width, c, a, self.typed(r)[1])
        elif op == 'phi':
            t = type_of(r)
            width = p.width(t)
            ways = {}
            while r.accept('['):
                v = p.operand(r, t)
                r.take(',')
                ways[r.take()] = v
                r.take(']')
                r.accept(',')
            out = ('phi', result, width, ways)
        elif op == 'br':
            if r.accept('label'):
                out = ('br', None, None, r.take(), None)
            else:
                _, c = self.typed(r)
                r.take(',')
                r.take('label')
                yes = r.take()
                r.take(',')
                r.take('label')
                out = ('br', None, c, yes, r.take())
        elif op == 'switch':
            t, a = self.typed(r)
            r.take(',')
            r.take('label')
            other = r.take()
            r.take('[')
            cases = []
            while not r.accept(']'):
                value = self.typed(r)[1][1]
                r.take(',')
                r.take('label')
                cases.append((value, r.take()))
            out = ('switch', None, p.width(t), a, cases, other)
        elif op in ('insertelement', 'extractelement', 'insertvalue', 'extractvalue'):
            t, a = self.typed(r)
            x = None
            r.take(',')
            if op.startswith('insert'):
                x = self.typed(r)[1]
                r.take(',')
            at, part = p.part(t, self.typed(r)[1][1] if op.endswith('element') else int(r.take()))
            width = p.width(part if x is None else t)
            out = ('part', result, p.width(t), at, p.width(part), a, x)
        elif op == 'ret':
            out = ('ret', None, None if r.peek() == 'void' else self.typed(r)[1])
        elif op == 'unreachable':
            out = ('unreachable', None)
        elif op == 'call':
            t = type_of(r)
            width = p.width(t)
            callee = r.take()
            if callee == 'asm' and r.take() == '""' and r.take() == ',' and r.take().startswith('"=r,0,'):
                # No instruction, only a variable whose value the compiler may no longer know.
                callee = '@llvm.expect.asm'
            r.take('(')
            arguments = []
            while not r.accept(')'):
                if r.peek() == 'metadata':
                    arguments.append((0, ('k', 0)))
                    while r.peek() not in (',', ')'):
                        r.take()
                else:
                    part, value = self.typed(r)
                    arguments.append((p.width(part), value))
                r.accept(',')
            out = ('call', result, width, callee, arguments)
        else:
            out = ('unsupported', result, line)
        if result:
            self.widths[result] = width
        return out

    def next_of(self, block):
        last = self.blocks[block][-1]
        if last[0] == 'br':
            return [x for x in last[3:] if x]
        if last[0] == 'switch':
            return list(dict.fromkeys([x for _, x in last[4]] + [last[5]]))
        return []

    def analyze(self):
        """The order of blocks without the edges back, the loops around each block, and what is needed in each block."""
        order, back, state = [], set(), {}
        todo = [(self.entry, iter(self.next_of(self.entry)))]
        state[self.entry] = 1
        while todo:
            block, following = todo[-1]
            for n in following:
                if state.get(n) == 1:
                    back.add((block, n))
                elif n not in state:
                    state[n] = 1
                    todo.append((n, iter(self.next_of(n))))
                    break
            else:
                state[block] = 2
                order.append(block)
                todo.pop()
        order.reverse()
        self.back = back
        self.number = {b: i for i, b in enumerate(order)}
        before = {b: [] for b in order}
        for b in order:
            for n in self.next_of(b):
                before[n].append(b)
        self.loops = {b: [] for b in order}
        for head in sorted({h for _, h in back}, key=lambda b: self.number[b]):
            inside, todo = {head}, [b for b, h in back if h == head]
            while todo:
                b = todo.pop()
                if b not in inside:
                    inside.add(b)
                    todo += before[b]
            for b in inside:
                self.loops[b].append(head)
        names, sets, self.needed = {}, {}, {}

        def uses(v, found):
            if isinstance(v, tuple):
                if len(v) == 2 and v[0] == '%':
                    found.add(v[1])
                else:
                    for x in v:
                        uses(x, found)
            elif isinstance(v, list):
                for x in v:
                    uses(x, found)

        for b in order:
            found, made = set(), set()
            for i in self.blocks[b]:
                if i[0] == 'phi':
                    made.add(i[1])
                    continue
                here = set()
                uses(i[2:], here)
                found |= here - made
                if i[1]:
                    made.add(i[1])
            names[b], sets[b], self.needed[b] = found, made, set(found)
        changed = True
        while changed:
            changed = False
            for b in reversed(order):
                needed = set(names[b])
                for n in self.next_of(b):
                    needed |= self.needed[n] - sets[b] - {i[1] for i in self.blocks[n] if i[0] == 'phi'}
                    for i in self.blocks[n]:
                        if i[0] == 'phi':
                            here = set()
                            uses(i[3][b], here)
                            needed |= here - sets[b]
                if needed != self.needed[b]:
                    self.needed[b] = needed
                    changed = True
        self.phis = {b: [i for i in self.blocks[b] if i[0] == 'phi'] for b in order}
