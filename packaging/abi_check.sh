#!/bin/sh
# Whether programs that were linked with an earlier libkiln.so still run with the one of a build: docs/versions.md.
# Usage: packaging/abi_check.sh [--update] BUILD [OLD]
#   BUILD     a build folder. Its library's exported symbols are compared with the list in packaging/abi
#   --update  the list is written anew
#   OLD       an earlier libkiln.so: layouts of types are compared, too. Both libraries need debug information, and this
#             machine abidiff (Debian: abigail-tools)
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
update=
if [ "${1:-}" = --update ]; then
  update=--update
  shift
fi
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: packaging/abi_check.sh [--update] BUILD [OLD]" >&2
  exit 2
fi
library=$1/lib/libkiln.so
python3 "$repository/tests/package/abi.py" $update "$library" "$repository"
[ $# -eq 2 ] || exit 0
for file in "$library" "$2"; do
  readelf -S "$file" | grep -q '\.debug_info' || { echo "$file has no debug information" >&2; exit 2; }
done
abidiff --no-added-syms --headers-dir1 "$repository/include" --headers-dir2 "$repository/include" --drop-private-types \
  "$2" "$library"
