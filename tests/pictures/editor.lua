-- editor.lua - the picture of the README of schemas in an editor: neovim with `pktc lsp`, cell by cell as SVG.
-- SPDX-License-Identifier: MIT
--
-- usage: tests/pictures.sh editor starts neovim in tmux with it, with $PKTC, $VIM_FILES and $PICTURE.
--
-- neovim 0.7 has no inlay hints and no code lenses of its own, so this shows what the server answers.
local COLUMNS, ROWS, WIDE, HIGH, EDGE = 94, 27, 8.6, 20, 12
local schema = [[
protocol tanks = 3;

const FIELD = 2048.0;
enum Weapon { cannon, rockets, mines }

struct Tank {
    float<-FIELD, FIELD, 0.01> x, y;
    float<-180, 180, 0.5> turret wrap;
    Weapon weapon = cannon;
    bool alive;
    if (alive) { u8<0, 100> health = 100; }
    uint16_t ammo;
}

packet World @delta {
    Tank tanks[<=24];
    /// Seconds since the round began.
    float<0, 600, 0.1> clock;
}
]]
-- Each color by its name in SVG, light and dark.
local colors = {
    ink = { '#1c2530', '#e4e9ef' }, faint = { '#5b6672', '#9aa7b4' }, keyword = { '#7a3ea8', '#c99bf0' }, type = { '#1f6f8b', '#7cc7de' },
    number = { '#a1490c', '#efa871' }, text = { '#276b35', '#8fcf9a' }, meta = { '#ad2d62', '#f08cb4' }, wrong = { '#c9372f', '#f0837b' },
    paper = { '#ffffff', '#14181d' }, edge = { '#d1d9e0', '#2d353e' }, panel = { '#f1f4f8', '#1f262e' }, bar = { '#e3e8ee', '#252c33' },
}

local function number_of(hex)
    return tonumber(hex:sub(2), 16)
end

local names = {}
for name, pair in pairs(colors) do
    names[number_of(pair[1])] = name
end

local groups = {
    Normal = { 'ink', 'paper' }, Comment = { 'faint' }, SpecialComment = { 'text' }, Keyword = { 'keyword' }, Statement = { 'keyword' }, Include = { 'keyword' },
    Structure = { 'keyword' }, Type = { 'type' }, Number = { 'number' }, Float = { 'number' }, Boolean = { 'number' }, Constant = { 'number' },
    String = { 'text' }, PreProc = { 'meta' }, Identifier = { 'ink' }, Function = { 'ink' }, Operator = { 'ink' }, LineNr = { 'faint' }, NonText = { 'paper' },
    EndOfBuffer = { 'paper' }, StatusLine = { 'ink', 'bar' }, SignColumn = { 'faint', 'paper' }, NormalFloat = { 'ink', 'panel' },
    FloatBorder = { 'faint', 'panel' }, Hint = { 'faint', 'panel' }, Lens = { 'faint' }, DiagnosticError = { 'wrong' }, DiagnosticSignError = { 'wrong' },
    DiagnosticVirtualTextError = { 'wrong' }, Cursor = { 'ink' }, Special = { 'ink' }, Title = { 'ink' },
    Visual = { 'ink' }, markdownCode = { 'ink' }, Conceal = { 'faint', 'panel' },
}

local function escaped(text)
    return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'))
end

-- ---- the screen, as tmux has it: text, with the colors between escapes

local function apply(of, codes)
    local list = vim.split(codes == '' and '0' or codes, '[;:]')
    local i = 1
    of = vim.deepcopy(of)
    while i <= #list do
        local code = tonumber(list[i])
        if (code == 38 or code == 48 or code == 58) and list[i + 1] == '2' then
            local color = tonumber(list[i + 2]) * 65536 + tonumber(list[i + 3]) * 256 + tonumber(list[i + 4])
            if code ~= 58 then
                of[code == 38 and 'foreground' or 'background'] = color
            end
            i = i + 4
        elseif code == 0 then
            of = {}
        elseif code == 39 or code == 49 then
            of[code == 39 and 'foreground' or 'background'] = nil
        elseif code == 4 or code == 24 then
            of.underline = code == 4 or nil
        end
        i = i + 1
    end
    return of
end

local function screen_of(captured)
    local screen = {}
    for row, line in ipairs(vim.split(captured, '\n')) do
        local cells, of, at = {}, {}, 1
        while at <= #line do
            local codes, after = line:match('^\27%[([%d;:]*)m()', at)
            if codes then
                of, at = apply(of, codes), after
            else
                local text = line:match('^[%z\1-\127\194-\244][\128-\191]*', at)
                cells[#cells + 1] = { text = text, of = of }
                at = at + #text
            end
        end
        screen[row - 1] = {}
        for column = 0, COLUMNS - 1 do
            screen[row - 1][column] = cells[column + 1] or { text = ' ', of = {} }
        end
    end
    return screen
end

-- ---- SVG

local function class_of(color, otherwise)
    return color and (names[color] or otherwise) or otherwise
end

local function draw(screen)
    local width, height = COLUMNS * WIDE + 2 * EDGE, ROWS * HIGH + 2 * EDGE
    local made = {
        ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">'):format(width, height, width, height),
        '<title>A schema in neovim: an error with its advice, bits beside each field, and what is known of a field</title>', '<style>' }
    local sorted = vim.tbl_keys(colors)
    table.sort(sorted)
    for which, start in ipairs({ 'svg {', '@media (prefers-color-scheme: dark) { svg {' }) do
        for _, name in ipairs(sorted) do
            start = start .. (' --%s: %s;'):format(name, colors[name][which])
        end
        table.insert(made, start .. (which == 1 and ' }' or ' } }'))
    end
    table.insert(made, 'text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; }')
    for _, name in ipairs(sorted) do
        table.insert(made, ('.%s { fill: var(--%s); }'):format(name, name))
    end
    table.insert(made, '.frame { stroke: var(--edge); } .under { stroke: var(--wrong); stroke-width: 1.5; stroke-dasharray: 3 2; }')
    table.insert(made, '</style>')
    table.insert(made, ('<rect class="paper frame" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>'):format(width - 1, height - 1))

    -- Calls put with each run of cells of a row for which `key` is the same and not nil.
    local function runs(row, key, put)
        local column = 0
        while column < COLUMNS do
            local now, first, text = key(screen[row][column]), column, ''
            while column < COLUMNS and key(screen[row][column]) == now do
                text = text .. screen[row][column].text
                column = column + 1
            end
            if now then
                put(now, first, column - first, text)
            end
        end
    end

    for row = 0, ROWS - 1 do
        local top = EDGE + row * HIGH
        runs(row, function(cell)
            local name = class_of(cell.of.background, 'paper')
            return name ~= 'paper' and name or nil
        end, function(name, first, count)
            table.insert(made, ('<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d"/>'):format(name, EDGE + first * WIDE, top, count * WIDE, HIGH))
        end)
        runs(row, function(cell)
            return cell.text:match('%S') and class_of(cell.of.foreground, 'ink') or nil
        end, function(name, first, count, text)
            table.insert(made, ('<text class="%s" x="%.1f" y="%d" textLength="%.1f">%s</text>'):format(name, EDGE + first * WIDE, top + 15, count * WIDE, escaped(text)))
        end)
        runs(row, function(cell)
            return cell.of.underline
        end, function(_, first, count)
            table.insert(made, ('<path class="under" d="M%.1f %.1fh%.1f"/>'):format(EDGE + first * WIDE, top + 18.5, count * WIDE))
        end)
    end
    table.insert(made, '</svg>')
    vim.fn.writefile(made, vim.env.PICTURE)
end

-- ---- the session

-- What goes wrong is written in place of the picture.
local function try(run)
    local ok, problem = pcall(run)
    if not ok then
        vim.fn.writefile({ problem }, vim.env.PICTURE)
        vim.cmd('cquit 1')
    end
end

local function show()
    vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus, vim.o.ruler = true, true, 'yes:1', 2, false
    vim.o.swapfile, vim.o.shortmess, vim.o.cmdheight, vim.o.statusline = false, 'filnxtToOFI', 1, '  %f%=%{get(g:, "found", "")}  '
    vim.o.background, vim.opt.fillchars = 'light', { eob = ' ' }
    vim.opt.runtimepath:prepend(vim.env.VIM_FILES)
    vim.fn.writefile(vim.split(vim.trim(schema), '\n'), 'tanks.pkt')
    vim.cmd('edit tanks.pkt')
    vim.cmd('set filetype=pkt | syntax on')
    for group, pair in pairs(groups) do
        vim.api.nvim_set_hl(0, group, { fg = pair[1] and colors[pair[1]][1], bg = pair[2] and colors[pair[2]][1] })
    end
    vim.api.nvim_set_hl(0, 'DiagnosticUnderlineError', { underline = true })
    vim.diagnostic.config({ virtual_text = { prefix = '', spacing = 2, format = function(each) return each.message:gsub('\n%s*', '  ') .. '' end } })

    local buffer = vim.api.nvim_get_current_buf()
    local client = vim.lsp.start_client({ name = 'pktc', cmd = { vim.env.PKTC, 'lsp' }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(buffer, client)
    local function ask(method, more)
        local parameters = vim.tbl_extend('force', { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, more or {})
        return vim.lsp.buf_request_sync(buffer, method, parameters, 10000)[client].result
    end
    vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
    vim.g.found = ('%d error'):format(#vim.diagnostic.get(buffer))

    local space = vim.api.nvim_create_namespace('shown')
    local last = vim.api.nvim_buf_line_count(buffer)
    for _, each in ipairs(ask('textDocument/inlayHint', { range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } } })) do
        vim.api.nvim_buf_set_extmark(buffer, space, each.position.line, 0, { virt_text = { { '  ' }, { ' ' .. each.label .. ' ', 'Hint' } } })
    end
    for _, each in ipairs(ask('textDocument/codeLens')) do
        vim.api.nvim_buf_set_extmark(buffer, space, each.range.start.line, 0,
            { virt_lines_above = true, virt_lines = { { { each.command.title, 'Lens' } } } })
    end
    vim.fn.search('clock')
    local at = vim.api.nvim_win_get_cursor(0)
    local hover = ask('textDocument/hover', { position = { line = at[1] - 1, character = at[2] } })
    local lines = vim.tbl_filter(function(line) return line ~= '' and not line:match('^```') end, vim.split(hover.contents.value, '\n'))
    local _, float = vim.lsp.util.open_floating_preview(lines, 'plaintext', { border = 'single', focusable = false, close_events = {} })
    vim.api.nvim_win_set_config(float, { relative = 'editor', anchor = 'NW', row = 20, col = 24 }) -- under the last line of the packet, to hide none
    vim.defer_fn(function()
        try(function()
            draw(screen_of(vim.fn.system('tmux capture-pane -e -p -N -t ' .. vim.env.TMUX_PANE)))
        end)
        vim.cmd('qa!')
    end, 300)
end

vim.o.columns, vim.o.lines = COLUMNS, ROWS + 1
vim.api.nvim_create_autocmd('VimEnter', { callback = function() try(show) end })
