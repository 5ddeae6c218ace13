"""What is counted: Nsight Compute's metrics, and how they compare with the counters of the emulator's profile."""

# Our name of a metric: the names that Nsight Compute may have for it. The first that it knows is recorded.
METRICS = {
    "warps": ["smsp__warps_launched.sum", "sm__warps_launched.sum"],
    "threads": ["smsp__threads_launched.sum", "sm__threads_launched.sum"],
    "instructions": ["smsp__inst_executed.sum"],
    "thread_instructions": ["smsp__thread_inst_executed.sum"],
    "shared_wavefronts_by_line": ["memory_l1_wavefronts_shared"],
    "shared_wavefronts_by_line_ideal": ["memory_l1_wavefronts_shared_ideal"],
    "global_sectors_by_line": ["memory_l2_theoretical_sectors_global"],
    "global_sectors_by_line_ideal": ["memory_l2_theoretical_sectors_global_ideal"],
    "branches": ["smsp__sass_branch_targets.sum"],
    "branches_divergent": ["smsp__sass_branch_targets_threads_divergent.sum"],
    "branches_uniform": ["smsp__sass_branch_targets_threads_uniform.sum"],
    "constant_requests": ["idc__requests.sum"],
}
for _name, _op in [("load", "ld"), ("store", "st"), ("atom", "atom"), ("red", "red")]:
    METRICS[f"global_{_name}_requests"] = [f"l1tex__t_requests_pipe_lsu_mem_global_op_{_op}.sum"]
    METRICS[f"global_{_name}_sectors"] = [f"l1tex__t_sectors_pipe_lsu_mem_global_op_{_op}.sum"]
for _name, _op in [("load", "ld"), ("store", "st")]:
    METRICS[f"local_{_name}_requests"] = [f"l1tex__t_requests_pipe_lsu_mem_local_op_{_op}.sum"]
    METRICS[f"local_{_name}_sectors"] = [f"l1tex__t_sectors_pipe_lsu_mem_local_op_{_op}.sum"]
for _name, _op in [("load", "ld"), ("store", "st"), ("atomic", "atom")]:
    METRICS[f"shared_{_name}_requests"] = [f"smsp__inst_executed_op_shared_{_op}.sum",
                                           f"smsp__sass_inst_executed_op_shared_{_op}.sum"]
    METRICS[f"shared_{_name}_wavefronts"] = [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{_op}.sum"]
    METRICS[f"shared_{_name}_bank_conflicts"] = [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{_op}.sum"]
for _op in ["fadd", "fmul", "ffma", "dadd", "dmul", "dfma"]:
    METRICS[_op] = [f"smsp__sass_thread_inst_executed_op_{_op}_pred_on.sum"]
for _kind in ["fp32", "fp64", "integer", "memory", "control"]:
    METRICS[f"thread_instructions_{_kind}"] = [f"smsp__sass_thread_inst_executed_op_{_kind}_pred_on.sum"]

# What a kernel's registers and a block's shared memory allow: the blocks and warps that a multiprocessor holds.
_OCCUPANCY = ["registers", *(f"occupancy_limit_{what}" for what in ["blocks", "registers", "shared", "warps"]),
              "occupancy_warps"]
for _name in _OCCUPANCY:
    METRICS[_name] = [f"launch__{_name}"]
METRICS["registers"] = ["launch__registers_per_thread"]
METRICS["occupancy_limit_shared"] = ["launch__occupancy_limit_shared_mem"]
METRICS["occupancy_warps"] = ["sm__maximum_warps_avg_per_active_cycle"]

_LAUNCH = ["warps", "threads", "instructions", "thread_instructions"]
_GLOBAL = [f"global_{op}_{what}" for op in ["load", "store"] for what in ["requests", "sectors"]]
_GLOBAL_ATOMICS = [f"global_{op}_{what}" for op in ["atom", "red"] for what in ["requests", "sectors"]]
_LOCAL = [f"local_{op}_{what}" for op in ["load", "store"] for what in ["requests", "sectors"]]
_SHARED = [f"shared_{op}_{what}" for op in ["load", "store"] for what in ["requests", "wavefronts", "bank_conflicts"]]
_SHARED_ATOMICS = [f"shared_atomic_{what}" for what in ["requests", "wavefronts", "bank_conflicts"]]
_FLOPS = ["fadd", "fmul", "ffma", "dadd", "dmul", "dfma"]
_BRANCHES = ["branches", "branches_divergent", "branches_uniform"]
_KINDS = [name for name in METRICS if name.startswith("thread_instructions_")]
_BY_LINE = [name for name in METRICS if "_by_line" in name]

# What Nsight Compute records for the cases of each family: few metrics are few passes.
FAMILIES = {
    "program": [name for name in METRICS if name not in _OCCUPANCY],
    "shared": _LAUNCH + _SHARED,
    "global": _LAUNCH + _GLOBAL,
    "occupancy": _OCCUPANCY,
}


class Comparison:
    """A count that both sides have. `hardware`: metrics of ours, summed with weights; `emulator`: keys of the profile's
    totals, summed."""

    def __init__(self, hardware, emulator):
        self.hardware = dict.fromkeys(hardware, 1) if isinstance(hardware, list) else hardware
        self.emulator = emulator


COMPARISONS = {
    "warps": Comparison(["warps"], ["warps"]),
    "threads": Comparison(["threads"], ["threads"]),
    "inst_executed": Comparison(["instructions"], ["inst_executed"]),
    "thread_inst_executed": Comparison(["thread_instructions"], ["thread_inst_executed"]),
    "branches_divergent": Comparison(["branches_divergent"], ["branches_divergent"]),
    "flops_fp32": Comparison({"fadd": 1, "fmul": 1, "ffma": 2}, ["flops_fp32"]),
    "flops_fp64": Comparison({"dadd": 1, "dmul": 1, "dfma": 2}, ["flops_fp64"]),
    "shared_wavefronts": Comparison(["shared_wavefronts_by_line"],
                                    [f"shared_{op}_wavefronts" for op in ["load", "store", "atomic"]]),
}
for _name in _GLOBAL + _LOCAL + _SHARED + _SHARED_ATOMICS + _OCCUPANCY:
    COMPARISONS[_name] = Comparison([_name], [_name])
for _what in ["requests", "sectors"]:
    COMPARISONS[f"global_atomic_{_what}"] = Comparison([f"global_atom_{_what}", f"global_red_{_what}"],
                                                       [f"global_atomic_{_what}"])


def of_hardware(name, counts):
    """The count of a comparison by a golden entry, or None where a metric was not recorded."""
    hardware = COMPARISONS[name].hardware
    if any(metric not in counts for metric in hardware):
        return None
    return sum(weight * counts[metric] for metric, weight in hardware.items())


def of_emulator(name, totals):
    """The same by the totals of a profile's launch, which leave out zeros."""
    return sum(totals.get(key, 0) for key in COMPARISONS[name].emulator)


def comparisons_of(family):
    """The names of the comparisons for which the family's metrics are recorded."""
    return [name for name, comparison in COMPARISONS.items() if set(comparison.hardware) <= set(FAMILIES[family])]
