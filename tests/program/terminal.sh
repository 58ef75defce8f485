#!/bin/sh
# In a terminal of 60 columns no line is longer, and away from one nothing is broken.
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# wc counts the columns that characters take.
export LC_ALL=C.UTF-8

fail() { echo "$1"; exit 1; }

if [ "$(script -qec 'echo yes' /dev/null </dev/null 2>&1 | tr -d '\r')" != yes ]; then
  echo "skipped: this system gives no pseudo terminal"
  exit 77
fi

in_terminal() { script -qec "stty cols 60; '$program' $1" /dev/null </dev/null | sed 's/\r$//; s/\x1b\[[0-9]*m//g'; }

for words in "compare 猫=1,2,3,4 吃=2,0,-2,4 鱼=-1,1,-1,1" "compare 猫=1,2,3,4 吃=2,0,-2,4 --norms ln,rms --lang zh" \
  "rms 1 2 3 4 5 6 7 8 9 10 11 12 --steps full" "table norms" "claims --lang zh" "conventions 1,2,3,4 --lang zh" \
  "explain 1,2,3,4 -1.1619,-0.3873,0.3873,1.1619 --lang zh" "ln --help" "--help --lang zh" "bn 1 2 3 --dtype float16" \
  "bench --sizes 128,2048 --batches 32,128 --repetitions 3" "bench --sizes 64 --batches 2 --repetitions 3 --lang zh" \
  "ln 1.111111,2.222222,3.333333,4.444444,5.555555,6.666666,7.777777,x,9.999999,10.101010,11.111111" \
  "ln 1 2 3 --like nobody" "apply ln no-such-folder/with-a-rather-long-name/data.csv --lang zh"; do
  in_terminal "$words" >"$folder/out"
  [ -s "$folder/out" ] || fail "nothing printed: $words"
  [ "$(wc -L <"$folder/out")" -le 60 ] || fail "longer than 60 columns: $words: $(cat "$folder/out")"
done

# What other programs read is left whole.
in_terminal "ln 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 --format csv" >"$folder/out"
[ "$(wc -L <"$folder/out")" -gt 60 ] || fail "csv was broken into lines: $(cat "$folder/out")"
"$program" table norms >"$folder/out"
[ "$(wc -L <"$folder/out")" -gt 60 ] || fail "a file was broken into lines: $(cat "$folder/out")"
