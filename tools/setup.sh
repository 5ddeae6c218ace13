# Everything a fresh Debian 12 or Ubuntu 24.04 needs to build and test Kiln. To be sourced:
#   kiln_source=REPOSITORY; . tools/setup.sh; kiln_setup BUILD_FOLDER
# Says each thing that it installs, installs nothing that is there, and sets CUDA_HOME where it fetched a toolkit.

: "${kiln_source:?set it to the folder of the repository}"

say() { printf 'setup: %s\n' "$*"; }

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

# Prints the Debian packages whose command, file or header is not there.
kiln_missing_packages() {
  while read -r kind probe package; do
    case $kind in
      command) command -v "$probe" >/dev/null || echo "$package" ;;
      file) [ -e "$probe" ] || echo "$package" ;;
      header) printf '#include <%s>\n' "$probe" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || echo "$package" ;;
    esac
  done <<LIST
command g++ g++
command meson meson
command ninja ninja-build
command pkg-config pkg-config
command cmake cmake
command python3 python3
command localedef libc-bin
file /usr/share/i18n/locales/de_DE locales
header openssl/sha.h libssl-dev
header nlohmann/json.hpp nlohmann-json3-dev
header CLI/CLI.hpp libcli11-dev
header xxhash.h libxxhash-dev
header doctest/doctest.h doctest-dev
LIST
}

kiln_install_packages() {
  [ $# -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    say "missing, and this system has no apt-get to install it with: $*" >&2
    return 1
  fi
  say "installing Debian packages: $*"
  kiln_as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    kiln_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# Whether headers (for the build) and NVRTC (for the tests) of one toolkit are there; prints its folder.
kiln_find_toolkit() {
  include=$("$kiln_source/tools/find_cuda_headers.sh" 2>/dev/null) || return 1
  for library in "${include%/include}"/lib64/libnvrtc.so* "${include%/include}"/lib/libnvrtc.so* \
    "${include%/include}"/targets/*/lib/libnvrtc.so* "${include%/include}"/lib/*/libnvrtc.so*; do
    if [ -e "$library" ]; then
      echo "${include%/include}"
      return 0
    fi
  done
  return 1
}

# NVIDIA's Python wheels hold the parts that Kiln needs, at a fiftieth of the toolkit's size.
kiln_fetch_toolkit() {
  wheels="nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 nvidia-cuda-cccl==13.0.85"
  if [ ! -e "$1/complete" ]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || kiln_install_packages python3-venv || return 1
    say "no CUDA toolkit found; fetching NVIDIA's Python wheels into $1: $wheels"
    rm -rf "$1"
    # Through an environment of its own: Debian's pip refuses to work outside one.
    python3 -m venv "$1/venv" || return 1
    # shellcheck disable=SC2086
    "$1/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
      --target "$1" $wheels || return 1
    rm -rf "$1/venv"
    touch "$1/complete"
  fi
  CUDA_HOME=$1/nvidia/cu13
  export CUDA_HOME
}

kiln_setup() {
  # shellcheck disable=SC2046
  kiln_install_packages $(kiln_missing_packages) || return 1
  mkdir -p "$1"
  kiln_build=$(cd "$1" && pwd)
  if toolkit=$(kiln_find_toolkit); then
    say "CUDA toolkit: $toolkit"
  else
    kiln_fetch_toolkit "$kiln_build/cuda" || return 1
    say "CUDA toolkit: $CUDA_HOME"
  fi
  # Nothing that is built or tested touches the developer's own cache.
  KILN_CACHE_DIR=$kiln_build/cache
  export KILN_CACHE_DIR
}

# Usage: kiln_configure BUILD_FOLDER [MESON_OPTION...]
kiln_configure() {
  folder=$1
  shift
  if [ -f "$folder/build.ninja" ]; then set -- --reconfigure "$@"; fi
  meson setup "$folder" "$kiln_source" "$@" >"$folder/setup.log" 2>&1 || { cat "$folder/setup.log" >&2; return 1; }
}

# Usage: kiln_make BUILD_FOLDER [TARGET...]
kiln_make() {
  folder=$1
  shift
  say "building in $folder"
  ninja -C "$folder" "$@" >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log" >&2; return 1; }
}
