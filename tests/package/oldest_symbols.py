"""The library that nvcc's programs preload loads into any program: it needs the C library's oldest symbols alone.

Usage: oldest_symbols.py LIBRARY
"""
import platform
import re
import subprocess
import sys

# What each architecture's first C library has.
OLDEST = {"x86_64": (2, 2, 5), "aarch64": (2, 17)}


def main(library):
    def dump(option):
        return subprocess.run(["objdump", option, library], check=True, capture_output=True, text=True).stdout

    oldest = OLDEST[platform.machine()]
    faults = []
    symbols = [line for line in dump("-T").splitlines() if "*UND*" in line]
    for line in symbols:
        name = line.split()[-1]
        version = re.search(r"\(GLIBC_([0-9.]+)\)", line)
        if version is None:
            if " w " not in line:
                faults.append(f"{name} has no version of the C library")
        elif tuple(map(int, version[1].split("."))) > oldest:
            faults.append(f"{name} is of GLIBC_{version[1]}")
    needed = re.findall(r"NEEDED\s+(\S+)", dump("-p"))
    # The loader is there in any program; on aarch64 it has what OpenSSL's functions guard the stack by.
    faults += [f"{name} is needed" for name in needed if not re.match(r"libc\.so\.6$|libdl\.so\.2$|ld-linux-", name)]
    if not symbols:
        faults.append("no symbol is needed: this is not the library")
    print("\n".join(faults) or f"{len(symbols)} symbols, no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
