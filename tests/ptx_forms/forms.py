"""PTX statements made from the emulator's grammar, and variants that differ in one thing, most of them wrong.

The grammar only says which statements to write; ptxas decides whether a statement is valid."""
import itertools
import random
import re
from pathlib import Path

REGISTERS = {
    'pred': '%p', 'b8': '%b', 'b16': '%h', 'u16': '%hu', 's16': '%hs', 'f16': '%hf', 'f16x2': '%hx', 'b32': '%r',
    'u32': '%ru', 's32': '%rs', 'f32': '%f', 'b64': '%d', 'u64': '%du', 's64': '%ds', 'f64': '%e', 'b128': '%q',
}
# The declared type of a register, for an operand of a type that registers cannot have.
DECLARED = {
    'u8': 'b16', 's8': 'b16', 'b8': 'b16', 'bf16': 'b16', 'bf16x2': 'b32', 'tf32': 'b32', 'u16x2': 'b32',
    's16x2': 'b32', 'f32x2': 'b64', 'e4m3x2': 'b16', 'e5m2x2': 'b16',
}
WIDER = {'u8': 'u32', 's8': 's32', 'b8': 'b32', 'u16': 'u32', 's16': 's64', 'b16': 'b64', 'u32': 'u64', 's32': 's64',
         'b32': 'b64'}
DOUBLE = {'u16': 'u32', 's16': 's32', 'u32': 'u64', 's32': 's64'}
EXAMPLES = {'m64n*': 'm64n8k16|m64n8k32|m64n8k8|m64n16k16'}
TYPE_WORD = re.compile(r'^(pred|[busf]\d+(x2|x4)?|b?f16(x2)?|tf32|e\dm\dx?\d?|ue8m0x2)$')
MODIFIERS = ('made_up', 'sat', 'ftz', 'rn', 'rz', 'rni', 'approx', 'relu', 'satfinite', 'sync', 'aligned', 'cc', 'lo',
             'wide', 'uni', 'volatile', 'relaxed', 'gpu', 'cta', 'global', 'shared', 'local', 'v2', 'v4', 'v8', 'x2',
             'trans', 'eq', 'and', 'NaN', 'abs', 'noftz', 'L2::cache_hint', 'weak', 'cluster', 'multicast::cluster',
             'L1::evict_last', 'nc', 'ca', 'full', 'L2::128B', 'wrap', 'row', 'x4', 'add', 'read', 'noComplete')
TYPES = ('u8', 's8', 'b8', 'u16', 's16', 'b16', 'f16', 'bf16', 'f16x2', 'u16x2', 'u32', 's32', 'b32', 'f32', 'tf32',
         'u64', 's64', 'b64', 'f64', 'b128', 'pred', 'f32x2')


def is_type(word):
    return TYPE_WORD.match(word) is not None


def grammar(root):
    """The rows and sets of emulator/instructions/grammar."""
    folder = Path(root) / 'emulator/instructions/grammar'
    rows, sets = [], {}
    for source in sorted(folder.glob('*.cpp')):
        text = re.sub(r'"\s*\n\s*"', '', source.read_text())
        for name, alternatives in re.findall(r'\{"(\$\w+)", "([^"]*)"\}', text):
            sets[name] = alternatives
        rows += re.findall(r'\{"([a-z]\w*(?:\.[\w:]+)*)",\s*"([^"]*)",\s*"([^"]*)"\}', text)
    return rows, sets


def choices(modifiers, sets):
    """A list of alternatives for each word; '' where the word may be missing."""
    all_choices = []
    for word in modifiers.split():
        optional = word.endswith('?')
        alternatives = [a for w in word.rstrip('?').split('|') for a in sets.get(w, EXAMPLES.get(w, w)).split('|')]
        all_choices.append(alternatives + [''] if optional else alternatives)
    return all_choices


def expansions(row, sets, rng, most):
    """Modifier lists of the row: all, or a sample that has every alternative."""
    options = choices(row[1], sets)
    count = 1
    for option in options:
        count *= len(option)
    if count <= most:
        return [[w for w in one if w] for one in itertools.product(*options)]
    made = []
    for i, option in enumerate(options):
        for word in option:
            # The other words at random, or left out if they may be.
            for sparse in (True, False):
                one = [(('' if '' in o and sparse else rng.choice(o)) if j != i else word) for j, o in
                       enumerate(options)]
                made.append([w for w in one if w])
    while len(made) < most:
        made.append([w for w in (rng.choice(o) for o in options) if w])
    rng.shuffle(made)
    return made[:max(most, sum(len(o) for o in options))]


class Registers:
    """Register names, none twice in a statement."""

    def __init__(self):
        self.used = {}

    def take(self, kind):
        prefix = REGISTERS.get(kind) or REGISTERS[DECLARED.get(kind, 'b32')]
        number = self.used[prefix] = self.used.get(prefix, 0) + 1
        return f'{prefix}{number}'


COORDINATES = {'1d': 1, '2d': 2, 'a1d': 2}  # all others have 4


def texture_text(kind, words, registers):
    geometry = next(w for w in words if re.match(r'a?(\dd|cube)', w))
    kinds = [kind] * COORDINATES.get(geometry, 4)
    if geometry[0] == 'a':
        kinds[0] = 'u32'
    return f'[{registers.take("u64")}, {{{", ".join(registers.take(each) for each in kinds)}}}]'


def operand_text(word, words, registers, rng):
    types = [w for w in words if is_type(w)]
    if word == '_':
        return word
    numbers = re.search(r'#(.*)', word)
    pair = word.endswith('|p')
    word = re.sub('#.*', '', word).lstrip('>').removesuffix('|p').removesuffix('_')
    word = word.removesuffix('~')
    if word[:1] == 'T':
        text = texture_text(types[int(word[1])] if len(word) > 1 else 's32', words, registers)
    elif word == 'Q':
        text = '[%du9]'
    elif word == 'R':
        text = registers.take('u64')
    elif word == 'O':
        text = rng.choice(('{%r8, %r9}', registers.take('b32')))
    elif word == '{}':
        text = '{%h8, %h9}'
    elif word.startswith('{'):
        kind, count = word[1:-1].split('*')
        kind = types[int(kind[0])] if kind[0].isdigit() else kind
        text = '{' + ', '.join(registers.take(kind) for _ in range(int(count))) + '}'
    elif word in ('A', 'Aw', 'F'):
        text = '[%du9]'
    elif not word:
        text = re.match(r'\D?(\d*)', numbers[1])[1] or '4'
    elif word in ('p', 'P'):
        text = registers.take('pred')
    elif word == 'c':
        text = registers.take('u32' if types.count('u32') == len(types) else 's32')
    elif word in ('V', 'M', 'W'):
        text = registers.take('b32')
    elif word == '*':
        text = registers.take(types[0] if types and types[0] in REGISTERS else 'b32')
    elif word in ('S', 'N') or (word == 'Sv' and not any(w in words for w in ('v2', 'v4'))):
        text = rng.choice((registers.take(types[0]), registers.take(types[0]), '5', '%laneid', 'sh'))
    elif word[0].isdigit() or word == 'Sv':
        word = word.replace('S', '0')
        kind = types[int(word[0])] if int(word[0]) < len(types) else 'b32'
        if 'd' in word:
            kind = DOUBLE.get(kind, 'b64')
        if 'w' in word and rng.random() < 0.2:
            kind = WIDER.get(kind, kind)
        width = next((int(w[1]) for w in words if w in ('v2', 'v4', 'v8')), 1) if 'v' in word else 1
        text = registers.take(kind) if width == 1 else '{' + ', '.join(
            registers.take(kind) for _ in range(width)) + '}'
    else:
        text = registers.take(word.removesuffix('w'))
    if pair and rng.random() < 0.5:
        text += '|' + registers.take('pred')
    return text


def statement(name, words, operands):
    return '.'.join([name] + words) + (' ' + ', '.join(operands) if operands else '') + ';'


def rendered(row, words, rng):
    registers = Registers()
    operands = []
    for word in row[2].split():
        if word == '!' or (word == 'H' and 'L2::cache_hint' not in words):
            continue
        word = 'b64' if word == 'H' else word
        if word.endswith('?'):
            if rng.random() < 0.7:
                continue
            word = word[:-1]
        operands.append(operand_text(word, words, registers, rng))
    return row[0], words, operands


def near_bounds(row, words):
    """Statements with numbers at the ends of what the row allows, and beyond."""
    whole = (row[0], row[1], row[2].replace('?', ''))
    name, words, operands = rendered(whole, words, random.Random(f'{row}'))
    name, *fixed = name.split('.')
    rules = [rule for rule in row[2].split() if rule != '!' and (rule != 'H' or 'L2::cache_hint' in words)]
    for i, rule in enumerate(rules):
        ends = {int(n) for n in re.findall(r'\d+', rule.partition('#')[2])}
        for number in sorted({n + d for n in ends for d in (-1, 0, 1)} | ({-16, 0, 32} if ends else set())):
            yield name, fixed + words, operands[:i] + [str(number)] + operands[i + 1:]


# ---- variants that differ in one thing

def split_statement(text):
    """(name, modifiers, operands) of a statement."""
    head, _, rest = text.rstrip(';').strip().partition(' ')
    words = head.split('.')
    operands, depth, start = [], 0, 0
    for i, c in enumerate(rest):
        depth += c in '{[('
        depth -= c in '}])'
        if c == ',' and depth == 0:
            operands.append(rest[start:i].strip())
            start = i + 1
    if rest.strip():
        operands.append(rest[start:].strip())
    return words[0], words[1:], operands


def other_registers(operand):
    """The same operand as registers of every other type."""
    found = re.search(r'%[a-z]+(?=\d)', operand)
    if not found:
        return
    for prefix in REGISTERS.values():
        if prefix != found[0]:
            yield re.sub(re.escape(found[0]) + r'(?=\d)', prefix, operand)


def neighbours(name, words, operands, rng):
    """Statements that differ by one thing."""
    for i in range(len(words)):
        yield name, words[:i] + words[i + 1:], operands
        if is_type(words[i]):
            for kind in rng.sample(TYPES, 5):
                yield name, words[:i] + [kind] + words[i + 1:], operands
    for word in ['made_up'] + rng.sample(MODIFIERS, 6):
        place = rng.randint(0, len(words))
        yield name, words[:place] + [word] + words[place:], operands
    for i, operand in enumerate(operands):
        others = list(other_registers(operand))
        for other in rng.sample(others, min(4, len(others))):
            yield name, words, operands[:i] + [other] + operands[i + 1:]
        for other in rng.sample(('7', '0f3F800000', '1.5', '-3', '0d3FF0000000000000', '%tid.x', 'sh', '_', '[%du9]',
                                 '-%r9', '!%p9', '%r9+4', '{%r8, %r9}', '%clock64', '%f9'), 4):
            yield name, words, operands[:i] + [other] + operands[i + 1:]
        yield name, words, operands[:i] + operands[i + 1:]
    yield name, words, operands + [rng.choice(('%r9', '7', '%p9', '%d9', '%f9'))]
    if len(words) > 1:
        shuffled = list(words)
        rng.shuffle(shuffled)
        yield name, shuffled, operands


def target_statements(root):
    """The statements of emulator/tests/target_rows.hpp, each with the first target that has it."""
    text = (Path(root) / 'emulator/tests/target_rows.hpp').read_text()
    text = re.sub(r'"\s*\n\s*"', '', text)
    return re.findall(r'\{"([^"]*;)",\s*"(sm_\w+)"\}', text)


# Statements that no single change produces.
OTHERS = ('st.v2.u32 [%d1], {%r1+1, %r2+2};', 'st.v2.u32 [%d1], {%r1, 2};', 'mov.b64 %d1, {%r1+1, %r2};', 'ret 0;',
          'ret.uni;', 'mov.u32 %r1, %r2+4;', 'mov.u64 %d1, g+4;', 'shfl.idx.b32 %r1, %r2, 0, 31;',
          'vote.ballot.b32 %r1, %p1;', 'ld.global.u32 %r1, [%r2];', 'call.uni (%r1), f, (%r2);', 'bra.uni.sync K;',
          'add.f32 %ru1, %f2, %f3;', 'vadd.u32.u32.u32.sat %r1.h1, %r2.b0, %r3.b1, %r4;', 'not.b32 %r1.b0, %r2;',
          'ld.v8.b8 {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8}, [%d1];',
          'st.async.weak.mbarrier::complete_tx::bytes.b32 [%d1], %r1, [%d2];')


# Types that registers and variables may have, and some that only instructions have.
DECLARED_TYPES = list(REGISTERS) + ['u8', 's8', 'bf16', 'bf16x2', 'tf32', 'u16x2', 'f32x2', 'e4m3', 'e4m3x2', 'ue8m0x2',
                                    'texref', 'surfref']
DECLARATIONS = ['{ .%s %s.%s z; }' % parts for parts in
                itertools.product(('reg', 'local', 'shared'), ('', '.v2 ', '.v4 ', '.v8 '), DECLARED_TYPES)]


def forms(root, most=16, seed=1):
    """(target, statement) pairs, each once. `most`: how many of each row of the grammar."""
    rows, sets = grammar(root)
    made = {}

    def add(target, name, words, operands):
        text = statement(name, words, operands)
        made.setdefault((target, text))

    for row in rows:
        rng = random.Random(f'{seed} {row}')
        for count, words in enumerate(expansions(row, sets, rng, most)):
            name, words, operands = rendered(row, words, rng)
            head, *fixed = name.split('.')
            words = fixed + words
            add('sm_90a' if rng.random() < 0.6 else rng.choice(('sm_75', 'sm_80', 'sm_100a', 'sm_120a')), head, words,
                operands)
            if count < 1:
                for each in neighbours(head, words, operands, rng):
                    add('sm_90a', *each)
                for each in near_bounds(row, words[len(fixed):]):
                    add('sm_90a', *each)
            elif count < 4:
                near = list(neighbours(head, words, operands, rng))
                for each in rng.sample(near, min(5, len(near))):
                    add('sm_90a', *each)
    for target, text in itertools.product(('sm_75', 'sm_90a'), OTHERS):
        made.setdefault((target, text))
    made.update(dict.fromkeys(('sm_90a', text) for text in DECLARATIONS))
    for text, target in target_statements(root):
        rng = random.Random(f'{seed} {text}')
        if text.count(';') != 1 or text.startswith(('{', '@', '.')):
            made.setdefault((target, text))
            continue
        name, words, operands = split_statement(text)
        for each in sorted({target, 'sm_90a', 'sm_100a'}):
            add(each, name, words, operands)
        for each in neighbours(name, words, operands, rng):
            add(target, *each)
    return list(made)
