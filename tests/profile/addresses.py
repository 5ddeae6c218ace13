"""Counts of the plain patterns, worked out from their addresses and from what NVIDIA documents: sectors of 32 bytes, 32
banks of 4 bytes, accesses of 8 and 16 bytes by half and quarter warps."""
import collections

import cases


def sectors(places, width):
    """Distinct sectors of one request; places are elements."""
    return len({place * width // 32 for place in places})


def wavefronts(places, width):
    """Of one request to shared memory: the most words of one bank, of each group of lanes that goes together."""
    lanes = {8: 16, 16: 8}.get(width, 32)
    total = 0
    for first in range(0, len(places), lanes):
        banks = {}
        for place in places[first:first + lanes]:
            for byte in range(place * width, place * width + width, min(width, 4)):
                banks.setdefault(byte // 4 % 32, set()).add(byte // 4)
        total += max(map(len, banks.values()))
    return total


def _warps(case):
    threads = case.grid[0] * case.block[0]
    return [range(first, first + 32) for first in range(0, threads, 32)]


def _global(case, pattern, width):
    p, q, r = case.numbers
    straight = lambda i: i
    load, store = {
        "strided": (lambda i: (i ^ 1) * p + q, lambda i: i * p + q),
        "broadcast": (lambda i: i >> p, straight),
        "permuted_load": (lambda i: (i * p + q) & r, straight),
        "permuted_store": (straight, lambda i: (i * p + q) & r),
    }[pattern]
    counts = collections.Counter()
    for warp in _warps(case):
        for operation, place in [("load", load), ("store", store)]:
            counts[f"global_{operation}_requests"] += 1
            counts[f"global_{operation}_sectors"] += sectors([place(i) for i in warp], width)
    return counts


def _shared(case, pattern, width):
    p, q, r = case.numbers
    place = {"shared_strided": lambda i: i * p + q, "shared_permuted": lambda i: (i * p + q) & r}[pattern]
    blocks = case.grid[0]
    return {
        "shared_load_requests": blocks,
        "shared_store_requests": blocks,
        "shared_load_wavefronts": blocks * wavefronts([place(i ^ 1) for i in range(32)], width),
        "shared_store_wavefronts": blocks * wavefronts([place(i) for i in range(32)], width),
    }


def expected(case):
    """Counts by the names of counters.COMPARISONS, or None for a case that is no plain pattern."""
    pattern, _, width = case.kernel.rpartition("_")
    if case.family == "global" and pattern in ["strided", "broadcast", "permuted_load", "permuted_store"]:
        return _global(case, pattern, int(width))
    if case.family == "shared" and pattern in ["shared_strided", "shared_permuted"]:
        return _shared(case, pattern, int(width))
    return None


if __name__ == "__main__":
    for each in cases.all_cases():
        print(each.name, expected(each))
