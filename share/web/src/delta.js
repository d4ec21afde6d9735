// delta.js - a delta: the value before, the value now, and the bits that say what has changed.
// SPDX-License-Identifier: MIT
import { makeBits } from './bits.js';
import { byId, counted } from './html.js';
import { makeTypes, reasonIn } from './packet.js';
import { bytesOf } from './pktc.js';
import { sample } from './values.js';

export function makeDelta(context) {
    const type = byId('delta-type'), base = byId('delta-base'), now = byId('delta-now'), problem = byId('delta-problem');
    const bits = makeBits('Bits of the delta');
    byId('delta-bits').append(bits.element);
    const types = makeTypes(type, (each) => Boolean(each.delta_bits));
    let turn = 0;

    const call = (lane, args, input) => {
        const { file, files } = context.schema();
        return context.pktc.call(lane, args.map((each) => (each === 'SCHEMA' ? file : each)),
            { ...files, 'base.json': bytesOf(base.value) }, bytesOf(input));
    };
    const sizeOf = (digits) => digits.trim().length / 2;

    async function update() {
        const mine = ++turn;
        const [made, whole] = await Promise.all([
            call('delta', ['encode', '--hex', '--base', 'base.json', 'SCHEMA', type.value], now.value),
            call('delta-whole', ['encode', '--hex', 'SCHEMA', type.value], now.value),
        ]);
        if (mine !== turn || made.status === null) return false;
        problem.hidden = made.status === 0;
        problem.textContent = reasonIn(made.err);
        if (made.status !== 0) {
            byId('delta-size').textContent = 'refused';
            context.say(`refused: ${reasonIn(made.err).split('\n')[0]}`);
            return false;
        }
        const words = whole.status === 0 ? `${counted(sizeOf(made.out), 'byte')} instead of ${sizeOf(whole.out)}` : counted(sizeOf(made.out), 'byte');
        byId('delta-size').textContent = words;
        context.say(`delta of ${type.value}: ${words}`);
        context.saved();
        const listed = await call('delta-bits', ['decode', '--hex', '--bits', '--base', 'base.json', 'SCHEMA', type.value], made.out);
        // Lit is what the delta says of changes: all but checks, and the bits that say that nothing has changed.
        const isSent = (each) => !/(crc|end check)$/.test(each.name) && !(/(changes|changed)$/.test(each.name)) && !/^unchanged/.test(each.value);
        if (mine === turn && listed.status !== null) bits.show(listed.out, made.out, { lit: isSent });
        return true;
    }

    async function begin() {
        const declaration = context.types().get(type.value);
        if (!declaration) return;
        const start = await call('delta-start', ['encode', '--hex', 'SCHEMA', type.value], JSON.stringify(sample(declaration, context.types())));
        const whole = start.status === 0 ? await call('delta-start', ['decode', '--hex', 'SCHEMA', type.value], start.out) : start;
        const text = whole.status === 0 ? whole.out.trim() : '{}';
        base.value = text;
        now.value = text;
        await update();
    }

    type.addEventListener('change', begin);
    base.addEventListener('input', update);
    now.addEventListener('input', update);
    byId('delta-swap').addEventListener('click', () => {
        [base.value, now.value] = [now.value, base.value];
        update();
    });
    byId('delta-same').addEventListener('click', () => {
        base.value = now.value;
        update();
    });

    return {
        async update(description) {
            const news = types.update(description);
            if (!news) return;
            const { state } = news;
            byId('delta-none').hidden = type.value !== '';
            byId('delta-some').hidden = type.value === '';
            if (type.value === '') return;
            if (state?.base !== undefined) {
                base.value = state.base;
                now.value = state.now ?? state.base;
            } else if (news.isOther) {
                return begin();
            }
            await update();
        },
        restore: types.restore,
        state: () => (type.value ? { type: type.value, base: base.value, now: now.value } : undefined),
    };
}
