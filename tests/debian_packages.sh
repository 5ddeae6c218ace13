#!/bin/sh
# The packages of packaging/debian: made of HEAD's release tarball in a bare Debian 12, where lintian looks at them, then
# installed in another one, where programs are built with them and run on the emulator, and purged. Needs root,
# mmdebstrap, the network, and the headers of a CUDA toolkit. Says how long it takes from an installation to a kernel.
# Usage: tests/debian_packages.sh [FOLDER]   puts the packages into FOLDER; where it has some, tests these
# KILN_DEBIAN_MIRROR names another mirror. Where CCACHE_DIR is set, the build uses it.
set -eu

# Usage: --build NAME   in the first system; NAME is the tarball's, without its ending
build() {
  cd /srv
  tar xf "$1.tar.gz"
  cd "$1"
  cp -R packaging/debian debian
  export CUDA_HOME=/srv/cuda CCACHE_DIR=/srv/ccache
  [ ! -d "$CCACHE_DIR" ] || PATH=/usr/lib/ccache:$PATH
  dpkg-buildpackage -b -us -uc
  mkdir /srv/packages
  mv ../*.deb ../*.buildinfo ../*.changes /srv/packages
  lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs /srv/packages/*.changes
}

install() { apt-get install -qq -y --no-install-recommends "$@" >/dev/null; }

# Usage: --use   in the second system
use() {
  export DEBIAN_FRONTEND=noninteractive KILN_CACHE_DIR=/srv/cache KILN_DRIVER=emulator
  cd /srv
  begin=$(date +%s)
  install ./packages/kiln_*.deb
  kiln run consumer/fill.ptx fill --grid 1 --block 3 'out:int[3]'
  echo "$(($(date +%s) - begin)) s from apt-get install to a kernel of PTX"
  install python3-venv
  python3 -m venv python
  python/bin/pip install --quiet nvidia-cuda-nvrtc
  echo '__global__ void fill(int* out) { out[threadIdx.x] = 40 + threadIdx.x; }' |
    VIRTUAL_ENV=/srv/python kiln run - fill --grid 1 --block 3 'out:int[3]'
  echo "$(($(date +%s) - begin)) s to a kernel of CUDA C++, by NVRTC from PyPI"
  VIRTUAL_ENV=/srv/python kiln doctor | grep -F /usr/libexec/kiln/kiln-worker

  install g++ pkg-config cmake ninja-build ./packages/libkiln0_*.deb ./packages/libkiln-dev_*.deb
  # shellcheck disable=SC2046
  g++ -std=c++17 consumer/from_ptx.cpp $(pkg-config --cflags --libs kiln) -o from_ptx
  ./from_ptx consumer/fill.ptx
  cmake -G Ninja -S consumer -B by_cmake >/dev/null
  ninja -C by_cmake >/dev/null
  VIRTUAL_ENV=/srv/python by_cmake/shared
  VIRTUAL_ENV=/srv/python by_cmake/static

  apt-get purge -qq -y kiln libkiln-dev libkiln0 >/dev/null
  if find / -xdev -path /srv -prune -o -path /proc -prune -o -name '*kiln*' -print | grep .; then
    echo "that is what apt-get purge left" >&2
    return 1
  fi
}

case ${1:-} in
  --build) build "$2"; exit ;;
  --use) use; exit ;;
esac

repository=$(cd "$(dirname "$0")/.." && pwd)
mirror=${KILN_DEBIAN_MIRROR:-http://deb.debian.org/debian}
if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null; then
  echo "tests/debian_packages.sh: needs root and mmdebstrap" >&2
  exit 2
fi
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/kiln-debian-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
packages=${1:-$scratch/packages}
mkdir -p "$packages"
packages=$(cd "$packages" && pwd)

# Usage: in_bare_system PACKAGES FILES ARGUMENTS [HOOK...]   runs this script there, with what is in the folder FILES in /srv
in_bare_system() {
  needed=$1
  cp "$0" "$2/script"
  in=$2
  run="chroot \"\$1\" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root"
  # How this machine reaches the package indexes.
  for variable in PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_PROXY http_proxy https_proxy; do
    eval "value=\${$variable:-}"
    [ -z "$value" ] || run="$run $variable='$value'"
  done
  run="$run ${PIP_CERT:+PIP_CERT=/srv/pip-cert.pem} /srv/script $3"
  shift 3
  for hook; do
    set -- "$@" "--customize-hook=$hook"
    shift
  done
  mmdebstrap --quiet --variant=minbase --include="$needed" --customize-hook="sync-in '$in' /srv" \
    --customize-hook="$run" "$@" bookworm /dev/null "$mirror"
}

# The first of each alternative.
build_packages() {
  sed -n '/^Build-Depends:/,/^Standards/s/^ \([a-z0-9.+-]*\).*/\1/p' "$repository/packaging/debian/control" |
    sed 's/^debhelper-compat$/debhelper/' | tr '\n' ','
}

if ! ls "$packages"/*.deb >/dev/null 2>&1; then
  files=$scratch/build
  mkdir -p "$files/cuda/include"
  "$repository/packaging/release.sh" "$files"
  name=$(basename "$files"/*.tar.gz .tar.gz)
  headers=$("$repository/tools/find_cuda_headers.sh")
  cp -RL "$headers/." "$files/cuda/include"
  set --
  if [ -n "${CCACHE_DIR:-}" ]; then
    cp -R "$CCACHE_DIR" "$files/ccache"
    set -- "sync-out /srv/ccache '$CCACHE_DIR'"
  fi
  in_bare_system "$(build_packages)build-essential,lintian,ccache" "$files" "--build $name" \
    "sync-out /srv/packages '$packages'" "$@"
fi

files=$scratch/use
mkdir "$files"
[ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$files/pip-cert.pem"
cp -R "$packages" "$files/packages"
cp -R "$repository/tests/package/consumer" "$files"
in_bare_system ca-certificates "$files" --use
echo "passed"
