#!/bin/sh
# Results that cannot be written are an error of their own, exit status 3, with a message; never a silent loss.
program=$1

for format in text markdown tensor json csv; do
  message=$("$program" ln 1 2 3 4 --format "$format" 2>&1 >/dev/full)
  status=$?
  [ "$status" -eq 3 ] || { echo "--format $format on a full disk: status $status instead of 3"; exit 1; }
  [ -n "$message" ] || { echo "--format $format on a full disk: no message"; exit 1; }
done
for command in help version example; do
  [ "$command" = example ] || command=--$command
  "$program" "$command" >/dev/full 2>/dev/null
  status=$?
  [ "$status" -eq 3 ] || { echo "$command on a full disk: status $status instead of 3"; exit 1; }
done
