# pktc.fish - completion of pktc's command line in fish. pktc itself knows what may come next.
# SPDX-License-Identifier: MIT
function __pktc_files -a word endings -d 'directories, and the files with these endings'
    __fish_complete_path $word | string match -r -- ".*(?:/|\.(?:$endings))(?:\t.*)?\$"
end
function __pktc_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l prefix (string match -r -- '^--[^=]*=' $words[-1])
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :pkt
                __pktc_files $words[-1] pkt
            case :recording
                __pktc_files $words[-1] '(?:pcap|pcapng)(?:\.gz|\.zst)?'
            case :file
                __fish_complete_path $words[-1]
            case :directory
                __fish_complete_directories $words[-1]
            case '*'
                echo -- "$prefix$line"
        end
    end
end
complete -c pktc -f -a '(__pktc_complete)'
