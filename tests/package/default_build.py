"""What README.md builds with Meson's default options can be built: `default_build.py REPOSITORY`

Meson 1.0 wants a file that is not there where a library that is part of libkiln.a has a multiple of `unity_size`
sources. Then another `unity_size` in meson.build helps."""
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    setup = ["meson", "setup", folder, sys.argv[1], "--buildtype=release", "-Dtests=false", "-Dexamples=false"]
    for command in [setup, ["ninja", "-C", folder, "-n", "--quiet"]]:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            print(run.stdout)
            sys.exit(f"{' '.join(command)}: exit status {run.returncode}")
