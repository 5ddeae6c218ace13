"""The scripts name the Debian packages that they lack before apt-get is called, and with --no-install do not call it.

    no_install.py REPOSITORY

They run with a PATH on which the build's tools are missing and apt-get is a fake that fails, so that they end there."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOLS = ["sh", "cat", "date", "dirname", "env", "grep", "id"]
SCRIPTS = ["examples/quickstart.sh", "tests/run.sh"]
CALLED = "the fake apt-get was called"


def fake(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def faults(repository, folder):
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool))
    fake(folder / "sudo", 'exec "$@"\n')
    fake(folder / "apt-get", f"echo '{CALLED}'\nexit 100\n")
    environment = {**os.environ, "PATH": str(folder), "KILN_DRIVER": "emulator", "LC_ALL": "C"}
    environment.pop("kiln_install", None)
    for script in SCRIPTS:
        for arguments in [[], ["--no-install"]]:
            command = " ".join([script, *arguments])
            run = subprocess.run([repository / script, *arguments], env=environment, text=True, timeout=60,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            before, called, _ = run.stdout.partition(CALLED)
            if run.returncode == 0:
                yield f"{command}: exit status 0 without the packages"
            if not {"meson", "ninja-build", "g++"} <= set(before.split()):
                yield f"{command}: meson, ninja-build and g++ are not named first:\n{run.stdout}"
            if bool(called) != (not arguments):
                yield f"{command}: apt-get was {'' if called else 'not '}called:\n{run.stdout}"
        run = subprocess.run([repository / script, "--install"], env=environment, text=True, capture_output=True)
        if run.returncode != 2 or "usage:" not in run.stderr:
            yield f"{script} --install: exit status {run.returncode}, {run.stderr!r}"


with tempfile.TemporaryDirectory() as name:
    found = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(name)))
print("\n".join(found) or f"{len(SCRIPTS)} scripts, no fault")
sys.exit(1 if found else 0)
