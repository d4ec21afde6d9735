// extension.js - starts `pktc lsp` for .pkt files.
// SPDX-License-Identifier: MIT
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
    const [command, ...args] = workspace.getConfiguration('pkt').get('server');
    client = new LanguageClient('pkt', 'pktc', { command, args }, {
        documentSelector: [{ language: 'pkt' }],
        synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.{pkt,model}') },
    });
    return client.start();
};

exports.deactivate = () => client && client.stop();
