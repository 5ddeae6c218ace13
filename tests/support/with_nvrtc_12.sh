#!/bin/sh
# Runs a program with the NVRTC of CUDA 12 that tests/run.sh fetched. Usage: with_nvrtc_12.sh PROGRAM [ARGUMENT...]
if [ ! -e "${KILN_TEST_CUDA_12:-}/lib/libnvrtc.so.12" ]; then
  echo "skipped: no NVRTC 12 was fetched (KILN_TEST_CUDA_12)"
  exit 77
fi
CUDA_HOME=$KILN_TEST_CUDA_12 exec "$@"
