" pkt.vim - colors of .pkt files, the schemas of pktc.
" SPDX-License-Identifier: MIT
if exists('b:current_syntax')
    finish
endif
syntax keyword pktStructure protocol prefix import model const type enum flags struct packet union as from
syntax keyword pktConditional if else switch case default
syntax keyword pktKeyword optional sparse local align reserved check compact by after unless wrap or raw clamp of delta coded still was
syntax keyword pktType bool bits int half float double fixed quat unit string bytes ref
syntax keyword pktType u8 u16 u32 u64 i8 i16 i32 i64
syntax keyword pktBoolean true false
syntax match pktAttribute /@\(answers\|budget\|convert\|delta\|deprecated\|fit\|large\|lossy\|mix\|near\|received\|save\|seed\|speed\|stable\)\>/
syntax match pktNumber /\<\(0[xX]\x\+\|\d\+\(\.\d\+\([eE][-+]\=\d\+\)\=\)\=\)\>/
syntax region pktString start=/"/ end=/"/ oneline
syntax match pktComment +//.*$+
syntax region pktComment start=+/\*+ end=+\*/+
highlight default link pktStructure Structure
highlight default link pktConditional Conditional
highlight default link pktKeyword Keyword
highlight default link pktType Type
highlight default link pktBoolean Boolean
highlight default link pktAttribute PreProc
highlight default link pktNumber Number
highlight default link pktString String
highlight default link pktComment Comment
let b:current_syntax = 'pkt'
