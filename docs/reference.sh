#!/bin/sh
# Makes web pages of the public headers' comments. Usage: docs/reference.sh [FOLDER]   FOLDER/html, else build/reference
# A function, class or member without a comment is an error. Exit status 77, which tests count as skipped, without
# doxygen.
set -eu
cd "$(dirname "$0")/.."
KILN_REFERENCE_FOLDER=${1:-build/reference}
export KILN_REFERENCE_FOLDER
if ! command -v doxygen >/dev/null; then
  echo "skipped: needs doxygen"
  exit 77
fi
mkdir -p "$KILN_REFERENCE_FOLDER"
doxygen docs/doxygen/Doxyfile
echo "$KILN_REFERENCE_FOLDER/html/index.html"
