# shellcheck shell=sh
# Everything a fresh Debian 12, Debian 13 or Ubuntu 24.04 needs to build and test Kiln. To be sourced:
#   kiln_source=REPOSITORY; . tools/setup.sh; kiln_setup BUILD_FOLDER [tests]
# It names what it is about to install, installs nothing that is there, and sets CUDA_HOME where it fetched a toolkit.
# With kiln_install=no it installs no Debian package: it names those that are missing, and fails.

: "${kiln_source:?set it to the folder of the repository}"

kiln_install=${kiln_install:-yes}

say() { printf 'setup: %s\n' "$*"; }

# A device file of NVIDIA's kernel module, or of WSL's, and the driver's library.
kiln_has_gpu() {
  { [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; } || return 1
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' && return 0
  for folder in /usr/local/nvidia/lib64 /usr/lib/wsl/lib /run/opengl-driver/lib /usr/lib64 /usr/lib/*-linux-gnu; do
    [ ! -e "$folder/libcuda.so.1" ] || return 0
  done
  return 1
}

# Sets kiln_driver to what KILN_DRIVER is to be for programs that launch kernels: where it does not say, and no GPU is
# found, the emulator. Says so; to be called before anything else is said.
kiln_choose_driver() {
  kiln_driver=${KILN_DRIVER:-}
  if [ -z "$kiln_driver" ] && ! kiln_has_gpu; then
    say "no GPU was found: kernels run on Kiln's PTX emulator, on the CPU (docs/emulator.md)"
    kiln_driver=emulator
  fi
}

kiln_as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "not root and no sudo; please run as root: $*" >&2
    return 1
  fi
}

# What a build needs: how it is found, and its Debian package.
kiln_build_needs() {
  cat <<LIST
command g++ g++
command meson meson
command ninja ninja-build
command pkg-config pkg-config
command python3 python3
header nlohmann/json.hpp nlohmann-json3-dev
header CLI/CLI.hpp libcli11-dev
header xxhash.h libxxhash-dev
library libcrypto.a libssl-dev
header hiredis/hiredis.h libhiredis-dev
header curl/curl.h libcurl4-openssl-dev
header boost/process/v2/process.hpp libboost-dev
library libboost_filesystem.a libboost-filesystem-dev
LIST
}

# What the tests need beside that.
kiln_test_needs() {
  cat <<LIST
command cmake cmake
command localedef libc-bin
file /usr/share/i18n/locales/de_DE locales
header doctest/doctest.h doctest-dev
header dlpack/dlpack.h libdlpack-dev
command redis-server redis-server
file /usr/sbin/nginx nginx
command openssl openssl
LIST
}

# What the checks of the texts need: without it they are skipped. The sources are formatted by the clang-format of
# Debian 12; another version formats them otherwise, so that elsewhere there is nothing to install.
kiln_check_needs() {
  cat <<LIST
command doxygen doxygen
file /usr/lib/python3/dist-packages/markdown_it python3-markdown-it
file /usr/lib/python3/dist-packages/pygments python3-pygments
command shellcheck shellcheck
LIST
  if grep -q '^VERSION_CODENAME=bookworm' /etc/os-release 2>/dev/null; then
    echo 'command clang-format clang-format'
    echo 'command clang-tidy clang-tidy'
  fi
}

# The page of the emulator's profile and the documentation are tested in a browser. Ubuntu's package of it is a snap.
kiln_page_needs() {
  if grep -q '^ID=debian' /etc/os-release 2>/dev/null; then echo 'command chromium chromium'; fi
}

# The Jupyter magic is tested by executing notebooks.
kiln_notebook_needs() {
  cat <<LIST
file /usr/lib/python3/dist-packages/nbclient python3-nbclient
file /usr/lib/python3/dist-packages/ipykernel python3-ipykernel
file /usr/lib/python3/dist-packages/numpy python3-numpy
LIST
}

# Both kinds of MPI, side by side: without one its tests are skipped.
kiln_mpi_needs() {
  cat <<LIST
command mpicxx.openmpi libopenmpi-dev
command mpirun.openmpi openmpi-bin
command mpicxx.mpich libmpich-dev
command mpirun.mpich mpich
LIST
}

# Reads such a list and prints the packages whose command, file, header or static library is not there.
kiln_missing_packages() {
  while read -r kind probe package; do
    case $kind in
      command) command -v "$probe" >/dev/null || echo "$package" ;;
      file) [ -e "$probe" ] || echo "$package" ;;
      # The compiler prints the path of a library that it finds, else the name.
      library) [ -e "$(c++ -print-file-name="$probe" 2>/dev/null)" ] || echo "$package" ;;
      header) printf '#include <%s>\n' "$probe" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || echo "$package" ;;
    esac
  done
}

# Debian 12 calls the Boost that Kiln needs (1.81 or newer) by its version: its libboost-dev is an older one. Later
# releases know that name only from other packages that mention it, so it is a candidate that counts.
kiln_package_name() {
  case $1 in
    libboost*-dev)
      if LC_ALL=C apt-cache policy libboost1.81-dev 2>/dev/null | grep -q 'Candidate: [0-9]'; then
        echo "${1%-dev}1.81-dev"
        return
      fi ;;
  esac
  echo "$1"
}

# Packages of servers start them, and have them started with the machine. The tests start their own, on the loopback.
# Usage: kiln_without_starting_servers COMMAND...
kiln_without_starting_servers() {
  policy=/usr/sbin/policy-rc.d
  servers=
  command -v redis-server >/dev/null || servers="$servers redis-server"
  [ -e /usr/sbin/nginx ] || servers="$servers nginx"
  own_policy=
  if [ -n "$servers" ] && [ ! -e "$policy" ]; then
    own_policy=yes
    printf '#!/bin/sh\nexit 101\n' | kiln_as_root tee "$policy" >/dev/null
    kiln_as_root chmod 755 "$policy"
  fi
  result=0
  "$@" || result=$?
  [ -z "$own_policy" ] || kiln_as_root rm -f "$policy"
  if command -v systemctl >/dev/null; then
    for server in $servers; do kiln_as_root systemctl disable --quiet "$server" 2>/dev/null || true; done
  fi
  return "$result"
}

kiln_install_packages() {
  [ $# -gt 0 ] || return 0
  if [ "$kiln_install" = no ]; then
    say "these Debian packages are missing, and --no-install was given: $*" >&2
    return 1
  fi
  if ! command -v apt-get >/dev/null; then
    say "missing, and this system has no apt-get to install it with: $*" >&2
    return 1
  fi
  say "missing, to be installed now by apt-get (--no-install refuses): $*"
  kiln_as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || return 1
  packages=
  for package; do packages="$packages $(kiln_package_name "$package")"; done
  say "installing Debian packages:$packages"
  # Nothing is removed for it, such as an older Boost that the developer has.
  # shellcheck disable=SC2086
  kiln_without_starting_servers kiln_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
    --no-install-recommends --no-remove $packages >/dev/null
}

# Whether headers (for the build), NVRTC and nvcc (for the tests) of one toolkit are there; prints its folder.
kiln_find_toolkit() {
  include=$("$kiln_source/tools/find_cuda_headers.sh" 2>/dev/null) || return 1
  [ -x "${include%/include}/bin/nvcc" ] || return 1
  for library in "${include%/include}"/lib64/libnvrtc.so* "${include%/include}"/lib/libnvrtc.so* \
    "${include%/include}"/targets/*/lib/libnvrtc.so* "${include%/include}"/lib/*/libnvrtc.so*; do
    if [ -e "$library" ]; then
      echo "${include%/include}"
      return 0
    fi
  done
  return 1
}

# Usage: kiln_fetch_wheels FOLDER WHEEL... The folder holds what it holds when the last fetch was complete and of the
# same wheels; else it is filled anew.
kiln_fetch_wheels() {
  wheel_folder=$1
  shift
  if [ "$(cat "$wheel_folder/complete" 2>/dev/null)" = "$*" ]; then return 0; fi
  python3 -c 'import ensurepip, venv' 2>/dev/null || kiln_install_packages python3-venv || return 1
  say "fetching NVIDIA's Python wheels into $wheel_folder: $*"
  rm -rf "$wheel_folder"
  # Through an environment of its own: Debian's pip refuses to work outside one.
  python3 -m venv "$wheel_folder/venv" || return 1
  "$wheel_folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --retries 2 --target "$wheel_folder" "$@" || return 1
  rm -rf "$wheel_folder/venv"
  echo "$*" >"$wheel_folder/complete"
}

# NVIDIA's Python wheels hold the parts that Kiln needs, at a tenth of the toolkit's size.
kiln_fetch_toolkit() {
  kiln_fetch_wheels "$1" nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 \
    nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-nvjitlink==13.0.88 \
    nvidia-curand==10.4.0.35 nvidia-nvtx==13.0.85 || return 1
  CUDA_HOME=$1/nvidia/cu13
  export CUDA_HOME
}

# Usage: kiln_fetch_newest_toolkit FOLDER. The same parts, of the newest release of the major version instead of pinned
# ones: what users get today. Asked for again after a day.
kiln_fetch_newest_toolkit() {
  [ ! -e "$1/complete" ] || find "$1/complete" -mtime +0 -delete
  kiln_fetch_wheels "$1" 'nvidia-cuda-nvrtc==13.*' 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' \
    'nvidia-cuda-cccl==13.*' 'nvidia-cuda-nvcc==13.*' 'nvidia-nvvm==13.*' 'nvidia-nvjitlink==13.*' \
    'nvidia-curand==10.*' 'nvidia-nvtx==13.*' || return 1
  CUDA_HOME=$1/nvidia/cu13
  export CUDA_HOME
  for wheel in "$1"/nvidia_cuda_nvrtc-*.dist-info; do say "newest NVRTC: $(basename "$wheel" .dist-info)"; done
}

# An NVRTC of CUDA 12 beside the toolkit, for the tests that run with both; KILN_TEST_CUDA_12 is where it is. Without a
# network those tests are skipped.
kiln_fetch_nvrtc_12() {
  if ! kiln_fetch_wheels "$1" nvidia-cuda-nvrtc-cu12==12.6.85 nvidia-cuda-runtime-cu12==12.6.77 \
    nvidia-cuda-cccl-cu12==12.6.77 nvidia-cuda-nvcc-cu12==12.6.85 nvidia-nvjitlink-cu12==12.6.85; then
    say "skipped: the tests with NVRTC 12, whose wheels cannot be fetched"
    return 0
  fi
  # CUDA 12's wheels have a folder for each component; CUDA_HOME is one folder.
  if [ ! -e "$1/joined" ]; then
    mkdir "$1/joined.new"
    cp -a "$1"/nvidia/*/. "$1/joined.new"
    mv "$1/joined.new" "$1/joined"
  fi
  KILN_TEST_CUDA_12=$1/joined
  export KILN_TEST_CUDA_12
}

# Usage: kiln_setup BUILD_FOLDER [tests]
kiln_setup() {
  # shellcheck disable=SC2046
  kiln_install_packages $({ kiln_build_needs; [ "${2:-}" != tests ] || kiln_test_needs; } | kiln_missing_packages) ||
    return 1
  if [ "${2:-}" = tests ]; then
    # shellcheck disable=SC2046
    kiln_install_packages $(kiln_check_needs | kiln_missing_packages) || say "the checks that need them are skipped"
    # shellcheck disable=SC2046
    kiln_install_packages $(kiln_page_needs | kiln_missing_packages) || say "the tests of pages in a browser are skipped"
    # shellcheck disable=SC2046
    kiln_install_packages $(kiln_notebook_needs | kiln_missing_packages) || say "the test of notebooks is skipped"
    # shellcheck disable=SC2046
    kiln_install_packages $(kiln_mpi_needs | kiln_missing_packages) || say "the tests that need them are skipped"
  fi
  mkdir -p "$1"
  kiln_build=$(cd "$1" && pwd)
  if toolkit=$(kiln_find_toolkit); then
    say "CUDA toolkit: $toolkit"
  else
    say "no CUDA toolkit with nvcc found"
    kiln_fetch_toolkit "$kiln_build/cuda" || return 1
    say "CUDA toolkit: $CUDA_HOME"
  fi
  # Nothing that is built or tested touches the developer's own cache.
  KILN_CACHE_DIR=$kiln_build/cache
  export KILN_CACHE_DIR
}

# Usage: kiln_configure BUILD_FOLDER [MESON_OPTION...]
# A new folder has no debug information, and is optimised at -O1, which takes a fifth less to build and a few percent more
# to run. One that is there stays as it is.
kiln_configure() {
  folder=$1
  shift
  if [ -f "$folder/build.ninja" ]; then
    set -- --reconfigure "$@"
  else
    set -- -Ddebug=false -Doptimization=1 "$@"
  fi
  meson setup "$folder" "$kiln_source" "$@" >"$folder/setup.log" 2>&1 || { cat "$folder/setup.log" >&2; return 1; }
}

# Usage: kiln_make BUILD_FOLDER [TARGET...]
kiln_make() {
  folder=$1
  shift
  say "building in $folder (some minutes the first time); ninja's output: $folder/build.log"
  ninja -C "$folder" "$@" >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log" >&2; return 1; }
}
