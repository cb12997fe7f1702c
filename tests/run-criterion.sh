#!/bin/sh
# run-criterion.sh LEAST PROGRAM [ARGUMENT...]: runs a Criterion test program and believes nothing that it does not see
#
# Criterion calls it a success when a program has no tests, or when its filter fits none, and when a sanitizer found something in a test
# that went on. So this fails, too, when fewer than LEAST tests ran, or when a sanitizer wrote a report: each writes to a file of its own, programs
# that the tests start included (as another user, maybe: the directory is open to all).
set -u
least=$1
shift
reports=$(mktemp -d "${TMPDIR:-/tmp}/pdb-reports-XXXXXX") || exit 1
trap 'rm -rf "$reports"' EXIT
trap 'exit 130' INT TERM
chmod 1777 "$reports"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=1:log_path=$reports/asan"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}print_stacktrace=1:halt_on_error=1:log_path=$reports/ubsan"

status=0
"$@" --color=never >"$reports/output" 2>&1 || status=$?
cat "$reports/output"

tested=$(sed -n 's/.*Synthesis: Tested: \([0-9]*\).*/\1/p' "$reports/output")
if [ "${tested:-0}" -lt "$least" ]; then
  echo "run-criterion.sh: ${tested:-no} tests ran, there have to be at least $least" >&2
  status=1
fi
for report in "$reports"/asan* "$reports"/ubsan*; do
  [ -s "$report" ] || continue
  echo "run-criterion.sh: a sanitizer reports:" >&2
  cat "$report" >&2
  status=1
done
if grep -q ': runtime error: ' "$reports/output"; then # together with the other, gcc's undefined-behaviour sanitizer knows no log file
  echo "run-criterion.sh: a sanitizer reports undefined behaviour" >&2
  status=1
fi
exit "$status"
