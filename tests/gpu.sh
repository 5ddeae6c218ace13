#!/bin/sh
# The GPU tests, the same under compute-sanitizer, and the benchmarks, from a build folder made elsewhere: nothing is
# built where they run.
#   tests/gpu.sh pack BUILD FOLDER      where Kiln was built: what must travel, without objects and debug information
#   tests/gpu.sh run FOLDER [PART...]   on the machine with the GPU; parts: tests, sanitizer, benchmarks (all by default)
set -eu
here=$(cd "$(dirname "$0")" && pwd)

pack() {
  build=$(cd "$1" && pwd)
  mkdir -p "$2/meson-info"
  folder=$(cd "$2" && pwd)
  cp "$build"/meson-info/*.json "$folder/meson-info/"
  (cd "$build" && find . -type f \( -perm -u+x -o -name '*.so' -o -name '*.so.*' \) ! -path './meson-*' \
    ! -path './cuda/*' ! -path './cuda-*/*' ! -name '*.symbols') | while read -r file; do
    mkdir -p "$folder/$(dirname "$file")"
    strip --strip-debug -o "$folder/$file" "$build/$file" 2>/dev/null || cp "$build/$file" "$folder/$file"
  done
  (cd "$build" && find . -type l -name '*.so*' ! -path './cuda/*' ! -path './cuda-*/*' \
    -exec cp -P --parents {} "$folder" \;)
  du -sh "$folder"
}

case ${1:-} in
  pack) [ $# = 3 ] && pack "$2" "$3" ;;
  run) [ $# -ge 2 ] && shift && exec python3 "$here/gpu_report.py" "$@" ;;
  *) echo "usage: tests/gpu.sh pack BUILD FOLDER | run FOLDER [tests|sanitizer|benchmarks]..." >&2; exit 2 ;;
esac
