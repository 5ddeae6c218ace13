#!/bin/sh
# The sources that changed most pass clang-tidy. Usage: tidy.sh BUILD_FOLDER [COMMIT [COUNT]]
# It looks at COUNT (8) of those that changed since COMMIT, which takes a minute. Without COMMIT that is where the branch
# left origin/main or main; on that branch itself 20 commits back. A skip (77) without git's history, or without the
# version of clang-tidy for which .clang-tidy was written.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
version=14
since=${2:-}
count=${3:-8}

skip() { echo "skipped: $*"; exit 77; }
clang-tidy --version 2>/dev/null | grep -q "version $version\." || skip "needs clang-tidy $version"
head=$(git rev-parse HEAD 2>/dev/null) || skip "this is no git repository"
for name in origin/main main; do
  [ -n "$since" ] || since=$(git merge-base HEAD "$name" 2>/dev/null) || since=
done
if [ -z "$since" ] || [ "$since" = "$head" ]; then
  since=$(git rev-parse -q --verify HEAD~20 || git rev-parse -q --verify HEAD~1) || skip "no commit to compare with"
fi

changed=$(git diff --numstat -M --diff-filter=AM "$since" -- 'lib/*.cpp' 'worker/*.cpp' 'emulator/*.cpp' \
  ':!emulator/tests' 'tools/*.cpp' 'examples/*.cpp' |
  sort -rn | cut -f 3)
total=$(printf '%s' "$changed" | grep -c '' || true)
[ "$total" -gt 0 ] || { echo "no source changed since $since"; exit 0; }
chosen=$(printf '%s\n' "$changed" | head -n "$count")
echo "clang-tidy on $(printf '%s\n' "$chosen" | grep -c '') of $total sources that changed since $since"
commands=$(mktemp -d)
trap 'rm -r "$commands"' EXIT
python3 tests/package/source_commands.py "$build" "$commands"
# Names of sources have no spaces.
# shellcheck disable=SC2086
clang-tidy -p "$commands" --quiet --warnings-as-errors='*' $chosen
