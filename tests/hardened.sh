#!/bin/sh
# hardened.sh PROGRAM...: was each of them built as the root meson.build asks for it?
#
# At a random address (PIE), with a stack that holds no code, what the dynamic linker fills in read-only from the start (RELRO, all of it
# bound at once), functions that watch their stack, and calls of the C library that know how large their buffers are.
set -u
status=0
missing() { echo "$program: $*" >&2; status=1; }
tested=0
for program; do
  headers=$(LC_ALL=C readelf -hldW "$program") && symbols=$(nm -D --undefined-only "$program") || exit 1
  has() { printf '%s\n' "$headers" | grep -Eq "$1" || missing "$2"; }
  has '^ *Type: +DYN ' 'no position-independent executable'
  has 'FLAGS_1.* PIE' 'a shared library, not a program'
  has '^ +GNU_STACK .* RW +0x' 'the stack may hold code'
  has '^ +GNU_RELRO ' 'no RELRO'
  has '(FLAGS_1.* NOW|BIND_NOW)' 'symbols are not bound at the start'
  printf '%s\n' "$symbols" | grep -q '__stack_chk_fail' || missing 'no stack protector'
  printf '%s\n' "$symbols" | grep -q '__memcpy_chk' || missing 'no fortified calls'
  tested=$((tested + 1))
done
[ "$tested" -gt 0 ] || { echo "usage: hardened.sh PROGRAM..." >&2; exit 2; }
exit $status
