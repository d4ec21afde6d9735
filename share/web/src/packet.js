// packet.js - a packet: its fields as a form or JSON, its bytes and its bits. An edit of one changes the others.
// SPDX-License-Identifier: MIT
import { makeBits } from './bits.js';
import { byId, counted } from './html.js';
import { bytesOf } from './pktc.js';
import { makeForm, sample } from './values.js';

export const reasonIn = (err) => err.trim().split('\n').map((line) => line.replace(/^pktc: error: (value\.json: |base\.json: |standard input: )?/, '')).join('\n');

/** Removes the field that is not on the wire, as an error of pktc names it. False if the error is another one. */
function removeUnsent(value, err) {
    const path = /^\w+\.([\w.[\]]+): with the values of the fields before it, this field is not on the wire/.exec(reasonIn(err))?.[1].split(/[.[\]]+/);
    const field = path?.pop();
    const owner = path?.reduce((at, key) => at?.[key], value);
    return Boolean(owner) && field in owner && delete owner[field];
}

/** context: { pktc, schema(): { file, files }, types(): declarations by name, say(text), saved() } */
export function makePacket(context) {
    const type = byId('packet-type'), json = byId('packet-json'), hex = byId('packet-hex'), problem = byId('packet-problem');
    const bits = makeBits('Bits of the packet');
    byId('packet-bits').append(bits.element);
    const showForm = makeForm(byId('packet-form'), (value) => {
        own = true;
        fromJson(json, value);
    });
    const types = makeTypes(type, () => true);
    let turn = 0, source = 'json', own = false; // own: the user has changed the values

    const call = (lane, args, input) => {
        const { file, files } = context.schema();
        return context.pktc.call(lane, args.map((each) => (each === 'SCHEMA' ? file : each)), files, bytesOf(input));
    };

    function refuse(err) {
        problem.textContent = reasonIn(err);
        problem.hidden = false;
        byId('packet-size').textContent = 'refused';
        context.say(`refused: ${reasonIn(err).split('\n')[0]}`);
    }

    function accept(digits) {
        problem.hidden = true;
        const size = digits.trim().replace(/\s/g, '').length / 2;
        byId('packet-size').textContent = counted(size, 'byte');
        context.say(`${type.value}: ${counted(size, 'byte')}`);
        context.saved();
    }

    const spaced = (digits) => digits.trim().replace(/(..)(?=.)/g, '$1 ');

    async function showBits(digits, mine) {
        const listed = await call('packet-bits', ['decode', '--hex', '--bits', 'SCHEMA', type.value], digits);
        if (mine === turn && listed.status !== null) bits.show(listed.out, digits);
    }

    async function showValue(digits, mine, from) {
        const decoded = await call('packet-value', ['decode', '--hex', 'SCHEMA', type.value], digits);
        if (mine !== turn || decoded.status === null) return null;
        if (decoded.status !== 0) return decoded;
        if (from !== json) json.value = decoded.out.trim();
        showForm(JSON.parse(decoded.out), context.types().get(type.value), context.types());
        return decoded;
    }

    /**
     * `typed`: what the user edits, which is not rewritten. `edited`: the value, if it comes from the form. An edit there,
     * of a switch say, can take fields off the wire, which pktc refuses: these fields leave the value.
     */
    async function fromJson(typed, edited) {
        const mine = ++turn, { value } = type;
        source = 'json';
        let encoded;
        do {
            if (edited) json.value = JSON.stringify(edited, null, 4);
            encoded = await call('packet', ['encode', '--hex', 'SCHEMA', value], json.value);
            if (mine !== turn || encoded.status === null) return false;
        } while (encoded.status !== 0 && edited && removeUnsent(edited, encoded.err));
        if (encoded.status !== 0) {
            refuse(encoded.err);
            return false;
        }
        hex.value = spaced(encoded.out);
        accept(encoded.out);
        await Promise.all([showValue(encoded.out, mine, typed), showBits(encoded.out, mine)]);
        return true;
    }

    async function fromHex() {
        const mine = ++turn, digits = hex.value;
        source = 'hex';
        const [decoded] = await Promise.all([showValue(digits, mine, hex), showBits(digits, mine)]);
        if (mine !== turn || !decoded) return;
        if (decoded.status !== 0) refuse(decoded.err);
        else accept(digits);
    }

    async function begin() {
        const declaration = context.types().get(type.value);
        if (!declaration) return;
        own = false;
        json.value = JSON.stringify(sample(declaration, context.types()), null, 4);
        if (await fromJson(null) || json.value === '{}') return;
        const first = declaration.items?.find((each) => each.kind === 'member');
        json.value = first ? JSON.stringify({ [first.name]: {} }) : '{}';
        if (!await fromJson(null)) byId('packet-form').replaceChildren();
    }

    type.addEventListener('change', begin);
    json.addEventListener('input', () => {
        own = true;
        fromJson(json);
    });
    hex.addEventListener('input', () => {
        own = true;
        fromHex();
    });
    byId('packet-sample').addEventListener('click', begin);
    byId('packet-zero').addEventListener('click', () => {
        const first = context.types().get(type.value)?.items?.find((each) => each.kind === 'member');
        json.value = first ? JSON.stringify({ [first.name]: {} }) : '{}';
        fromJson(null);
    });
    for (const name of ['form', 'json']) {
        byId(`packet-as-${name}`).addEventListener('change', () => {
            byId('packet-form').hidden = name !== 'form';
            json.parentElement.hidden = name !== 'json';
        });
    }

    return {
        /** Shows the packet with the schema as it is now. */
        async update(description) {
            const news = types.update(description);
            if (!news) return;
            const { state } = news;
            if (news.isOther) {
                if (!state?.json && !state?.hex) return begin();
                json.value = state.json ?? '';
                hex.value = state.hex ?? '';
                source = state.hex ? 'hex' : 'json';
            }
            // What a link has is shown as it is; otherwise the fields are those that the schema has now.
            own ||= Boolean(state);
            if (source === 'hex') await fromHex();
            else if (!await fromJson(state ? json : null) && !own) await begin();
        },
        restore: types.restore,
        state: () => ({ type: type.value, [source]: source === 'hex' ? hex.value : json.value }),
    };
}

/** Fills a list with the types that fit, packets first. True if another one is chosen then. */
function fillTypes(select, description, wanted, fits) {
    const order = ['packet', 'packet union', 'struct', 'union'];
    const types = description.declarations.filter((each) => order.includes(each.kind) && fits(each));
    types.sort((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind));
    const before = select.value, choice = wanted ?? before;
    const names = types.map((each) => each.name);
    if (names.join() !== [...select.options].map((each) => each.value).join())
        select.replaceChildren(...types.map(({ name, kind }) => new Option(kind.startsWith('packet') ? name : `${name} (${kind})`, name)));
    select.value = names.includes(choice) ? choice : names[0] ?? '';
    return select.value !== before;
}

/** The list of the types that fit, in a tab: it follows the schema, and what a link says. */
export function makeTypes(select, fits) {
    let described = null, state, isNew = true;
    return {
        /**
         * Null if there is nothing new to show. Otherwise `isOther` says that the values before are of another type or of another
         * schema, and `state` is what a link says, or undefined.
         */
        update(description) {
            if (description === described && !isNew) return null;
            const given = state, isOther = fillTypes(select, description, given?.type, fits) || isNew;
            described = description;
            state = undefined;
            isNew = false;
            return { state: given, isOther };
        },
        /** Another schema comes, with the state of a link or without one. */
        restore(given) {
            state = given;
            isNew = true;
        },
    };
}
