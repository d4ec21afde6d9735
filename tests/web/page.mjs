// page.mjs - the page of share/web in a browser: what it shows is what the pktc of this machine says.
// SPDX-License-Identifier: MIT
//
// usage: PKTC=build/pktc node page.mjs BUILD/web SCRATCH       from the top directory
import { finish, startBrowser, startServer } from './browser.mjs';
import { testSchemas } from './schemas.mjs';
import { testEditor } from './editor.mjs';
import { testPackets } from './packets.mjs';
import { testRecordings } from './recordings.mjs';
import { testLinks } from './links.mjs';
import { testLooks } from './looks.mjs';

const browser = await startBrowser(), server = await startServer();
for (const each of [testSchemas, testEditor, testPackets, testRecordings, testLinks, testLooks]) await each(browser, server);
await browser.close();
server.stop();
finish();
