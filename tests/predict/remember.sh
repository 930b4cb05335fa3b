#!/bin/sh
# remember.sh HELPER COMMAND...: runs COMMAND with a CLSIZER_HELPER that asks HELPER each question once and then repeats
# its answer: predicting one kernel many times needs one analysis.
set -u
helper=$1
shift
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cat >"$dir/helper" <<END
#!/bin/sh
kept=$dir/\$(printf '%s\n' "\$PWD" "\$@" | cksum | tr ' ' -)
[ -e "\$kept" ] || { "$helper" "\$@" >"\$kept.\$\$" && mv "\$kept.\$\$" "\$kept"; } || exit
exec cat "\$kept"
END
chmod +x "$dir/helper"
CLSIZER_HELPER=$dir/helper "$@"
