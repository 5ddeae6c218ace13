"""Prints what ninja must build for the tests of some suites, and what an installation has: `test_targets.py BUILD SUITE...`"""
import json
import pathlib
import sys


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    suites = {f"kiln:{name}" for name in sys.argv[2:]}
    tests, targets = (json.loads((build / "meson-info" / f"intro-{what}.json").read_text())
                      for what in ["tests", "targets"])
    needed = {each for test in tests if suites & set(test["suite"]) for each in test["depends"]}
    for target in targets:
        if target["id"] in needed or target["installed"]:
            print(*(pathlib.Path(name).relative_to(build) for name in target["filename"]))


if __name__ == "__main__":
    main()
