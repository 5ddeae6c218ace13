#!/bin/sh
# A wheel of packaging/wheel.sh in a new virtual environment: the command compiles a kernel, where the machine has no
# toolkit by NVIDIA's wheel of NVRTC, and runs it on the emulator; a notebook finds the magic. Needs the network.
# Usage: tests/wheel.sh WHEEL
set -eu
if [ $# -ne 1 ]; then
  echo "usage: tests/wheel.sh WHEEL" >&2
  exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv --without-pip "$scratch/user"
python3 -m pip --python "$scratch/user/bin/python3" install --quiet --no-compile "$1" 'nvidia-cuda-nvrtc==13.*'
cd "$scratch"
cat >fill.cu <<'SOURCE'
extern "C" __global__ void fill(int* out) { out[threadIdx.x] = 40 + threadIdx.x; }
SOURCE
# Beside the environment's programs only the system's own.
as_user() {
  env -i PATH="$scratch/user/bin:/usr/bin:/bin" HOME="$scratch" VIRTUAL_ENV="$scratch/user" KILN_DRIVER=emulator "$@"
}
as_user kiln --version
as_user kiln doctor | tee said
grep -q "^driver .*$scratch/user/lib" said
as_user kiln run fill.cu fill --grid 1 --block 3 'out:int[3]' | tee said
grep -q ': 40 41 42;' said
as_user python3 -c 'import kiln.magic'
# The licences of what is linked.
ls "$scratch"/user/lib/python3*/site-packages/kiln-*.dist-info/third-party.txt
echo passed
