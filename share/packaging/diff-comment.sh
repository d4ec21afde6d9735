#!/bin/sh
# diff-comment.sh - what `pktc diff` says of schemas against their releases, as a comment for a pull request.
# SPDX-License-Identifier: MIT
#
# usage: [PKTC=pktc] diff-comment.sh RELEASES FILE.pkt...
#
# Prints Markdown. Its first line marks the comment, so that the next run can replace it. The exit status is the greatest
# one of `pktc diff`; but a new protocol id with which every recording converts, 3, counts as 0.
set -u
releases=$1
shift
worst=0
echo '<!-- pktc diff -->'
for file; do
    said=$("${PKTC:-pktc}" diff --against "$releases" "$file" 2>&1)
    status=$?
    [ $status = 3 ] || [ $status -le $worst ] || worst=$status
    verdict=$(printf '%s\n' "$said" | sed -n 's/^verdict: //p')
    cat <<END
**\`$file\`: ${verdict:-not compared}**

<details><summary><code>pktc diff --against $releases $file</code></summary>

\`\`\`\`text
$said
\`\`\`\`

</details>

END
done
exit $worst
