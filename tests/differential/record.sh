#!/bin/sh
# Records what a GPU makes of the programs, each in a process of its own: one that ends its context stops no other.
#   tests/differential/record.sh DIFFERENTIAL KERNELS GOLDEN [FILE...]    FILE as of the program; $OUT gets all words
# A program whose result is not what is computed plainly is recorded, too, and named.
set -eu
[ $# -ge 3 ] || { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }
differential=$1 kernels=$2 golden=$3
shift 3
mkdir -p "$golden"
# shellcheck disable=SC2016  # the inner shell's own variables
"$differential" list "$kernels" "$golden" "$@" | xargs -P "${KILN_RECORD_JOBS:-4}" -I{} sh -c '
  if said=$(timeout 60 "$0" record "$1" "$2" "$3" 2>&1); then
    echo "recorded $3"
  else
    printf "FAILED   %s: %s\n" "$3" "$said"
    exit 1
  fi' "$differential" "$kernels" "$golden" {}
