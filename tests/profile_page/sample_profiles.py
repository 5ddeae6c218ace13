"""Profiles by hand: small ones whose figures the tests know, hostile and large ones."""

from profile_parts import ALL, banks, executed, instruction, launch, profile, sample, traffic

TRANSPOSE = """// Transposes an n x n matrix by tiles of 32 x 32 elements.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;

  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  /* The column of a tile without padding:
     all lanes in one bank. */
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// One thread sums one row: neighbours are 4 * n bytes apart.
__global__ void row_sums(const float* in, float* sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    sum = fmaf(in[row * n + i], 1.0f, sum);
  }
  if (row % 2 == 0) {
    sum = -sum;
  } else if (row % 4 == 1) {
    sum = sum * 0.5f;
  }
  sums[row] = sum;
}""".split("\n")


def transpose_launch():
    warps = 32 * 32 * 32
    instructions = [
        instruction(24, 4, "mad.lo.s32 %r9, %r1, 32, %r2;", "integer", executed(warps)),
        instruction(27, 5, "mad.lo.s32 %r10, %r3, 32, %r4;", "integer", executed(warps)),
        instruction(31, 7, "mad.lo.s32 %r11, %r10, %r5, %r9;", "integer", executed(warps)),
        instruction(
            33,
            7,
            "ld.global.nc.f32 %f1, [%rd4];",
            "memory",
            {**executed(warps), **traffic("load", warps, 4 * warps, 4 * warps, 128 * warps, 128 * warps)},
            ("global", "load", 4),
        ),
        instruction(
            36,
            7,
            "st.shared.f32 [%r12], %f1;",
            "memory",
            {**executed(warps), **banks("store", warps, warps)},
            ("shared", "store", 4),
        ),
        instruction(
            38,
            8,
            "bar.sync 0;",
            "communication",
            {**executed(warps), "barrier_arrivals": warps, "barrier_steps_waited": 3 * warps},
        ),
        instruction(41, 10, "mad.lo.s32 %r13, %r3, 32, %r2;", "integer", executed(warps)),
        instruction(44, 11, "mad.lo.s32 %r14, %r1, 32, %r4;", "integer", executed(warps)),
        instruction(
            47,
            14,
            "ld.shared.f32 %f2, [%r15];",
            "memory",
            {**executed(warps), **banks("load", warps, 32 * warps)},
            ("shared", "load", 4),
        ),
        instruction(
            51,
            14,
            "st.global.f32 [%rd7], %f2;",
            "memory",
            {**executed(warps), **traffic("store", warps, 4 * warps, 4 * warps, 128 * warps, 128 * warps)},
            ("global", "store", 4),
        ),
        instruction(52, None, "ret;", "control", executed(warps), source=None),
    ]
    row = [4 * lane for lane in range(32)]
    column = [128 * lane for lane in range(32)]
    samples = [
        sample(3, "global", "load", 4, row, 4, base="0x7f701c000000"),
        sample(4, "shared", "store", 4, row, 1),
        sample(8, "shared", "load", 4, column, 32, worst=True),
    ]
    samples += [
        sample(9, "global", "store", 4, [4096 * warp + 4 * lane for lane in range(32)], 4, warp) for warp in range(3)
    ]
    return launch(
        "transpose(float const*, float*, int)",
        "_Z9transposePKfPfi",
        [32, 32, 1],
        [32, 32, 1],
        instructions,
        static_shared_bytes=4096,
        launches=3,
        registers=12,
        spill_bytes=0,
        samples=samples,
        occupancy={
            "theoretical": 1.0,
            "warps": 64,
            "warps_max": 64,
            "blocks": 2,
            "limited_by": "warps",
            "limits": {"registers": 5, "shared": 24, "warps": 2, "blocks": 32},
        },
        trace={
            "block": [0, 0, 0],
            "warp": 0,
            "threads": ALL,
            "truncated": False,
            "steps": [[index, ALL, ALL] for index in range(11)],
        },
        busiest_thread={"global_reads": 1, "global_writes": 1, "shared_reads": 1, "shared_writes": 1},
        advice=[
            {
                "rule": "shared_bank_conflicts",
                "severity": "high",
                "source": 0,
                "line": 14,
                "instruction": 8,
                "text": "line 14: 32 wavefronts a request where 1 would do; consecutive threads are 128 bytes apart",
            }
        ],
    )


def row_sums_launch():
    warps, columns = 32, 64
    turns = warps * columns
    even, quarter, odd = 0x55555555, 0x22222222, 0xAAAAAAAA
    instructions = [
        instruction(70, 19, "mad.lo.s32 %r4, %r1, %r2, %r3;", "integer", executed(warps)),
        instruction(
            74,
            22,
            "ld.global.nc.f32 %f3, [%rd5];",
            "memory",
            {**executed(turns), **traffic("load", turns, 32 * turns, 4 * turns, 128 * turns, 128 * turns)},
            ("global", "load", 4),
        ),
        instruction(
            75, 22, "fma.rn.f32 %f4, %f3, 0f3F800000, %f4;", "fp32", {**executed(turns), "flops_fp32": 64 * turns}
        ),
        instruction(77, 21, "add.s32 %r6, %r6, 1;", "integer", executed(turns)),
        instruction(78, 21, "@%p1 bra $L__BB1_2;", "control", {**executed(turns), "branches": turns}),
        instruction(
            80,
            24,
            "@%p2 bra $L__BB1_4;",
            "control",
            {**executed(warps), "branches": warps, "branches_divergent": warps},
        ),
        instruction(82, 25, "neg.f32 %f4, %f4;", "fp32", {**executed(warps, 16), "flops_fp32": 16 * warps}),
        instruction(
            85,
            26,
            "@%p3 mul.f32 %f4, %f4, 0f3F000000;",
            "fp32",
            {
                "inst_executed": warps,
                "thread_inst_executed": 16 * warps,
                "thread_inst_executed_true": 8 * warps,
                "flops_fp32": 8 * warps,
            },
        ),
        instruction(
            88,
            29,
            "st.global.f32 [%rd9], %f4;",
            "memory",
            {**executed(warps), **traffic("store", warps, 4 * warps, 4 * warps, 128 * warps, 128 * warps)},
            ("global", "store", 4),
        ),
        instruction(89, 30, "ret;", "control", executed(warps)),
    ]
    steps = [[0, ALL, ALL]] + [[index, ALL, ALL] for _ in range(columns) for index in (1, 2, 3, 4)]
    steps += [[5, ALL, even], [7, odd, quarter], [6, even, even], [8, ALL, ALL], [9, ALL, ALL]]
    samples = [
        sample(1, "global", "load", 4, [256 * lane for lane in range(32)], 32, worst=True, base="0x7f701c000010"),
        sample(8, "global", "store", 4, [4 * lane for lane in range(32)], 4),
    ]
    return launch(
        "row_sums(float const*, float*, int)",
        "_Z8row_sumsPKfPfi",
        [4, 1, 1],
        [256, 1, 1],
        instructions,
        trace={"block": [0, 0, 0], "warp": 0, "threads": ALL, "steps": steps, "truncated": False},
        samples=samples,
        busiest_thread={"global_reads": columns, "global_writes": 1},
        advice=[
            {
                "rule": "uncoalesced_global",
                "severity": "high",
                "source": 0,
                "line": 22,
                "instruction": 1,
                "text": "line 22: 32 sectors a request; consecutive threads are 256 bytes apart",
            },
            {
                "rule": "divergent_branch",
                "severity": "medium",
                "source": 0,
                "line": 24,
                "instruction": 5,
                "text": "line 24: all of 32 branches are divergent",
            },
        ],
    )


def two_kernels():
    launches = [transpose_launch(), row_sums_launch()]
    ptx = ["// Generated by NVIDIA NVVM Compiler", ".version 9.0", ".target sm_90", ""] + [""] * 86
    for each in launches:
        for row in each["instructions"]:
            ptx[row["ptx_line"] - 1] = "\t" + row["text"]
    return profile(launches, [{"name": "/project/transpose.cu", "text": TRANSPOSE}], ptx)


def wide_shared():
    """Shared loads of 8 and 16 bytes, broadcasts, atomics, misaligned and local accesses: for the drawings."""
    instructions = [
        instruction(10 + index, 1 + index, text, "memory", executed(8))
        for index, text in enumerate(
            (
                "ld.shared.v2.f32 {%f1, %f2}, [%r1];",
                "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];",
                "ld.shared.f32 %f1, [%r1];",
                "atom.shared.add.u32 %r1, [%r2], 1;",
                "ld.global.f32 %f1, [%rd1];",
                "ld.local.f32 %f1, [%rd1];",
                "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
            )
        )
    ]
    samples = [
        sample(0, "shared", "load", 8, [8 * lane for lane in range(32)], 2),
        sample(1, "shared", "load", 16, [16 * lane for lane in range(32)], 4),
        sample(2, "shared", "load", 4, [64] * 32, 1),
        sample(3, "shared", "atomic", 4, [4 * (lane % 4) for lane in range(32)], 8),
        sample(
            4, "global", "load", 4, [4 * lane if lane != 5 else None for lane in range(32)], 5, base="0x7f701c043004"
        ),
        sample(5, "local", "load", 4, [8] * 32, 4),
        sample(6, "global", "load", 16, [16 * lane for lane in range(32)], 16),
    ]
    return profile(
        [launch("drawn()", "_Z5drawnv", [1, 1, 1], [256, 1, 1], instructions, samples=samples)],
        [{"name": "drawn.cu", "text": None}],
    )


HOSTILE = [
    "</script><script>hostile('script')</script>",
    "<img src=x onerror=hostile('img')>",
    "<!--<script>",
    "<svg onload=hostile('svg')>",
    "'\"><b id=injected>",
    "]]>\u2028\u2029\u0000\ufffd&lt;i&gt;",
    "javascript:hostile('link')",
    "__proto__",
]


def hostile():
    instructions = [
        instruction(
            1 + index,
            1 + index,
            text,
            text,
            {**executed(8), **traffic("load", 8, 64, 32, 1024, 1024)},
            ("global", "load", 4),
        )
        for index, text in enumerate(HOSTILE)
    ]
    launches = []
    for name in HOSTILE:
        samples = [{**sample(0, "global", "load", 4, [4 * lane for lane in range(32)], 4), "base_name": name}]
        launches.append(
            launch(
                name,
                name,
                [1, 1, 1],
                [32, 1, 1],
                instructions,
                samples=samples,
                trace={
                    "block": [0, 0, 0],
                    "warp": 0,
                    "threads": ALL,
                    "steps": [[0, ALL, ALL], [1, ALL, 1]],
                    "truncated": True,
                },
                advice=[{"rule": name, "severity": name, "source": 0, "line": 1, "instruction": 0, "text": name}],
            )
        )
    made = profile(launches, [{"name": "/a/<img src=x onerror=hostile('name')>.cu", "text": HOSTILE}], HOSTILE)
    made["kiln"] = made["device"]["name"] = made["programs"][0]["target"] = HOSTILE[1]
    made["programs"][0]["no_machine_code"] = HOSTILE[1]
    made["metrics"]["inst_executed"] = dict(zip(("unit", "nsight", "text"), HOSTILE))
    return made


def large():
    lines = 5000
    instructions = [
        instruction(line, line, f"add.s32 %r{line}, %r1, {line};", "integer", executed(1 + line % 97))
        for line in range(1, lines + 1)
    ]
    steps = [[step % lines, ALL if step % 50 else 0xFF, ALL if step % 50 else 0xF0] for step in range(20000)]
    first = launch(
        "large()",
        "_Z5largev",
        [1, 1, 1],
        [32, 1, 1],
        instructions,
        trace={"block": [0, 0, 0], "warp": 0, "threads": ALL, "steps": steps, "truncated": True},
    )
    others = [
        launch(f"kernel<{number}>(int*)", f"_Z6kernelILi{number}EEvPi", [number, 1, 1], [32, 1, 1], instructions[:3])
        for number in range(1, 200)
    ]
    return profile(
        [first, *others],
        [{"name": "large.cu", "text": [f"  int a{line} = b + {line};" for line in range(1, lines + 1)]}],
        [each["text"] for each in instructions],
    )


PROFILES = {
    "two_kernels": two_kernels,
    "wide_shared": wide_shared,
    "hostile": hostile,
    "large": large,
    "empty": lambda: profile([], []),
}
