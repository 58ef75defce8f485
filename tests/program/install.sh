#!/bin/sh
# `cmake --install` puts everything in its place, and the installed program works there.
set -eu
build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder" >/dev/null
for file in bin/normtrace share/man/man1/normtrace.1 share/bash-completion/completions/normtrace \
  share/normtrace/examples/cat-eats-fish.txt share/doc/normtrace/README.md share/doc/normtrace/LICENSE; do
  [ -s "$folder/$file" ] || { echo "not installed: $file"; exit 1; }
done
grep -q '^\.TH NORMTRACE 1' "$folder/share/man/man1/normtrace.1" || { echo "normtrace.1 is no man page"; exit 1; }
"$folder/bin/normtrace" example cat-eats-fish >/dev/null

# What the shell would offer after `normtrace exa`.
offered=$(bash -c '
  source "$1/share/bash-completion/completions/normtrace"
  COMP_WORDS=(normtrace exa) COMP_CWORD=1 COMP_LINE="normtrace exa" COMP_POINT=13
  function=$(complete -p normtrace | sed "s/.*-F \([^ ]*\).*/\1/")
  "$function" normtrace exa normtrace
  echo "${COMPREPLY[*]}"' bash "$folder")
[ "$offered" = example ] || { echo "completion offers '$offered' instead of 'example'"; exit 1; }
