"""The parts of a profile, as the emulator writes them."""

import math

ALL = 0xFFFFFFFF

METRICS = {
    "inst_executed": (
        "warp instructions",
        "inst_executed",
        "times that a warp, or a diverged part of it, executed the instruction",
    ),
    "thread_inst_executed": ("thread instructions", "thread_inst_executed", "the lanes that were there, summed"),
    "global_load_requests": (
        "requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "loads of global memory by a warp",
    ),
    "global_load_sectors": (
        "sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "sectors of 32 bytes that the requests touch",
    ),
    "shared_load_bank_conflicts": (
        "conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "wavefronts more than ideal",
    ),
}


def traffic(operation, requests, sectors, ideal, used, threads):
    start = f"global_{operation}_"
    return {
        start + "requests": requests,
        start + "sectors": sectors,
        start + "sectors_ideal": ideal,
        start + "bytes": used,
        start + "thread_bytes": threads,
    }


def banks(operation, requests, wavefronts):
    start = f"shared_{operation}_"
    counters = {
        start + "requests": requests,
        start + "wavefronts": wavefronts,
        start + "wavefronts_ideal": requests,
        start + "thread_bytes": requests * 128,
    }
    if wavefronts > requests:
        counters[start + "bank_conflicts"] = wavefronts - requests
    return counters


def instruction(ptx_line, line, text, kind, counters, access=None, source=0):
    made = {
        "ptx_line": ptx_line,
        "function": "f",
        "text": text,
        "kind": kind,
        "source": source,
        "line": line,
        "counters": counters,
    }
    if access:
        made["access"] = dict(zip(("space", "operation", "bytes"), access))
    return made


def executed(times, lanes=32):
    return {"inst_executed": times, "thread_inst_executed": times * lanes, "thread_inst_executed_true": times * lanes}


def summed(instructions):
    """The rows of "lines", and the totals."""
    lines, totals = {}, {}
    for each in instructions:
        row = lines.setdefault((each["source"], each["line"]), {})
        for key, value in each["counters"].items():
            row[key] = row.get(key, 0) + value
            totals[key] = totals.get(key, 0) + value
    key = lambda place: (place[0] is None, place[0] or 0, place[1] or 0)
    return [
        {"source": place[0], "line": place[1], "counters": lines[place]} for place in sorted(lines, key=key)
    ], totals


def sample(index, space, operation, size, offsets, cost, warp=0, worst=False, base="0x7f701c043000"):
    made = {
        "instruction": index,
        "space": space,
        "operation": operation,
        "block": [0, 0, 0],
        "warp": warp,
        "bytes": size,
        "offsets": offsets,
        "lanes": hex(sum(1 << lane for lane in range(32) if offsets[lane] is not None)),
        "base": base if space == "global" else "0x0",
    }
    made["wavefronts" if space == "shared" else "sectors"] = cost
    if space == "global":
        made["base_name"] = "allocation of 4194304 bytes"
    if worst:
        made["worst"] = True
    return made


def launch(kernel, mangled, grid, block, instructions, **more):
    lines, totals = summed(instructions)
    sectors = sum(totals.get(f"global_{operation}_sectors", 0) for operation in ("load", "store", "atomic"))
    threads = math.prod(grid) * math.prod(block)
    totals.update({"global_bytes": 32 * sectors, "warps": threads // 32, "threads": threads})
    for each in instructions:
        key = "thread_inst_executed_op_" + each["kind"]
        totals[key] = totals.get(key, 0) + each["counters"]["thread_inst_executed"]
    return {
        "kernel": kernel,
        "mangled": mangled,
        "program": 0,
        "grid": grid,
        "block": block,
        "static_shared_bytes": 0,
        "dynamic_shared_bytes": 0,
        "local_bytes": 0,
        "cooperative": False,
        "launches": 1,
        "failed": 0,
        "registers": None,
        "spill_bytes": None,
        "occupancy": None,
        "busiest_thread": {},
        "samples": [],
        "trace": None,
        "advice": [],
        "lines": lines,
        "instructions": instructions,
        "totals": totals,
        **more,
    }


def profile(launches, sources, ptx=None):
    return {
        "format": "kiln-emulator-profile",
        "version": 1,
        "kiln": "0.1.0",
        "device": {"name": "Kiln PTX emulator", "compute_capability": "9.0"},
        "metrics": {key: dict(zip(("unit", "nsight", "text"), value)) for key, value in METRICS.items()},
        "sources": sources,
        "programs": [{"target": "sm_90", "ptx_version": "9.0", "ptx": ptx}],
        "launches": launches,
        "launches_omitted": 0,
    }
