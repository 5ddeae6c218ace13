#!/bin/sh
# Runs a command where a CUDA toolkit of this machine cannot be seen: an empty folder lies over it, and over those in
# /usr/local, in a mount namespace of the command's own. CUDA_HOME may lead to another.
# Usage: without_toolkit.sh TOOLKIT COMMAND [ARGUMENT...]
set -eu

if [ "${1:-}" != --inside ]; then
  case $(id -u) in
    0) exec unshare --mount "$0" --inside 0 0 "$@" ;;
    # Root of a user namespace may mount; the command is to be who it was.
    *) exec unshare --user --map-root-user --mount "$0" --inside "$(id -u)" "$(id -g)" "$@" ;;
  esac
fi

user=$2 group=$3
hide() {
  case $1 in / | /usr | /usr/local) echo "$1 holds more than a toolkit and cannot be hidden" >&2; exit 1 ;; esac
  [ ! -d "$1" ] || mount -t tmpfs -o size=4k none "$1"
}
hide "$(readlink -f "$4")"
shift 4
for folder in /usr/local/cuda*; do hide "$(readlink -f "$folder")"; done
# A script that starts it, for one.
while nvcc=$(command -v nvcc); do mount --bind /dev/null "$nvcc"; done
[ "$user" = 0 ] || set -- unshare --user --map-user="$user" --map-group="$group" -- "$@"
exec "$@"
