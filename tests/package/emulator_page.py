"""docs/emulator.md names the tests of a device that the emulator cannot run, each with its reason, and each is a test.

Usage: emulator_page.py REPOSITORY
"""
import pathlib
import re
import sys

repository = pathlib.Path(sys.argv[1])
page = (repository / "docs/emulator.md").read_text()
header = (repository / "tests/gpu/gpu_only.hpp").read_text()
tests = "".join(path.read_text() for path in sorted((repository / "tests/gpu").glob("test_*.cpp")))

reasons = dict(re.findall(r'const char\* (\w+) = "([^"]*)";', header))
listed = {name: reasons.get(reason, reason.strip('"'))
          for name, reason in re.findall(r'GpuOnly\{"([^"]*)",\s*(\w+|"[^"]*")\}', header)}
cases = set(re.findall(r'TEST_CASE\(\s*"([^"]*)"', tests))
part = page.split("\n## Tests of Kiln's that need a GPU\n")[1].split("\n## ")[0]
told = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.M)[1:])

faults = [f"{name}: tests/gpu has no such test case" for name in listed if name not in cases]
faults += [f"{name}: docs/emulator.md does not say why it needs a GPU, in the words of tests/gpu/gpu_only.hpp"
           for name, reason in listed.items() if told.get(name) != reason]
faults += [f"{name}: only docs/emulator.md says that it needs a GPU" for name in told if name not in listed]
print("\n".join(faults) if faults else f"{len(listed)} test cases need a GPU, each for a reason")
sys.exit(1 if faults or not listed else 0)
