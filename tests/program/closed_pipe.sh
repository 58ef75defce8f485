#!/bin/sh
# A reader that has gone ends the program without a word: by SIGPIPE, or as if all were done.
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The reader is gone before the first byte is written, however small the output.
{
  sleep 0.2
  "$program" ln 1 2 3 4 --format json 2>"$folder/message"
  echo $? >"$folder/status"
} | true

status=$(cat "$folder/status")
[ "$status" -eq 0 ] || [ "$status" -eq 141 ] || { echo "status $status at a closed pipe"; exit 1; }
[ ! -s "$folder/message" ] || { echo "a message at a closed pipe:"; cat "$folder/message"; exit 1; }
