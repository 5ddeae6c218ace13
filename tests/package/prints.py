"""A program ends well and prints just that. Usage: prints.py TEXT PROGRAM"""
import subprocess
import sys

expected, program = sys.argv[1:]
run = subprocess.run([program], stdout=subprocess.PIPE, text=True, timeout=60)
if run.returncode or run.stdout.strip() != expected:
    print(f"{program} printed {run.stdout!r} and ended with {run.returncode}; expected was {expected!r}")
    sys.exit(1)
