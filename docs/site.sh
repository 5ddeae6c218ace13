#!/bin/sh
# Builds the documentation: the pages and the reference of the public headers, to be read without a network.
# Usage: docs/site.sh [FOLDER]        FOLDER/html, else build/site/html; the last line is the front page
# Needs doxygen, and the Python packages markdown-it and pygments. Faults are errors: a link to nothing, a page that the
# navigation lacks, a function of a header without a comment. Exit status 77, which tests count as skipped, where a tool
# is missing.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/site}
if ! command -v doxygen >/dev/null; then
  echo "skipped: needs doxygen"
  exit 77
fi
# Debian's packages are those of its own Python.
for python in python3 /usr/bin/python3 none; do
  if $python -c 'import markdown_it, pygments' 2>/dev/null; then break; fi
done
if [ "$python" = none ]; then
  echo "skipped: needs python3-markdown-it and python3-pygments"
  exit 77
fi
mkdir -p "$folder"
PYTHONDONTWRITEBYTECODE=1 $python docs/site/site.py . "$folder"
echo "$folder/html/index.html"
