// program.ts - a program that uses the package of schemas/mygame.pkt. ts.sh removes its types for node.
// SPDX-License-Identifier: MIT
import { addressOf, c } from 'mygame/pkt.js';
import { load, Command, ConnectAccept, ConnectRequest, Input, Message, Message_tag, Player, PktError, Snapshot, Team } from 'mygame';

await load();
const message: Message = Message.make().set({ connect_request: { name: 'anna', client_salt: 5n } });
const data: Uint8Array = message.pack();
const received = Message.make();
received.unpack(data);
if (received.tag !== Message_tag.connect_request) throw new Error('a tag');
const request: ConnectRequest = received.connect_request;

const accept = ConnectAccept.make();
accept.slot = 3;
const snapshot = Snapshot.make().set({ tick: 9, players: [{ alive: true, x: 0.5, team: Team.red }, {}] });
const player: Player = snapshot.players.at(0);
const input = Input.make().set({ commands: [{ aim: { yaw: 90 } }] });
for (const command of input.commands) if (!(command instanceof Command)) throw new Error('a command');
if (addressOf(snapshot) === 0 || c.anything !== undefined) throw new Error('an address');
if (accept.try_unpack(data) || snapshot.players.length !== 2) throw new Error('a player');

try {
    accept.unpack(data);
} catch (error) {
    if (!(error instanceof PktError) || error.code !== 'crc' || error.bit !== 0) throw error;
    console.log(`${request.name} joins at ${player.x}`);
}
