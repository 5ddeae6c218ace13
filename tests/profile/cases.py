"""The cases: each is one launch, with the counts that must be equal on the GPU and on the emulator, to the digit, and
those that may differ, each with its reason. README.md states the rule. `python3 cases.py` lists them."""
import dataclasses

import counters

WIDTHS = [1, 2, 4, 8, 16]

SASS = "the GPU executes SASS, the emulator PTX: other instructions for the same work"
MAY_DIFFER = {"inst_executed": SASS, "thread_inst_executed": SASS}
PREDICATED = "ptxas predicates a short side or leaves by a predicated EXIT, where PTX has a branch"
OFF = "an instruction whose lanes are all predicated off counts as executed on the GPU; PTX branches around it"
ALL_LANES = "ptxas computes a predicated side for all lanes and keeps it for some"
SUNK = "ptxas moves an operation into the branch that alone uses its result"
JOINED = "ptxas joins neighbouring accesses into wider ones"
LOOP = "ptxas makes a loop of compare-and-swap of it"
ATOMIC_ROUNDS = "how often the hardware repeats an atomic of lanes that meet is not documented"
FEWEST_REGISTERS = "Nsight Compute says 16 where a kernel has fewer registers"
L1_SPLIT = "the driver gives shared memory as much of the L1 cache as the blocks need that fit by the other limits"
SEVERAL_WARPS = "the counter of the pipe also counts waiting for other accesses of the multiprocessor"


@dataclasses.dataclass
class Case:
    name: str
    family: str  # of counters.FAMILIES
    file: str
    kernel: str
    numbers: tuple  # p, q, r
    out_bytes: int
    in_bytes: int
    grid: tuple = (2, 1)
    block: tuple = (64, 1)
    in_kind: str = "words"
    index: tuple = ("none", 0)
    shared: int = None  # bytes of dynamic shared memory, where the case needs its own
    differs: dict = dataclasses.field(default_factory=dict)  # comparison: reason

    @property
    def equal(self):
        """The comparisons that must be equal: all of the family that `differs` has not."""
        return [name for name in counters.comparisons_of(self.family) if name not in self.may_differ]

    @property
    def may_differ(self):
        return {**MAY_DIFFER, **self.differs}

    def dynamic_shared(self, tag):
        """The tag tells launches of one kernel apart in a profile."""
        return tag * TAG_BYTES if self.shared is None else self.shared

    def line(self, tag):
        """What profile_cases reads."""
        return " ".join(map(str, [self.name, self.file, self.kernel, *self.grid, *self.block,
                                  self.dynamic_shared(tag), self.out_bytes, self.in_kind, self.in_bytes, *self.index, *self.numbers]))


TAG_BYTES = 16
THREADS = 128  # of two blocks of two warps
SOME_LANES = [(0, 16, 1), (0, 1, 1), (5, 29, 1), (0, 32, 2), (1, 32, 4), (16, 32, 1)]  # from, to, every


def _global(kernel, width, numbers, elements_out=THREADS, elements_in=THREADS, **more):
    p, q, r = numbers
    name = f"{kernel}_{width}/{p},{q},{r}" + (f"/{more['index'][0]}" if "index" in more else "")
    return Case(name, "global", "global", f"{kernel}_{width}", numbers, elements_out * width, elements_in * width,
                **more)


def global_cases():
    for width in WIDTHS:
        for stride in range(1, 65):
            size = (THREADS - 1) * stride + 1
            yield _global("strided", width, (stride, 0, 0), size, size)
        for stride, offset in [(1, n) for n in range(1, 9)] + [(2, 1), (3, 2), (1, 31)]:  # misaligned
            size = (THREADS - 1) * stride + 1 + offset
            yield _global("strided", width, (stride, offset, 0), size, size)
        for shift in range(1, 6):
            yield _global("broadcast", width, (shift, 0, 0))
        for p, q in [(5, 0), (17, 3), (63, 1), (THREADS - 1, 0)]:  # the last one is backwards
            yield _global("permuted_load", width, (p, q, THREADS - 1))
            yield _global("permuted_store", width, (p, q, THREADS - 1))
        for elements in [32, 128, 1024]:
            yield _global("hashed", width, (0, 0, elements - 1), elements_in=elements)
        for elements in [128, 1000]:
            yield _global("gather", width, (0, 0, 0), elements_in=elements, index=(f"below:{elements}", THREADS))
        for numbers in SOME_LANES if width >= 4 else []:
            yield _global("some_lanes", width, numbers)


def _shared(kernel, numbers, **more):
    """A block is one warp."""
    return Case(f"{kernel}/{','.join(map(str, numbers))}", "shared", "shared", kernel, numbers, 2 * 32 * 4, 4,
                block=(32, 1), **more)


def shared_cases():
    for width in WIDTHS:
        strides = range(1, 65) if width >= 4 else [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64]
        for stride in strides:
            yield _shared(f"shared_strided_{width}", (stride, 0, 0))
        for stride, offset in [(1, 1), (1, 2), (1, 3), (2, 1), (3, 5)]:
            yield _shared(f"shared_strided_{width}", (stride, offset, 0))
        for shift in range(1, 6):
            yield _shared(f"shared_broadcast_{width}", (shift, 0, 0))
        for numbers in [(5, 0, 31), (31, 0, 31), (17, 3, 31), (33, 1, 1023), (65, 2, 1023)]:
            yield _shared(f"shared_permuted_{width}", numbers)
        for elements in [32, 128, 1024]:
            yield _shared(f"shared_hashed_{width}", (32, elements, elements - 1))
        for numbers in SOME_LANES if width >= 4 else []:
            yield _shared(f"shared_some_lanes_{width}", numbers)
    for kernel in ["columns_plain", "columns_padded", "columns_padded_by_4", "columns_swizzled"]:
        yield _shared(kernel, (32, 0, 0))
    for kernel in ["quads_plain", "quads_swizzled"]:
        yield _shared(kernel, (4, 8, 0))


def _program(file, kernel, numbers, out_bytes, in_bytes, differs=None, label="", **more):
    return Case(f"{kernel}/{label}" if label else kernel, "program", file, kernel, numbers, out_bytes, in_bytes,
                differs=differs or {}, **more)


def layout_cases():
    n = THREADS
    floats = {"in_kind": "floats"}
    yield _program("layouts", "points_read", (0, 0, 0), 4 * n, 12 * n, **floats)
    yield _program("layouts", "points_write", (0, 0, 0), 12 * n, 4 * n, **floats)
    yield _program("layouts", "one_member", (0, 0, 0), 4 * n, 28 * n, **floats)
    yield _program("layouts", "particles_move", (0, 0, 0), 28 * n, 28 * n, **floats)
    yield _program("layouts", "arrays_read", (n, 0, 0), 4 * n, 12 * n, **floats)
    yield _program("layouts", "arrays_move", (n, 0, 0), 12 * n, 24 * n, **floats)
    yield _program("layouts", "quads_read", (0, 0, 0), 4 * n, 16 * n, **floats)
    yield _program("layouts", "mixed_read", (0, 0, 0), 8 * n, 24 * n, in_kind="doubles")


_ROUNDS = {f"shared_{op}_{what}": ATOMIC_ROUNDS for op in ["atomic"] for what in ["wavefronts", "bank_conflicts"]}
_ROUNDS["shared_wavefronts"] = ATOMIC_ROUNDS
_LOOPS = {name: LOOP for name in counters.comparisons_of("program")
          if any(part in name for part in ["shared", "branches", "flops"])}


def atomic_cases():
    n = THREADS
    for kernel in ["global_add", "global_add_kept", "global_add_64", "global_add_64_kept", "global_add_float",
                   "global_exchange", "global_compare"]:
        for shift, stride in [(shift, 1) for shift in range(6)] + [(0, 8), (2, 8)]:
            yield _program("atomics", kernel, (shift, stride, 0), 8 * n * stride, 4 * n, label=f"{shift},{stride}")
    for kernel in ["shared_add", "shared_add_kept", "shared_max", "shared_exchange", "shared_compare",
                   "shared_add_64", "shared_add_float"]:
        differs = _LOOPS if kernel in ["shared_add_64", "shared_add_float"] else _ROUNDS
        for shift, stride in [(shift, 1) for shift in range(6)] + [(0, 32), (2, 32)]:
            yield _program("atomics", kernel, (shift, stride, 0), 4 * n, 4 * n, differs, f"{shift},{stride}",
                           block=(32, 1))


_BRANCHES = {"branches_divergent": PREDICATED}


def control_cases():
    n = THREADS
    for bit in [1, 16, 32]:  # by lanes, by half warps, by warps
        yield _program("control", "two_ways", (4, bit, 0), 4 * n, 4 * n, label=f"{bit}")
    for bits in [(1, 2), (16, 1), (8, 32)]:
        yield _program("control", "four_leaves", (3, *bits), 4 * n, 4 * n, label=f"{bits[0]},{bits[1]}")
    for bit in [1, 16]:
        yield _program("control", "one_side", (4, bit, 0), 4 * n, 4 * n, _BRANCHES, f"{bit}")
    for limit in [2, 12]:
        yield _program("control", "ragged", (n, 0, 0), 4 * n, 4 * n * limit, label=f"{limit}",
                       index=(f"below:{limit}", n))
    for limit in [4, 20]:
        yield _program("control", "rows", (0, 0, 0), 4 * n, 4 * n * limit, label=f"{limit}",
                       index=(f"rows:{limit}", n + 1))
    for threads in [100, 64, 1]:
        yield _program("control", "guarded", (threads, 3, 0), 4 * n, 4 * n, _BRANCHES, f"{threads}")
    for limit in [10, 1000]:
        yield _program("control", "data_dependent", (limit, 0, 0), 4 * n, 4 * n, label=f"{limit}")
    yield _program("control", "switched", (3, 0, 0), 4 * n, 4 * n, _BRANCHES, index=("below:6", n))
    yield _program("control", "short_side", (0, 0, 0), 4 * n, 4 * n, _BRANCHES)


def other_cases():
    n = THREADS
    for rounds in [1, 7, 32]:
        yield _program("local", "local_same", (rounds, 0, 0), 4 * n, 4, label=f"{rounds}")
        yield _program("local", "local_different", (rounds, 0, 0), 4 * n, 4, label=f"{rounds}")
    joined = {f"local_{op}_{what}": JOINED for op in ["load", "store"] for what in ["requests", "sectors"]}
    yield _program("local", "local_plain", (3, 6, 0), 4 * n, 4 * n, joined, index=("below:8", n))
    for stride in [0, 1, 2, 8]:
        yield _program("constant", "constant_strided", (stride, 3, 0), 4 * n, 4, label=f"{stride}")
    yield _program("arithmetic", "single_precision", (10, 0, 0), 4 * n, 4 * n, in_kind="floats")
    yield _program("arithmetic", "double_precision", (10, 0, 0), 8 * n, 8 * n, in_kind="doubles")
    yield _program("arithmetic", "polynomial", (10, 0, 0), 4 * n, 4 * n, in_kind="floats")


# Blocks of several warps: what the counters of the shared memory's pipe have beside conflicts.
_PIPE = {f"shared_{op}_{what}": SEVERAL_WARPS for op in ["load", "store"] for what in ["wavefronts", "bank_conflicts"]}
_OFF = {f"shared_{op}_requests": OFF for op in ["load", "store", "atomic"]}
_TREE = {**_PIPE, **_OFF, **_BRANCHES, "flops_fp32": ALL_LANES}


def program_cases():
    side, floats = 64, {"in_kind": "floats"}
    matrix = 4 * side * side
    tiles = {"grid": (4, 4), "block": (16, 16), **floats}
    yield _program("programs", "saxpy", (200, 0, 0), 800, 800, _BRANCHES, grid=(2, 1), block=(128, 1), **floats)
    yield _program("programs", "multiply_naive", (side, 0, 0), matrix, 2 * matrix, **tiles)
    yield _program("programs", "multiply_tiled", (side, 16, 0), matrix, 2 * matrix, _PIPE, **tiles)
    joined = {name: JOINED for name in counters.comparisons_of("program") if "shared" in name}
    yield _program("programs", "multiply_unrolled", (side, 0, 0), matrix, 2 * matrix, joined, **tiles)
    yield _program("programs", "transpose_naive", (side, 0, 0), matrix, matrix, **tiles)
    rows = {"grid": (2, 2), "block": (32, 8), **floats}
    yield _program("programs", "transpose_tiled", (side, 8, 0), matrix, matrix, _PIPE, **rows)
    yield _program("programs", "transpose_padded", (side, 8, 0), matrix, matrix, _PIPE, **rows)
    yield _program("programs", "histogram_global", (500, 0, 0), 256, 4, _BRANCHES, block=(256, 1),
                   index=("below:64", 512))
    yield _program("programs", "histogram_shared", (500, 0, 0), 256, 4, {**_ROUNDS, **_PIPE, **_OFF, **_BRANCHES},
                   block=(256, 1), index=("below:64", 512))
    line = {"block": (256, 1), **floats}
    for kernel in ["sum_interleaved", "sum_strided_index", "sum_sequential"]:
        yield _program("programs", kernel, (0, 256, 0), 8, 2048, _TREE, **line)
    yield _program("programs", "sum_by_shuffles", (0, 0, 0), 4, 2048, {**_BRANCHES, "flops_fp32": SUNK}, **line)
    yield _program("programs", "stencil", (512, 0, 0), 2048, 2056, {**_PIPE, **_OFF, **_BRANCHES}, **line)
    yield _program("programs", "scan", (0, 256, 0), 2048, 2048, _TREE, block=(256, 1))
    yield _program("programs", "bitonic_sort", (0, 256, 0), 2048, 2048, _TREE, block=(256, 1))
    yield _program("programs", "sparse_rows", (100, 0, 0), 400, 8192, _BRANCHES, index=("rows:20", 101), **floats)


def occupancy_cases():
    few = {"registers": FEWEST_REGISTERS}
    split = {"occupancy_limit_shared": L1_SPLIT}
    for kernel, threads, shared, differs in [
            ("holds_4", 32, 0, {**few, **split}), ("holds_4", 96, 0, {**few, **split}),
            ("holds_4", 1024, 0, {**few, **split}), ("holds_4", 256, 4096, {**few, **split}),
            ("holds_4", 128, 16384, few), ("holds_4", 64, 40000, few),
            ("holds_40", 96, 0, split), ("holds_40", 256, 0, split), ("holds_40", 1024, 0, split),
            ("holds_100", 96, 0, split), ("holds_100", 160, 0, split), ("holds_100", 512, 0, split),
            ("holds_200", 64, 0, split), ("holds_200", 256, 0, split),
            ("holds_shared", 128, 1000, few), ("holds_shared", 256, 20000, few)]:
        yield Case(f"{kernel}/{threads},{shared}", "occupancy", "occupancy", kernel, (3, 0, 0), 2 * 4 * threads, 800,
                   block=(threads, 1), shared=shared, in_kind="floats", differs=differs)


def all_cases():
    """In the order in which they are recorded: what is few and rich first."""
    cases = [*layout_cases(), *control_cases(), *program_cases(), *other_cases(), *atomic_cases(), *shared_cases(),
             *global_cases(), *occupancy_cases()]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    for case in cases:
        unknown = set(case.differs) - set(counters.COMPARISONS)
        assert not unknown, f"{case.name}: nothing is compared by the name of {unknown}"
    return cases


def main():
    cases = all_cases()
    for case in cases:
        print(f"{case.name}: equal {' '.join(case.equal)}; may differ {' '.join(case.may_differ)}")
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
