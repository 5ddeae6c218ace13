"""Runs lessons on the emulator, and compares what they print and their profiles' figures with docs/teaching.md:

    test_lessons.py [--kiln BUILD/tools/kiln/kiln] BUILD/lessons/02_coalescing...

--in PROGRAM: the lessons are names, which that program takes as its first argument.
--kiln also runs the page's commands, and those of docs/teaching-answers.md, whose tables are compared with their
profiles. --update writes the real figures into docs/teaching.md instead. A lesson that has no device is a skip (77)."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import teaching_page

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs/teaching.md"
ANSWERS = REPOSITORY / "docs/teaching-answers.md"
SKIPPED = 77


def absolute(text):
    return pathlib.Path(text).resolve()


def run(command, folder, **variables):
    environment = {**os.environ, "LC_ALL": "C", "KILN_DRIVER": os.environ.get("KILN_DRIVER") or "emulator"}
    for name in os.environ:
        if name.startswith("KILN_EMULATOR_") or name == "KILN_LOG":
            del environment[name]
    return subprocess.run(list(map(str, command)), cwd=folder, env={**environment, **variables}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=250)


def run_lesson(program, profile, folder):
    """Output and error output of the lesson, which must succeed."""
    done = run([program], folder, KILN_EMULATOR_PROFILE=str(profile))
    if done.returncode != 0:
        print(f"{program.name}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        sys.exit(SKIPPED if done.returncode == SKIPPED else 1)
    return done.stdout, done.stderr


def outcome_of(program, page):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "profile.json")
        output, _ = run_lesson(program, path, folder)
        profile = json.loads(path.read_text())
        _, report = run_lesson(program, "-", folder)
    same = teaching_page.release_of(profile) == teaching_page.release_of_page(page)
    if not same:
        print(f"the compiler is {teaching_page.release_of(profile)}: instructions and branches are not compared")
    source = (REPOSITORY / "lessons" / (program.name + ".cpp")).read_text()
    return teaching_page.Outcome(source, output, report, profile, same)


def unnoticed_changes(section, outcome):
    """Figures that might be anything: the comparison must find each one that is changed."""
    for begin, end in teaching_page.figures(section):
        other = re.sub(r"\d", lambda digit: str(9 - int(digit[0])), section[begin:end])
        changed = section[:begin] + other + section[end:]
        if not any(teaching_page.faults(changed, outcome)):
            yield f"{section[begin:end]} in {section[section.rfind(chr(10), 0, begin) + 1:section.find(chr(10), end)]}"


def failed_commands(kiln, program, section):
    with tempfile.TemporaryDirectory() as folder:
        kernels = pathlib.Path(folder, program.name[3:] + ".cu")
        kernels.write_text(run([program, "--source"], folder).stdout)
        for arguments in teaching_page.commands(section):
            done = run([kiln, *arguments], folder)
            if done.returncode != 0:
                yield f"kiln {shlex.join(arguments)}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def faults_of_answers(kiln, program, same_compiler):
    """Of the page of answers: its kernels follow the lesson's, its commands succeed, its tables have their figures."""
    page = ANSWERS.read_text()
    span = teaching_page.section_of(page, program.name)
    if span is None:
        return [f"{ANSWERS.name} has no section of this lesson"]
    section = page[slice(*span)]
    kernels = "".join(body for kind, body in teaching_page.BLOCK.findall(section) if kind == "cpp")
    profile = {"launches": [], "metrics": {}}
    with tempfile.TemporaryDirectory() as folder:
        source = run([program, "--source"], folder).stdout + kernels
        pathlib.Path(folder, program.name[3:] + ".cu").write_text(source)
        for arguments in teaching_page.commands(section):
            arguments = ["profile.json" if argument == "-" else argument for argument in arguments]
            done = run([kiln, *arguments], folder)
            if done.returncode != 0:
                return [f"kiln {shlex.join(arguments)}: exit status {done.returncode}\n{done.stdout}{done.stderr}"]
            made = json.loads(pathlib.Path(folder, "profile.json").read_text())
            profile["launches"] += made["launches"]
            profile["metrics"] = made["metrics"]
    outcome = teaching_page.Outcome(source, "", "", profile, same_compiler)
    return [f"{ANSWERS.name}: {fault}" for fault in teaching_page.faults(section, outcome)]


def check(program, page, kiln):
    """Faults of the page's section."""
    span = teaching_page.section_of(page, program.name)
    if span is None:
        return [f"{PAGE.name} has no section of this lesson"]
    section, outcome = page[slice(*span)], outcome_of(program, page)
    found = list(teaching_page.faults(section, outcome))
    if not found and not any(True for _ in teaching_page.figures(section)):
        found.append("the section has no figure of the lesson's")
    if not found and outcome.same_compiler:
        found += [f"not compared: {figure}" for figure in unnoticed_changes(section, outcome)]
    if kiln:
        found += failed_commands(kiln, program, section)
        found += faults_of_answers(kiln, program, outcome.same_compiler)
    return found


@contextlib.contextmanager
def programs_of(names, program):
    """A file to run for each name."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in names]
        for file in files:
            file.write_text(f"#!/bin/sh\nexec {shlex.quote(str(program))} {file.name} \"$@\"\n")
            file.chmod(0o755)
        yield files


def check_all(arguments, programs):
    page = PAGE.read_text()
    lessons = sorted(path.stem for path in (REPOSITORY / "lessons").glob("[0-9]*.cpp"))
    if teaching_page.lessons_of(page) != lessons:
        print(f"{PAGE.name} has sections for {teaching_page.lessons_of(page)}; the lessons are {lessons}")
        return 1
    if arguments.update:
        for program in programs:
            begin, end = teaching_page.section_of(page, program.name)
            page = page[:begin] + teaching_page.updated(page[begin:end], outcome_of(program, page)) + page[end:]
        PAGE.write_text(page)
        return 0
    failed = False
    for program in programs:
        try:
            found = check(program, page, arguments.kiln)
        except ValueError as fault:  # of what the page has
            found = [str(fault)]
        print("\n".join(f"{program.name}: {fault}" for fault in found) or f"{program.name}: as {PAGE.name} says")
        failed = failed or bool(found)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--kiln", type=absolute)
    parser.add_argument("--in", type=absolute, dest="program")
    parser.add_argument("lessons", nargs="+")
    arguments = parser.parse_args()
    if not arguments.program:
        return check_all(arguments, list(map(absolute, arguments.lessons)))
    with programs_of(arguments.lessons, arguments.program) as files:
        return check_all(arguments, files)


if __name__ == "__main__":
    sys.exit(main())
