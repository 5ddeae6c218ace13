#!/bin/sh
# Makes one object of OpenSSL's SHA-256: what libcrypto.a has of it, where only the four names of openssl_sha256.hpp can
# be seen. So libkiln.a brings it along, beside whatever libcrypto the program links.
# Usage: sha256_object.sh OBJCOPY OUTPUT COMPILER...     the compiler finds libcrypto.a
set -eu
objcopy=$1
output=$2
shift 2

names='SHA256_Init SHA256_Update SHA256_Final OPENSSL_cpuid_setup'
wanted=
kept=
for name in $names; do
  wanted="$wanted -Wl,-u,$name"
  kept="$kept --redefine-sym $name=kiln_$name --keep-global-symbol kiln_$name"
done
# -d: variables of no initial value become this object's own.
# shellcheck disable=SC2086
"$@" -r -nostdlib -Wl,-d $wanted -o "$output.all" -l:libcrypto.a
# .init is the call of OPENSSL_cpuid_setup() that x86-64 makes when a program is loaded; digest.cpp makes it when it is
# worth its time. memmove does what memcpy does, and has one version in all C libraries.
# shellcheck disable=SC2086
"$objcopy" $kept --redefine-sym memcpy=memmove --remove-section .init --strip-debug "$output.all" "$output"
rm "$output.all"
