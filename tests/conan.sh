#!/bin/sh
# The recipe of packaging/conan, by Conan from PyPI: `conan create` builds Kiln, which takes many minutes, and the
# programs of its test package, which run on the emulator. Needs the network, and Kiln's own build packages.
# Usage: tests/conan.sh [ARGUMENT...]   of conan create, such as -s compiler.cppstd=17
set -eu
repository=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/kiln-conan-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
python3 -m venv "$scratch/python"
"$scratch/python/bin/python" -m pip install --quiet 'conan==2.*'
PATH=$scratch/python/bin:$PATH CONAN_HOME=$scratch/home
export PATH CONAN_HOME
conan profile detect
conan create "$repository/packaging/conan" -c "tools.cmake.cmake_layout:test_folder=$scratch/test" \
  -c tools.cmake.cmaketoolchain:user_presets= -c tools.cmake.cmaketoolchain:generator=Ninja "$@"
echo passed
