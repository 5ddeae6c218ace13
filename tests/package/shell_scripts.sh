#!/bin/sh
# Every shell script passes shellcheck. Usage: shell_scripts.sh; a skip (77) without shellcheck.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v shellcheck >/dev/null; then
  echo "skipped: needs shellcheck"
  exit 77
fi
find .ci docs examples findings packaging tests tools -type f \( -name '*.sh' -o -path '.ci/*' \) \
  -exec shellcheck -x {} +
