-- neovim.lua - a session of neovim with `pktc lsp`: what it shows, and its edits.
-- SPDX-License-Identifier: MIT
--
-- usage: tests/lsp/clients.sh runs it in an empty folder, with the path of pktc in $PKTC, and perhaps the compiled parser of
-- share/editors/tree-sitter in $PARSER and its colors in $QUERY
local passed = 0

local function check(what, ok, got)
    if not ok then
        print('\n[  FAILED  ] 1 test(s): ' .. what .. ': ' .. vim.inspect(got))
        vim.cmd('cquit 1')
    end
    passed = passed + 1
end

local function save(name, lines)
    vim.fn.writefile(lines, name)
end

save('vec.pkt', { 'struct Vec {', '    float<-1, 1, 0.5> x, y;', '}' })
save('game.pkt', {
    'protocol game = 1;', 'import "vec.pkt";', 'enum Team { none, red }', 'packet Ship {', '    Team team = red;',
    '    Vec speed;', '    uint16_t fuel;', '}' })
vim.cmd('edit game.pkt')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'pktc', cmd = { vim.env.PKTC, 'lsp' }, root_dir = vim.fn.getcwd() })
check('the client starts', client ~= nil and vim.lsp.buf_attach_client(buffer, client), client)

local function ask(method, more, at)
    local parameters = vim.tbl_extend('force', {
        textDocument = { uri = vim.uri_from_bufnr(buffer) },
        position = at and { line = at[1], character = at[2] } or nil,
    }, more or {})
    local answers, problem = vim.lsp.buf_request_sync(buffer, method, parameters, 10000)
    check(method .. ' is answered', answers and answers[client] and not answers[client].err, answers or problem)
    return answers[client].result
end

-- what the editor itself has of the diagnostics
local function problems(count)
    vim.wait(10000, function() return #vim.diagnostic.get(buffer) == count end, 20)
    return vim.diagnostic.get(buffer)
end

check('the client is ready', vim.wait(10000, function() return vim.lsp.buf_is_attached(buffer, client) end, 20))
local found = problems(1)
check('one error', #found == 1 and found[1].lnum == 6 and found[1].message:find("uint16_t", 1, true), found)

-- a fix, made by the editor
local actions = ask('textDocument/codeAction', {
    range = { start = { line = 6, character = 4 }, ['end'] = { line = 6, character = 5 } },
    context = { diagnostics = {} } })
check('one fix', #actions == 1, actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
check('the fix is made', vim.fn.getline(7) == '    u16 fuel;', vim.fn.getline(7))
check('no error is left', #problems(0) == 0)

local hover = ask('textDocument/hover', nil, { 6, 9 })
check('hover', hover.contents.value:find('16 bits; 0 to 65535', 1, true), hover)
check('hints', #ask('textDocument/inlayHint', { range = {
    start = { line = 0, character = 0 }, ['end'] = { line = 9, character = 0 } } }) == 5)
check('lenses', ask('textDocument/codeLens')[1].command.title:find('of 1200', 1, true))
check('symbols', #ask('textDocument/documentSymbol') == 3)
check('folds', #ask('textDocument/foldingRange') == 1)
check('tokens', #ask('textDocument/semanticTokens/full').data > 50)
local declared = ask('textDocument/definition', nil, { 5, 5 })
check('definition', declared.uri:find('vec.pkt$') and declared.range.start.line == 0, declared)

-- typing: the other lines are known all the time
vim.api.nvim_buf_set_lines(buffer, 7, 7, false, { '    if (team == ' })
local offered = {}
for _, item in ipairs(ask('textDocument/completion', nil, { 7, 16 })) do offered[item.label] = true end
check('completion', offered.red and offered.none and not offered.u8, offered)
check('hover while there are errors', ask('textDocument/hover', nil, { 6, 9 }).contents.value:find('16 bits', 1, true))
vim.api.nvim_buf_set_lines(buffer, 7, 8, false, {})

-- a rename in two files, of which one is not open
local edits = ask('textDocument/rename', { newName = 'Velocity' }, { 5, 5 })
vim.lsp.util.apply_workspace_edit(edits, 'utf-16')
check('the use is renamed', vim.fn.getline(6) == '    Velocity speed;', vim.fn.getline(6))
local other = vim.fn.bufnr('vec.pkt')
check('the declaration is renamed', vim.fn.getbufline(other, 1)[1] == 'struct Velocity {', vim.fn.getbufline(other, 1))
vim.api.nvim_set_current_buf(buffer)
check('no error of the rename', #problems(0) == 0, vim.diagnostic.get(buffer))

vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'enum   Team {none,red}' })
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', { options = { tabSize = 4, insertSpaces = true } }), buffer,
    'utf-16')
check('the format', vim.fn.getline(3) == 'enum Team { none, red }', vim.fn.getline(3))

-- the tree-sitter grammar
if vim.env.PARSER ~= '' then
    vim.treesitter.require_language('pkt', vim.env.PARSER)
    local tree = vim.treesitter.get_parser(buffer, 'pkt'):parse()[1]
    check('a tree without errors', not tree:root():has_error(), tree:root():sexpr())
    local query = vim.treesitter.parse_query('pkt', table.concat(vim.fn.readfile(vim.env.QUERY), '\n'))
    local names = {}
    for id in query:iter_captures(tree:root(), buffer, 0, -1) do names[query.captures[id]] = true end
    check('colors', names.keyword and names.type and names.property and names.number, names)
end

vim.lsp.stop_client(client)
check('the server ends', vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 20))
print('\n[  PASSED  ] ' .. passed .. ' test(s).\n')
vim.cmd('qall!')
