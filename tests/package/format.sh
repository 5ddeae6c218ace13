#!/bin/sh
# C++ is formatted as .clang-format says. Usage: format.sh [--fix] [FILE...]; without files all of them.
# Versions of clang-format differ in what they make of it: with another one than the repository's this is a skip (77).
set -eu
cd "$(dirname "$0")/../.."
version=14

fix='--dry-run -Werror'
if [ "${1:-}" = --fix ]; then
  fix=-i
  shift
fi
clang_format=
for name in "clang-format-$version" clang-format; do
  if "$name" --version 2>/dev/null | grep -q "version $version\."; then clang_format=$name; break; fi
done
if [ -z "$clang_format" ]; then
  echo "skipped: needs clang-format $version, which Debian 12 calls clang-format, other systems clang-format-$version"
  exit 77
fi
# $fix is one option or two.
# shellcheck disable=SC2086
if [ $# -gt 0 ]; then
  exec "$clang_format" $fix "$@"
fi
# shellcheck disable=SC2086
find include lib worker emulator tools tests examples lessons \( -name '*.cpp' -o -name '*.hpp' \) -exec "$clang_format" $fix {} +
