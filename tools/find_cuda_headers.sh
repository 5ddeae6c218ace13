#!/bin/sh
# Prints the include folder of the CUDA toolkit that the build is to use. Usage: find_cuda_headers.sh [CUDA_ROOT]
set -eu

found() { [ -f "$1/cuda.h" ] && [ -f "$1/nvrtc.h" ]; }

if [ -n "${1:-}" ]; then
  if found "$1/include"; then echo "$1/include"; exit 0; fi
  echo "option toolkit_root: no cuda.h and nvrtc.h in $1/include" >&2
  exit 1
fi
nvcc=$(command -v nvcc || true)
[ -z "$nvcc" ] || nvcc=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
for root in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "$nvcc" /usr/local/cuda /usr; do
  if [ -n "$root" ] && found "$root/include"; then echo "$root/include"; exit 0; fi
done
wheels=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' 2>/dev/null || true)
for include in "$wheels"/nvidia/cu13/include "$wheels"/nvidia/cuda_nvrtc/include; do
  if found "$include"; then echo "$include"; exit 0; fi
done
echo "no CUDA toolkit headers found (searched toolkit_root, CUDA_HOME, CUDA_PATH, the nvcc on PATH, /usr/local/cuda, /usr," \
  "NVIDIA's Python wheels): install a CUDA toolkit, or run ./examples/quickstart.sh, which fetches the headers, and set CUDA_HOME to" \
  "build/cuda/nvidia/cu13" >&2
exit 1
