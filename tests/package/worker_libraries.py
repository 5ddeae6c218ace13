"""The library has nothing of Boost, which is kiln-worker's alone; and the worker, which the library carries everywhere,
needs no library that the library itself does not. Usage: worker_libraries.py LIBRARY WORKER"""
import re
import subprocess
import sys

library, worker = sys.argv[1:]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(program):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", program)))


def boost_symbols(program):
    return [line for line in output("nm", "-C", program).splitlines() if "boost::" in line]


faults = [f"{library} has {symbol}" for symbol in boost_symbols(library)]
faults += [f"{worker} needs {name}, and {library} does not" for name in sorted(needed(worker) - needed(library))]
if not boost_symbols(worker):
    faults.append(f"{worker} has no symbol of Boost, so that this test would find none in the library either")
if not needed(worker):
    faults.append(f"{worker} needs no library at all?")
print("\n".join(faults) or "the worker needs " + ", ".join(sorted(needed(worker))))
sys.exit(1 if faults else 0)
