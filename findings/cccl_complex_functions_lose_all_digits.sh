#!/bin/sh
# Guess, before the run: cuda::std::asin and tan of complex<float> have a relative error of a few units in the last
# place at ordinary, finite arguments, as std::complex's have: it is one standard's interface, and the same headers
# compile for the host.
#
# Seen instead (2026-11-27, nvidia-cuda-cccl 13.0.85, g++ 12, on the host): near zero asin's imaginary part is twice the
# true one, and near its pole tan is infinite where the true result is about 1e5. There is no message. In
# nvidia-cuda-cccl 13.3.5.0.6 both are right, so results depend on the headers' version. Output:
#   CCCL 13.0.85:
#     asin(1e-09 + 3e-08i): 1e-09 + 5.96046e-08i, in double 1e-09 + 3e-08i: wrong
#     tan(1.5708 + 1e-05i): inf + infi, in double 754.936 + 99994.3i: wrong
#   CCCL 13.3.5.0.6:
#     asin(1e-09 + 3e-08i): 1e-09 + 3e-08i, in double 1e-09 + 3e-08i: right
#     tan(1.5708 + 1e-05i): 754.936 + 99994.3i, in double 754.936 + 99994.3i: right
#
# What follows for a library that compiles at run time: the version of the CCCL headers affects results, and belongs in
# a cache's key like the compiler's version. A test against a host reference needs arguments near zeros and poles.
#
# No GPU is needed: what is compiled here is the host's side of the header. Exit status: 0 as stated, 1 another
# behaviour, 77 no g++, or the packages could not be installed.
set -eu

command -v g++ >/dev/null || { echo "skipped: no g++"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || exit 77
for version in 13.0.85 13.3.5.0.6; do
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --target "$folder/$version" "nvidia-cuda-cccl==$version" ||
    { echo "skipped: the packages of $version could not be installed"; exit 77; }
done

cat >"$folder/see.cpp" <<'CPP'
#include <complex>
#include <cstdio>
#include <cstdlib>

#include <cuda/std/complex>

// Prints both results of one function and whether cuda::std's is off by more than a thousandth.
bool off(const char* name, std::complex<float> argument, cuda::std::complex<float> result, std::complex<double> truth)
{
  const std::complex<double> seen(result.real(), result.imag());
  const bool wrong = !(std::abs(seen - truth) <= 1e-3 * std::abs(truth));
  std::printf("  %s(%g + %gi): %g + %gi, in double %g + %gi: %s\n", name, argument.real(), argument.imag(), seen.real(),
              seen.imag(), truth.real(), truth.imag(), wrong ? "wrong" : "right");
  return wrong;
}

// The argument says how many of the two results are expected to be wrong.
int main(int, char** arguments)
{
  const std::complex<float> near_zero(1e-9F, 3e-8F), near_pole(1.5707963F, 1e-5F);
  int wrong = 0;
  wrong += off("asin", near_zero, cuda::std::asin(cuda::std::complex<float>(near_zero.real(), near_zero.imag())),
               std::asin(std::complex<double>(near_zero)));
  wrong += off("tan", near_pole, cuda::std::tan(cuda::std::complex<float>(near_pole.real(), near_pole.imag())),
               std::tan(std::complex<double>(near_pole)));
  return wrong != std::atoi(arguments[1]);
}
CPP

status=0
for version in 13.0.85 13.3.5.0.6; do
  g++ -std=c++17 -O1 -isystem "$folder/$version/nvidia/cu13/include/cccl" "$folder/see.cpp" -o "$folder/see"
  echo "CCCL $version:"
  expected=0
  [ "$version" != 13.0.85 ] || expected=2
  "$folder/see" "$expected" || status=1
done
exit $status
