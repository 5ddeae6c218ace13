"""What a shared library or program exports."""
import subprocess


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(file, *options):
    """Pairs of nm's letter and a name, mangled unless an option of nm says otherwise."""
    for line in output("nm", "-D", "--defined-only", *options, file).splitlines():
        _, letter, name = line.split(" ", 2)
        yield letter, name
