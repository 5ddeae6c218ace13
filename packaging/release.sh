#!/bin/sh
# The source tarball of a commit: the same bytes wherever it is made, with the same gzip.
# Usage: packaging/release.sh FOLDER [COMMIT]   writes kiln-VERSION.tar.gz and its sum, .sha256, into the folder
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: packaging/release.sh FOLDER [COMMIT]" >&2
  exit 2
fi
repository=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$repository"
commit=$(git rev-parse --verify --quiet "${2:-HEAD}^{commit}") ||
  { echo "packaging/release.sh: no commit ${2:-HEAD}" >&2; exit 2; }
version=$(git show "$commit:meson.build" | sed -n "s/^  version: '\(.*\)',\$/\1/p")
[ -n "$version" ] || { echo "packaging/release.sh: meson.build of $commit has no version" >&2; exit 1; }
name=kiln-$version

# git sorts, takes times from the commit and no owners from the disk; what a user may have set otherwise is said here.
git -c tar.umask=0022 -c core.attributesFile=/dev/null -c core.autocrlf=false \
  archive --format=tar --prefix="$name/" -o "$folder/$name.tar" "$commit"
gzip -n -f "$folder/$name.tar"
cd "$folder"
sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256"
