#!/bin/sh
# Every minor release of NVRTC since 12.0: the kernels of tests/differential compiled by each, its PTX read and run by
# the emulator, the results compared with a GPU's. Fetches 60 to 150 MB of NVIDIA's wheels for each into build/.
# tests/run.sh must have built. Usage: tests/every_nvrtc.sh [RELEASE...]   such as 12.4; without one, all that there are
# The last line is "N of N releases passed"; one whose wheels cannot be fetched has not passed.
set -eu
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh
kiln_build=$kiln_source/build
differential=build/tests/differential/differential
if [ ! -x "$differential" ]; then
  echo "tests/every_nvrtc.sh: there is no $differential: run tests/run.sh first" >&2
  exit 2
fi

# CUB and libcu++ have releases of their own: those of CUDA 12.0 to 12.2 lack parts, and 13 need not have one each.
wheels_of() {
  case $1 in
    12.[012]) printf '%s ' "nvidia-cuda-cccl-cu12==12.3.*" ;;
    12.*) printf '%s ' "nvidia-cuda-cccl-cu12==$1.*" ;;
    *) printf '%s ' "nvidia-cuda-cccl==13.*" "nvidia-cuda-crt==$1.*" ;;
  esac
  case $1 in
    12.*) printf 'nvidia-cuda-%s-cu12==%s.* ' nvrtc "$1" runtime "$1" nvcc "$1" ;;
    *) printf 'nvidia-cuda-%s==%s.* ' nvrtc "$1" runtime "$1" ;;
  esac
}

# The kernels of one release. CUDA_HOME is where its wheels lie, in one folder.
run_release() {
  folder=$kiln_build/nvrtc-$1
  # shellcheck disable=SC2046
  kiln_fetch_wheels "$folder" $(wheels_of "$1") || return 1
  home=$folder/nvidia/cu13
  case $1 in 12.*)
    home=$folder/joined
    [ -e "$home" ] || { mkdir "$home.new" && cp -a "$folder"/nvidia/*/. "$home.new" && mv "$home.new" "$home"; } ;;
  esac
  env CUDA_HOME="$home" KILN_DRIVER=emulator KILN_CACHE_DIR="$folder/cache" \
    "$differential" check tests/differential/kernels tests/differential/golden
}

[ $# -gt 0 ] || set -- 12.0 12.1 12.2 12.3 12.4 12.5 12.6 12.8 12.9 13.0 13.1 13.2 13.3 13.4 13.5
passed=0
for release; do
  echo "NVRTC $release:"
  if run_release "$release"; then passed=$((passed + 1)); else echo "NVRTC $release: failed"; fi
done
echo "$passed of $# releases passed"
[ "$passed" = $# ]
