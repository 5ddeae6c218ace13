#!/bin/sh
# The two commands of the README on machines that have nothing yet: bare Debian systems, each made in a new folder,
# without a CUDA toolkit. Needs root, debootstrap and the network. Leaves nothing: folder, mounts and processes go.
# Usage: tests/fresh_machine.sh [SUITE...]   releases of Debian; without one, each that the README promises
# KILN_DEBIAN_MIRROR names another mirror. The last line is "N of N passed", before it stands what each run said.
set -eu
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
mirror=${KILN_DEBIAN_MIRROR:-http://deb.debian.org/debian}

# Usage: tests/fresh_machine.sh --inside SYSTEM   in namespaces of its own: what is mounted or running ends with them.
if [ "${1:-}" = --inside ]; then
  system=$2
  mount -t proc proc "$system/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$system/dev/pts"
  mount -t tmpfs tmpfs "$system/dev/shm"
  set -- PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
  # How this machine reaches the package index.
  for variable in PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_PROXY http_proxy https_proxy; do
    eval "value=\${$variable:-}"
    [ -z "$value" ] || set -- "$@" "$variable=$value"
  done
  [ ! -e "$system/etc/pip-cert.pem" ] || set -- "$@" PIP_CERT=/etc/pip-cert.pem
  # shellcheck disable=SC2016
  exec chroot "$system" env -i "$@" sh -c '
    cd /srv/kiln
    status=0
    ./examples/quickstart.sh || status=1
    ./tests/run.sh || status=1
    exit $status'
fi

if [ "$(id -u)" != 0 ]; then
  echo "tests/fresh_machine.sh: only root can make such a system" >&2
  exit 2
fi
for program in debootstrap unshare git; do
  command -v "$program" >/dev/null || { echo "tests/fresh_machine.sh: needs $program" >&2; exit 2; }
done
[ $# -gt 0 ] || set -- bookworm trixie

systems=$(mktemp -d "${TMPDIR:-/var/tmp}/kiln-fresh-XXXXXX")
child=
finish() {
  # The first process of the namespaces: the rest goes with it.
  # shellcheck disable=SC2046
  [ -z "$child" ] || kill -KILL $(cat "/proc/$child/task/$child/children") 2>/dev/null || true
  [ -z "$child" ] || wait "$child" || true
  rm -rf --one-file-system "$systems"
}
trap finish EXIT
trap 'exit 130' HUP INT TERM

# In the background, so that a signal is handled at once.
in_namespaces() {
  unshare --mount --pid --fork --kill-child "$@" &
  child=$!
  result=0
  wait "$child" || result=$?
  child=
  return "$result"
}

# Usage: make_system SUITE SYSTEM: with the files of the checkout that git does not ignore.
make_system() {
  in_namespaces debootstrap --variant=minbase "$1" "$2" "$mirror" >"$systems/log" 2>&1 ||
    { tail -n 20 "$systems/log" >&2; return 1; }
  mkdir -p "$2/srv/kiln"
  git -C "$kiln_source" ls-files -z --cached --others --exclude-standard --deduplicate |
    tar -C "$kiln_source" --null --ignore-failed-read -T - -c | tar -C "$2/srv/kiln" -x
  [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$2/etc/pip-cert.pem"
}

passed=0
for suite; do
  system=$systems/$suite
  echo "== $suite: a bare system from $mirror"
  if make_system "$suite" "$system" && in_namespaces "$0" --inside "$system"; then
    passed=$((passed + 1))
    echo "== $suite: passed"
  else
    echo "== $suite: failed"
  fi
  rm -rf --one-file-system "$system"
done
echo "$passed of $# passed"
[ "$passed" = $# ]
