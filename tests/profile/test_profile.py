"""Runs the cases on the emulator and compares the counts of its profile:

    test_profile.py addresses BUILD/tests/profile/profile_cases     with what the patterns' addresses give
    test_profile.py golden BUILD/tests/profile/profile_cases        with Nsight Compute's; 77 without golden.json

Prints what may differ and does, with the reasons, and fails where a count that must be equal is not. --profile FILE
takes a profile that was made before, --golden FILE other counts than golden.json."""
import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

import addresses
import cases
import counters
import golden
import program

SKIPPED = 77
SHOWN = 40  # differences that must not be; the others are counted


def make_profile(path, program_path, scratch):
    """The profile of all cases. Returns the compiler."""
    program.write_cases(scratch / "cases", enumerate(cases.all_cases()))
    environment = program.environment(program_path, KILN_EMULATOR_PROFILE=str(path),
                                      KILN_DRIVER=os.environ.get("KILN_DRIVER", "emulator"))
    status, text = program.run(program.command(program_path, scratch / "cases"), environment, 600)
    if status == SKIPPED:
        sys.exit(SKIPPED)
    if status != 0 or not path.exists():
        sys.exit(f"status {status}, profile {'made' if path.exists() else 'missing'}: {text[-3000:]}")
    return re.search("# (.*)", text)[1]


def occupancy_of(launch):
    """The occupancy of a launch, with the names of counters.COMPARISONS."""
    occupancy = launch["occupancy"]
    if occupancy is None:
        return {}
    limits = {f"occupancy_limit_{what}": blocks for what, blocks in occupancy["limits"].items()}
    return {**limits, "registers": launch["registers"], "occupancy_warps": occupancy["warps"]}


def totals_of(path):
    """The totals of each case's launch, by the case's name. Shared memory and the block tell launches apart."""
    launches = {(launch["mangled"], launch["dynamic_shared_bytes"], launch["block"][0]): launch
                for launch in json.loads(path.read_text())["launches"]}
    totals = {}
    for tag, case in enumerate(cases.all_cases()):
        launch = launches.get((case.kernel, case.dynamic_shared(tag), case.block[0]))
        if launch is None or launch["launches"] != 1 or launch.get("failed", 0):
            sys.exit(f"{case.name}: the profile has no launch of its own for it")
        totals[case.name] = {**launch["totals"], **occupancy_of(launch)}
    return totals


class Report:
    def __init__(self):
        self.equal, self.wrong, self.allowed = 0, [], collections.defaultdict(list)

    def must_be(self, case, name, wanted, got):
        if wanted == got:
            self.equal += 1
        else:
            self.wrong.append(f"{case.name}: {name}: {wanted} expected, {got} on the emulator")

    def may_be(self, case, name, wanted, got, reason):
        if wanted != got:
            self.allowed[reason].append((case.name, name, wanted, got))

    def print_allowed(self):
        for reason, rows in self.allowed.items():
            print(f"\n{reason}: {len(rows)} counts")
            by_count = collections.defaultdict(list)
            for row in rows:
                by_count[row[1]].append(row)
            for name, of_name in by_count.items():
                examples = ", ".join(f"{case} {wanted} / {got}" for case, _, wanted, got in of_name[:3])
                print(f"  {name}, {len(of_name)} cases (GPU / emulator): {examples}")

    def finish(self, what):
        self.print_allowed()
        for line in self.wrong[:SHOWN]:
            print(line)
        print(f"\n{what}: {self.equal} counts equal, {len(self.wrong)} that must be and are not")
        return 1 if self.wrong or not self.equal else 0


def compare_with_addresses(totals):
    report = Report()
    for case in cases.all_cases():
        for name, count in (addresses.expected(case) or {}).items():
            report.must_be(case, name, count, counters.of_emulator(name, totals[case.name]))
    return report.finish("by the addresses")


def compare_with_golden(totals, counts, compiler):
    report, missing = Report(), []
    unknown = set(counts["unknown"])
    for case in cases.all_cases():
        if case.family == "occupancy" and compiler not in [None, counts["compiler"]]:
            continue  # another ptxas gives a kernel other registers
        of_case = golden.counts_of(counts, case)
        if of_case is None:
            missing.append(case.name)
            continue
        for name in counters.comparisons_of(case.family):
            if unknown & set(counters.COMPARISONS[name].hardware):
                continue  # this ncu had no such metric
            wanted, got = counters.of_hardware(name, of_case), counters.of_emulator(name, totals[case.name])
            if name in case.may_differ:
                report.may_be(case, name, wanted, got, case.may_differ[name])
            else:
                report.must_be(case, name, wanted, got)
    if missing:
        report.wrong.append(f"not recorded: {len(missing)} cases, such as {missing[0]}")
    return report.finish(f"{counts['card']}, driver {counts['driver']}, ncu {counts['ncu']}, {counts['date']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["addresses", "golden"])
    parser.add_argument("program")
    parser.add_argument("--profile", type=pathlib.Path)
    parser.add_argument("--golden", type=pathlib.Path, default=golden.PATH)
    arguments = parser.parse_args()
    if arguments.what == "golden" and not arguments.golden.exists():
        print(f"skipped: no {arguments.golden}")
        return SKIPPED
    compiler = None
    with tempfile.TemporaryDirectory() as scratch:
        path = arguments.profile or pathlib.Path(scratch, "profile.json")
        if not arguments.profile:
            compiler = make_profile(path, arguments.program, pathlib.Path(scratch))
        totals = totals_of(path)
    if arguments.what == "addresses":
        return compare_with_addresses(totals)
    return compare_with_golden(totals, golden.read(arguments.golden), compiler)


if __name__ == "__main__":
    sys.exit(main())
