#!/bin/sh
# Files of vectors from outside: pieces on several processes, a closed pipe, a full disk, a kill.
program=$1
folder=$(mktemp -d) || exit 1
mounted=
trap '[ -z "$mounted" ] || umount "$folder/small"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() { echo "$1"; exit 1; }

awk 'BEGIN { srand(1); for (i = 0; i < 20000; ++i) { for (j = 0; j < 8; ++j) printf "%s%.9f", j ? "," : "", 50 + rand(); print "" } }' >data.csv

# Statistics in pieces, merged, and applied in pieces: what one process gives. The last digits of a double may differ.
"$program" apply bn data.csv --significant 14 -o whole.csv || fail "bn of the whole"
split -n l/4 data.csv piece.
parallel "$program" stats {} -o {}.stats ::: piece.a? || fail "stats of the pieces"
"$program" stats --merge piece.a?.stats -o all.stats || fail "merge"
parallel "$program" apply bn {} --stats all.stats --significant 14 -o out.{} ::: piece.a? || fail "bn of the pieces"
cat out.piece.a? | cmp - whole.csv || fail "the pieces differ from the whole"

# A pipe gives what the file gives.
cat data.csv | "$program" apply bn --significant 14 | cmp - whole.csv || fail "a pipe differs from the file"

# A closed pipe ends it quietly.
"$program" apply ln data.csv 2>message | head -n 1 >/dev/null
[ ! -s message ] || fail "a closed pipe: $(cat message)"

# A full disk is status 3, with a message; the target is as it was, nothing is left beside it.
"$program" apply ln data.csv -o /dev/full 2>message
[ $? -eq 3 ] && [ -s message ] || fail "/dev/full is no status 3"
mkdir small
if mount -t tmpfs -o size=256k none small 2>/dev/null; then
  mounted=yes
  echo "as it was" >small/out
  "$program" apply ln data.csv -o small/out 2>message
  [ $? -eq 3 ] || fail "a full disk is no status 3"
  [ "$(cat small/out)" = "as it was" ] || fail "a full disk has changed the target"
  [ "$(ls -A small)" = out ] || fail "a full disk has left something behind"
fi

# A file that grows by what is read from it is refused.
cp data.csv grows.csv
"$program" apply ln grows.csv >>grows.csv 2>message
[ $? -eq 2 ] && cmp -s data.csv grows.csv || fail "a file was read and written at once"

# Whoever closes standard error loses the notes, not the result.
(cat data.csv; echo x; echo y) >bad.csv
{ "$program" apply ln bad.csv --on-error skip -o rest.csv; } 2>&1 >/dev/null | true
"$program" apply ln data.csv -o right.csv
cmp -s rest.csv right.csv || fail "a closed standard error has ended the work"

# A link to a file that is not there yet leads to it.
ln -s made.csv link.csv
"$program" apply ln data.csv -o link.csv && [ -h link.csv ] && cmp -s made.csv right.csv || fail "a link was replaced"

# More than an array in a pipe.
printf '\223NUMPY\001\000\070\000{"descr": "<f4", "fortran_order": False, "shape": (1,)}\nabcd' >one.npy
"$program" apply rms one.npy -o once.npy || fail "a small array"
cat one.npy one.npy | "$program" apply rms -o twice.npy 2>message
[ $? -eq 2 ] && [ ! -e twice.npy ] || fail "a second array was left unread"

# A kill leaves neither a target nor a temporary file.
mkdir kill
mkfifo endless
sleep 2 >endless &
holder=$!
"$program" apply ln endless -o kill/out &
running=$!
sleep 0.3
kill -TERM "$running"
wait "$running" 2>/dev/null
kill "$holder" 2>/dev/null
[ -z "$(ls -A kill)" ] || fail "a kill has left $(ls -A kill)"
exit 0
