"""Records the counts of Nsight Compute for the cases, on a machine with a GPU and its counters:

    python3 tests/profile/record.py BUILD/tests/profile/profile_cases [--out golden.json] [--seconds 100] [--resume]

Needs ncu ($NCU, the PATH, or where CUDA has it) and nothing else. The file is written after each batch of cases;
--resume adds what a file lacks. Metrics that this ncu does not know are left out and named."""
import argparse
import csv
import datetime
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import cases
import counters
import golden
import program

FIRST_BATCH, FASTEST = 12, 0.02  # cases; seconds a case, before any was measured


def find_ncu():
    places = [os.environ.get("NCU"), shutil.which("ncu"), "/usr/local/cuda/bin/ncu",
              *sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu"), reverse=True),
              *sorted(glob.glob("/usr/local/cuda*/nsight-compute*/ncu"), reverse=True)]
    found = [place for place in places if place and os.access(place, os.X_OK)]
    if not found:
        sys.exit("ncu was not found; NCU names it")
    return found[0]


def said_by(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


class Metrics:
    """Which name of each metric this ncu knows. What its list lacks may still be known: then a run decides."""

    def __init__(self, ncu):
        listed = set(re.findall(r"^\s*([a-z]\w*__?\w+)", said_by([ncu, "--query-metrics"]), re.MULTILINE))
        self.names, self.unlisted = {}, set()
        for name, candidates in counters.METRICS.items():
            known = [candidate for candidate in candidates if candidate.split(".")[0] in listed]
            self.names[name] = (known or candidates)[0]
            if not known:
                self.unlisted.add(name)
        self.refused = {}

    def of(self, family):
        return {name: self.names[name] for name in counters.FAMILIES[family] if name in self.names}

    def refuse(self, names):
        for name in names:
            self.refused[name] = self.names.pop(name)
            self.unlisted.discard(name)

    def refuse_named(self, text):
        """Leaves out what a failed run complains of, or else all that was not listed. Whether anything was left out."""
        complaints = "\n".join(line for line in text.splitlines() if re.search("metric|WARNING|ERROR", line))
        named = [name for name, metric in self.names.items() if metric.split(".")[0] in complaints]
        names = named or list(self.unlisted)
        self.refuse(names)
        return bool(names)


def number(text):
    """A count, or None where ncu has none."""
    try:
        return int(float(text.replace(",", "")))
    except ValueError:
        return None


def rows_of(text):
    """The rows of ncu's raw page as dictionaries, without the row of units."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    return [row for row in csv.DictReader(lines) if row.get("ID")]


class Recorder:
    def __init__(self, arguments):
        self.program = pathlib.Path(arguments.program).resolve()
        self.deadline = time.monotonic() + arguments.seconds
        self.out = pathlib.Path(arguments.out)
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="kiln_profile_"))
        more = {} if "KILN_CACHE_DIR" in os.environ else {"KILN_CACHE_DIR": str(self.scratch / "cache")}
        self.environment = program.environment(self.program, **more)
        self.ncu = find_ncu()
        self.metrics = Metrics(self.ncu)
        self.seconds_a_case = None
        self.golden = self.first_golden(arguments.resume)

    def first_golden(self, resume):
        if resume and self.out.exists():
            return golden.read(self.out)
        query = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"]
        card, driver, capability = (said_by(query).splitlines()[0].split(", ") + ["", ""])[:3]
        version = re.search(r"Version (\S+)", said_by([self.ncu, "--version"]))
        return {"format": "kiln-profile-golden", "version": 1, "card": card, "compute_capability": capability,
                "driver": driver, "ncu": version[1] if version else "", "date": f"{datetime.date.today()}",
                "metrics": {}, "unknown": {}, "recorded": {}, "cases": {}}

    def left(self):
        return self.deadline - time.monotonic()

    def warm(self, wanted):
        """One run without ncu: compiles the kernels, so that ncu sees no compiler, and shows which cases fail."""
        while True:
            program.write_cases(self.scratch / "all", enumerate(wanted))
            status, text = program.run(program.command(self.program, self.scratch / "all"), self.environment, 90)
            if status == 0:
                self.golden["compiler"] = re.search("# (.*)", text)[1]
                return wanted
            print(f"without ncu: status {status}: {text.strip().splitlines()[-1:]}", flush=True)
            failed = [case for case in wanted if f"profile_cases: {case.name}:" in text]
            if not failed:
                sys.exit("the program does not run")
            wanted = [case for case in wanted if case not in failed]

    def count(self, family, batch):
        """Runs ncu. The counts of the batch's cases, as many as it gave."""
        metrics = self.metrics.of(family)
        log, file = self.scratch / "log", self.scratch / "batch"
        log.unlink(missing_ok=True)
        program.write_cases(file, enumerate(batch))
        ncu = [self.ncu, "--target-processes", "application-only", "--clock-control", "none", "--cache-control", "none",
               "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(log), "--metrics",
               ",".join(metrics.values())]
        status, text = program.run(ncu + program.command(self.program, file), self.environment, max(5, self.left()))
        text += log.read_text(errors="replace") if log.exists() else ""
        rows = rows_of(text)
        if not rows:
            print(f"ncu: status {status}, no counts: {text[-1500:]}", flush=True)
            return self.count(family, batch) if status is not None and self.metrics.refuse_named(text) else []
        self.refuse_empty(metrics, rows)
        counted = [(case, {name: number(row[metric]) for name, metric in self.metrics.of(family).items()})
                   for case, row in zip(batch, rows) if self.is_of(row, case)]
        return [(case, counts) for case, counts in counted if None not in counts.values()]

    def refuse_empty(self, metrics, rows):
        empty = [name for name, metric in metrics.items() if number(rows[0].get(metric) or "") is None]
        if empty:
            print(f"ncu has no value of {[metrics[name] for name in empty]}", flush=True)
            self.metrics.refuse(empty)

    @staticmethod
    def is_of(row, case):
        if row["Kernel Name"].split("(")[0] == case.kernel:
            return True
        print(f"ncu counted {row['Kernel Name']} where {case.name} was expected", flush=True)
        return False

    def batch_size(self):
        if self.seconds_a_case is None:
            return FIRST_BATCH
        return int((self.left() - 4) / self.seconds_a_case * 0.8)

    def record(self, family, wanted):
        while wanted:
            size = min(len(wanted), self.batch_size())
            if size <= 0 or self.left() < 5:
                print(f"no time left for {len(wanted)} cases of {family}", flush=True)
                return
            batch, wanted = wanted[:size], wanted[size:]
            start = time.monotonic()
            counted = self.count(family, batch)
            took = time.monotonic() - start
            print(f"{family}: {len(counted)} of {len(batch)} cases in {took:.1f} s", flush=True)
            if not counted:
                return
            self.seconds_a_case = max(FASTEST, took / len(batch))
            self.keep(family, counted)
        self.seconds_a_case = None

    def keep(self, family, counted):
        self.golden["cases"].update({case.name: counts for case, counts in counted})
        self.golden["metrics"].update(self.metrics.of(family))
        self.golden["unknown"] = {**self.golden["unknown"], **self.metrics.refused}
        self.golden["recorded"][family] = list(self.metrics.of(family))
        golden.write(self.out, self.golden)

    def run(self):
        print(f"{self.golden['card']}, driver {self.golden['driver']}, ncu {self.golden['ncu']}; "
              f"not in its list: {sorted(self.metrics.unlisted)}", flush=True)
        wanted = [case for case in cases.all_cases() if case.name not in self.golden["cases"]]
        start = time.monotonic()
        wanted = self.warm(wanted)
        print(f"{len(wanted)} cases without ncu: {time.monotonic() - start:.1f} s", flush=True)
        for family in counters.FAMILIES:
            self.record(family, [case for case in wanted if case.family == family])
        shutil.rmtree(self.scratch, ignore_errors=True)
        print(f"{self.out}: {len(self.golden['cases'])} of {len(cases.all_cases())} cases; "
              f"unknown metrics: {self.golden['unknown']}")
        return 0 if self.golden["cases"] else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--out", default=str(golden.PATH))
    parser.add_argument("--seconds", type=float, default=100)
    parser.add_argument("--resume", action="store_true")
    return Recorder(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
