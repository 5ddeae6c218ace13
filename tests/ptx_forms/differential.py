#!/usr/bin/env python3
"""Compares the emulator's loader with ptxas over PTX statements of every form.

    differential.py --ptxas PTXAS --load-forms BUILD/tests/ptx_forms/load_forms [--verdicts FILE] [--write golden.txt]

What ptxas accepts must run, or stop with an error that names it; what ptxas refuses must not run. Prints the counts
and the differences. --verdicts keeps ptxas's answers (for one --version) between runs, which take some ten minutes; a
few statements make ptxas use more than 11 GB: set `ulimit -v`. --write makes golden.txt, with which the test
`ptx forms` compares the loader where there is no such ptxas."""
import argparse
import collections
import json
import random
import subprocess
from pathlib import Path

import ask_ptxas
import forms

ROOT = Path(__file__).resolve().parents[2]


def answers(ptxas, pairs, version, file):
    known = json.loads(file.read_text()) if file and file.exists() else {}
    missing = [pair for pair in pairs if ' '.join(pair) not in known]
    for pair, message in ask_ptxas.Ptxas(ptxas).all_verdicts(missing, version):
        known[' '.join(pair)] = message
    if file and missing:
        file.write_text(json.dumps(known))
    return {pair: known[' '.join(pair)] for pair in pairs}


def differs(row):
    _, _, message, word = row
    return word == 'refused' if message is None else word == 'runs'


def asked_alone(ptxas, rows, version):
    """The rows, with ptxas's verdict on each that differs asked for again: an error may belong to another statement."""
    asked = ask_ptxas.Ptxas(ptxas)
    for row in rows:
        message = asked.verdicts([row[1]], row[0], version)[0] if differs(row) else row[2]
        if message != '':
            yield *row[:2], message, row[3]


def loader_words(program, pairs, version):
    text = ''.join(f'{target}\t{version}\t{statement}\n' for target, statement in pairs)
    lines = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split('\t') for line in lines]


def golden_lines(rows, most, version):
    """All that ptxas accepts, and a sample of what it refuses; without the differences."""
    taken = [row for row in rows if row[2] is None and row[3] != 'refused']
    refused = [row for row in rows if row[2] is not None and row[3] != 'runs']
    for target, statement, message, word in taken + random.Random(1).sample(refused, min(most, len(refused))):
        yield f'{word if message is None else "refused"}\t{target}\t{version}\t{statement}\n'


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--ptxas', required=True)
    options.add_argument('--load-forms', required=True)
    options.add_argument('--version', default='9.0')
    options.add_argument('--verdicts', type=Path)
    options.add_argument('--write', type=Path)
    given = options.parse_args()
    pairs = forms.forms(ROOT)
    verdicts = answers(given.ptxas, pairs, given.version, given.verdicts)
    rows = [(*pair, verdicts[pair], word) for pair, (word, _) in
            zip(pairs, loader_words(given.load_forms, pairs, given.version)) if verdicts[pair] != '']
    rows = list(asked_alone(given.ptxas, rows, given.version))
    counts = collections.Counter(('taken' if row[2] is None else 'refused', row[3]) for row in rows)
    for (ptxas, emulator), count in sorted(counts.items()):
        print(f'{count:6} ptxas: {ptxas}, emulator: {emulator}')
    for target, statement, message, word in rows:
        if differs((target, statement, message, word)):
            print(f'  {target} {statement}  ptxas: {message or "takes it"}; emulator: {word}')
    if given.write:
        given.write.write_text(''.join(sorted(golden_lines(rows, 6000, given.version))))


if __name__ == '__main__':
    main()
