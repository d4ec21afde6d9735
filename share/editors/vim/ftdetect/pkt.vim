autocmd BufRead,BufNewFile *.pkt setfiletype pkt
