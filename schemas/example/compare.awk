# compare.awk - compares the log of the server, which comes first, with those of clients. Exits with 1 if they differ.
# SPDX-License-Identifier: MIT
#
# A line is a session, "snapshot" or "event", its number and its hash. What a client has must be what the server has sent
# it, and no event may be left out. A client that was given up and joins again has the same session, whose numbers begin
# again: then it has one of those that were sent.
function is_among(hash, all) { return index(all " ", " any ") || index(all " ", " " hash " ") }
{ key = $1 " " $2 " " $3 }
FILENAME ~ /server.log$/ && $2 == "event" && !($1 in next_event) { next_event[$1] = $3 }
FILENAME ~ /server.log$/ { sent[key] = sent[key] " " $4; next }
{ compared++; wrong += !(key in sent) || !is_among($4, sent[key]) }
$2 == "event" { missing += $3 != next_event[$1]; next_event[$1] = ($3 + 1) % 65536 }
END {
    print (wrong ? "  NO: " : "  yes: ") compared " hashes of snapshots and events are those that the server has noted"
    print (missing ? "  NO: " : "  yes: ") "events have arrived once each, and in their order"
    exit wrong || missing || !compared
}
