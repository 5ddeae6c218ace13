#!/bin/sh
# Kiln for 64-bit Arm, as Grace is: built here with Debian's cross compiler and NVIDIA's wheels for that processor, the
# unit tests and the emulator's kernels run under QEMU, an emulator of the processor. Slow, so that tests/run.sh does
# not run it. For Debian on x86-64. Usage: tests/aarch64.sh [TEST...]   names as `meson test --list` has them
# Programs for the other processor are started by the kernel (binfmt_misc): where it does not know them yet, this
# script tells it, as root.
set -eu
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh
build=$kiln_source/build-aarch64
root=$build/root
formats=/proc/sys/fs/binfmt_misc

kiln_cross_needs() {
  cat <<LIST
command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
command qemu-aarch64-static qemu-user-static
LIST
}

# Of libraries the packages of the other processor, unpacked instead of installed: nothing of this machine changes.
fetch_libraries() {
  [ ! -e "$root/complete" ] || return 0
  rm -rf "$root" "$build/debs"
  mkdir -p "$root" "$build/debs/lists/partial"
  boost=$(kiln_package_name libboost-dev)
  # After Debian 12 that is an empty package, which depends on the one with the headers.
  [ "$boost" != libboost-dev ] || boost=$(apt-cache depends libboost-dev | sed -n 's/^ *Depends: //p' | head -n 1)
  version=${boost#libboost}
  # With the suffix of the change to 64-bit time_t, where it was renamed for it. There it needs zlib and Zstandard.
  ssl=libssl3
  ! apt-cache show libssl3t64 >/dev/null 2>&1 || ssl=libssl3t64
  say "fetching Debian packages for arm64"
  (
    cd "$build/debs"
    set -- -qq -oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists="$PWD/lists" \
      -oAPT::Sandbox::User=root
    apt-get "$@" update
    apt-get "$@" download "$boost" "libboost-filesystem$version" libcurl4-openssl-dev libhiredis-dev libssl-dev \
      libxxhash-dev nlohmann-json3-dev libcli11-dev doctest-dev libdlpack-dev "$ssl" zlib1g libzstd1
    for package in *.deb; do dpkg -x "$package" "$root"; done
  )
  touch "$root/complete"
}

write_cross_file() {
  cat >"$build/cross.ini" <<LIST
[binaries]
# Meson asks the compiler where libraries are.
cpp = ['ccache', 'aarch64-linux-gnu-g++', '-B$root/usr/lib/aarch64-linux-gnu']
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
objcopy = 'aarch64-linux-gnu-objcopy'
pkgconfig = 'pkg-config'
exe_wrapper = 'qemu-aarch64-static'
[properties]
pkg_config_libdir = ['$root/usr/lib/aarch64-linux-gnu/pkgconfig', '$root/usr/share/pkgconfig']
[built-in options]
cpp_args = ['-isystem$root/usr/include', '-isystem$root/usr/include/aarch64-linux-gnu', '-Wno-psabi']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
LIST
  command -v ccache >/dev/null || sed -i "s/'ccache', //" "$build/cross.ini"
}

# Programs for the other processor, and where their libraries are, whatever variables they get.
know_format() {
  [ -e $formats/register ] || kiln_as_root mount -t binfmt_misc binfmt_misc $formats
  [ -e $formats/qemu-aarch64 ] || kiln_as_root sh -c "cat /usr/lib/binfmt.d/qemu-aarch64.conf >$formats/register"
  # Debian 13's QEMU looks in another folder than Debian 12's.
  prefix=$(qemu-aarch64-static --help | sed -n 's/^QEMU_LD_PREFIX *= *//p')
  [ -e "$prefix" ] || kiln_as_root sh -c "mkdir -p '${prefix%/*}' && ln -s /usr/aarch64-linux-gnu '$prefix'"
}

# shellcheck disable=SC2046
kiln_install_packages $({ kiln_build_needs; kiln_test_needs; kiln_cross_needs; } | kiln_missing_packages)
mkdir -p "$build"
fetch_libraries
kiln_fetch_wheels "$build/cuda" --platform manylinux2014_aarch64 --platform manylinux_2_27_aarch64 \
  --platform manylinux_2_28_aarch64 nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-nvjitlink==13.0.88 \
  nvidia-nvtx==13.0.85
CUDA_HOME=$build/cuda/nvidia/cu13
QEMU_SET_ENV=LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu
KILN_CACHE_DIR=$build/cache
export CUDA_HOME QEMU_SET_ENV KILN_CACHE_DIR
write_cross_file
know_format
kiln_configure "$build" --cross-file "$build/cross.ini" -Dtests=true -Dexamples=false
kiln_make "$build"

# What QEMU cannot do is left out: programs that are started as kiln-worker is (clone with its own stack, a child
# subreaper), so that nothing that needs the worker runs here.
if [ $# -eq 0 ]; then
  "$build/tests/unit/base/unit_base" --source-file-exclude='*test_spawn.cpp'
  set -- 'unit cache' 'unit template' 'unit toolkit' 'unit memory' 'unit launch' 'unit generate' 'unit tune' \
    'unit emulator' 'unit emulator checks' 'unit provider' 'differential atomics' 'differential floating' \
    'differential math' 'differential warp' 'differential memory' 'differential clusters'
fi
KILN_DRIVER=emulator meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 40 "$@"
