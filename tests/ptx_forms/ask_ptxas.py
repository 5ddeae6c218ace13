"""ptxas's verdict on many statements: each stands on a line of its own in one kernel, and errors name lines."""
import concurrent.futures
import re
import subprocess
import tempfile
from pathlib import Path

HEAD = ('.version {version}\n.target {target}\n.address_size 64\n'
        '.global .align 16 .b8 g[64]; .const .align 16 .b8 c[64];\n'
        '.func (.param .b32 r) f(.param .b32 a) {{ ret; }}\n'
        '.visible .entry k(.param .u64 p)\n{{\n'
        '.reg .pred %p<20>; .reg .b8 %b<20>; .reg .b16 %h<20>; .reg .u16 %hu<20>; .reg .s16 %hs<20>; .reg .f16 %hf<20>; '
        '.reg .f16x2 %hx<20>; .reg .b32 %r<50>; .reg .u32 %ru<20>; .reg .s32 %rs<20>; .reg .f32 %f<50>; '
        '.reg .b64 %d<30>; .reg .u64 %du<20>; .reg .s64 %ds<20>; .reg .f64 %e<20>; .reg .b128 %q<8>; '
        '.shared .align 16 .b8 sh[64]; .local .align 16 .b8 lo[64];\n')
TAIL = '\nret;\n}\n'
ERROR = re.compile(r'line (\d+); (error|fatal)\s*: (.*)')
BATCH = 600


def module(statements, target, version):
    return HEAD.format(target=target, version=version) + '\n'.join(statements) + TAIL


def is_doubtful(statement, message):
    """Whether the error may belong to another statement: ptxas replaces some instructions by text of its own, whose
    lines it counts from 1."""
    if any(part in message for part in ('Parsing error', '__cuda', 'formal parameter', '32-Bit')):
        return True
    named = re.search(r"instruction '(\w+)", message)
    return named is not None and named[1] != re.match(r'\w*', statement)[0]


class Ptxas:
    def __init__(self, path):
        self.path = path

    def run(self, statements, target, version):
        """({index: message} of the errors, whether ptxas accepted the module)."""
        with tempfile.NamedTemporaryFile('w', suffix='.ptx') as source:
            source.write(module(statements, target, version))
            source.flush()
            done = subprocess.run([self.path, '-O0', '-w', f'-arch={target}', '-o', '/dev/null', source.name],
                                  capture_output=True, text=True)
        before = HEAD.count('\n') + 1
        errors = {}
        for line, _, message in ERROR.findall(done.stdout + done.stderr):
            errors.setdefault(int(line) - before, message)
        return errors, done.returncode == 0, done.stdout + done.stderr

    def verdicts(self, statements, target, version):
        """None for what ptxas accepts, its message for the rest; '' if it ends without one, which proves nothing."""
        found = {}
        left = list(range(len(statements)))
        while left:
            errors, taken, text = self.run([statements[i] for i in left], target, version)
            if taken:
                break
            errors = {i: m for i, m in errors.items() if 0 <= i < len(left)}
            if not errors:
                if len(left) == 1:
                    found[left[0]] = '' if 'Internal compiler error' in text else text.strip().split('\n')[0]
                    break
                # An error without a line: try each half.
                middle = len(left) // 2
                for half in (left[:middle], left[middle:]):
                    for i, message in zip(half, self.verdicts([statements[i] for i in half], target, version)):
                        if message is not None:
                            found[i] = message
                break
            for i, message in errors.items():
                if is_doubtful(statements[left[i]], message) and len(left) > 1:
                    message = self.verdicts([statements[left[i]]], target, version)[0]
                if message is not None:
                    found[left[i]] = message
            left = [i for place, i in enumerate(left) if place not in errors]
        return [found.get(i) for i in range(len(statements))]

    def all_verdicts(self, pairs, version, workers=2):
        """((target, statement), None or message) of each."""
        by_target = {}
        for target, text in pairs:
            by_target.setdefault(target, []).append(text)
        jobs = [(target, texts[i:i + BATCH]) for target, texts in by_target.items() for i in
                range(0, len(texts), BATCH)]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for (target, texts), answers in zip(jobs, pool.map(lambda job: self.verdicts(job[1], job[0], version),
                                                               jobs)):
                yield from (((target, text), answer) for text, answer in zip(texts, answers))
