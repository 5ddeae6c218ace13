"""kernel_tuner (PyPI) on the kernels of examples/19_tuning: the same files, spaces, problems, repetitions and checks.

python3 kernel_tuner_peer.py [KERNEL...] prints a line of JSON a kernel: how many configurations, the best time, and the
seconds that it took; total_* are kernel_tuner's own, in milliseconds: compiling, verifying and measuring apart. Beside
it: 19_tuning --strategy exhaustive --repetitions 7 --keep-all --warm --json. Both compile by NVRTC; nothing may be in
CuPy's or Kiln's cache.
"""
import json
import pathlib
import sys
import time

import numpy as np
import kernel_tuner

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tuning"


def small_numbers(count):
    i = np.arange(count, dtype=np.int64)
    return ((i * 7 + i // 11) % 16).astype(np.float32)


def stencil_result(cube):
    out = np.zeros_like(cube)
    c = cube.astype(np.float64)
    inner = (c[1:-1, 1:-1, 1:-1] + c[:-2, 1:-1, 1:-1] + c[2:, 1:-1, 1:-1] + c[1:-1, 1:-1, :-2] + c[1:-1, 1:-1, 2:]
             + c[1:-1, :-2, 1:-1] + c[1:-1, 2:, 1:-1])
    out[1:-1, 1:-1, 1:-1] = inner / 7
    return out


def convolution_result(image, weights):
    padded = np.pad(image, 4)
    out = np.zeros_like(image)
    for j in range(9):
        for i in range(9):
            out += weights[j * 9 + i] * padded[j:j + image.shape[0], i:i + image.shape[1]]
    return out


def vector_add():
    n = 50_000_001
    a = small_numbers(n)
    return {"problem": n, "arguments": [np.zeros_like(a), a, a.copy(), np.int32(n)], "answer": [a + a],
            "space": {"BLOCK": [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024], "PER_THREAD": [1, 2, 4, 8],
                      "VECTOR": [1, 2, 4]},
            "blocks": ["BLOCK"], "grids": [["BLOCK*PER_THREAD*VECTOR"]]}


def matmul():
    n = 2048
    a = small_numbers(n * n)
    return {"problem": (n, n), "arguments": [np.zeros_like(a), a, a.copy(), np.int32(n)],
            "answer": [(a.reshape(n, n) @ a.reshape(n, n)).ravel()],
            "space": {"BLOCK_X": [8, 16, 32], "BLOCK_Y": [4, 8, 16, 32], "WORK_X": [1, 2, 4], "WORK_Y": [1, 2, 4, 8],
                      "TILE_K": [8, 16, 32]},
            "restrictions": ["BLOCK_X * BLOCK_Y >= 64",
                             "(BLOCK_Y * WORK_Y + BLOCK_X * WORK_X) * TILE_K * 4 <= 49152"],
            "blocks": ["BLOCK_X", "BLOCK_Y"], "grids": [["BLOCK_X*WORK_X"], ["BLOCK_Y*WORK_Y"]]}


def convolution():
    n = 4096
    image, weights = small_numbers(n * n), small_numbers(81)
    return {"problem": (n, n),
            "arguments": [np.zeros_like(image), image, weights, np.int32(n), np.int32(n)],
            "answer": [convolution_result(image.reshape(n, n), weights).ravel()],
            "space": {"BLOCK_X": [16, 32, 64, 128], "BLOCK_Y": [1, 2, 4, 8, 16], "WORK_X": [1, 2, 4],
                      "WORK_Y": [1, 2, 4], "SHARED": [0, 1]},
            "restrictions": ["BLOCK_X * BLOCK_Y >= 32", "BLOCK_X * BLOCK_Y <= 1024",
                             "SHARED == 0 or (BLOCK_X * WORK_X + 8) * (BLOCK_Y * WORK_Y + 8) * 4 <= 49152"],
            "blocks": ["BLOCK_X", "BLOCK_Y"], "grids": [["BLOCK_X*WORK_X"], ["BLOCK_Y*WORK_Y"]]}


def stencil():
    n = 384
    cube = small_numbers(n ** 3)
    return {"problem": (n, n, n), "arguments": [np.zeros_like(cube), cube, np.int32(n)],
            "answer": [stencil_result(cube.reshape(n, n, n)).ravel()],
            "space": {"BLOCK_X": [16, 32, 64, 128, 256], "BLOCK_Y": [1, 2, 4, 8, 16], "WORK_Z": [1, 2, 4, 8, 16],
                      "REUSE": [0, 1]},
            "restrictions": ["BLOCK_X * BLOCK_Y <= 1024"],
            "blocks": ["BLOCK_X", "BLOCK_Y"], "grids": [["BLOCK_X"], ["BLOCK_Y"], ["WORK_Z"]]}


def reduction():
    n = 50_000_001
    values = np.zeros(n, np.float32)
    values[::8] = 1
    return {"problem": n, "arguments": [np.zeros(1, np.float32), values, np.int32(n)],
            "answer": [np.array([values.sum(dtype=np.float64)], np.float32)],
            "space": {"BLOCK": [32, 64, 128, 256, 512, 1024], "PER_THREAD": [1, 2, 4, 8, 16, 32], "VECTOR": [1, 2, 4],
                      "SHUFFLE": [0, 1]},
            "blocks": ["BLOCK"], "grids": [["BLOCK*PER_THREAD*VECTOR"]]}


def transpose():
    n = 8192
    matrix = small_numbers(n * n)
    return {"problem": (n, n), "arguments": [np.zeros_like(matrix), matrix, np.int32(n), np.int32(n)],
            "answer": [matrix.reshape(n, n).T.ravel()],
            "space": {"TILE": [8, 16, 32, 64], "ROWS": [1, 2, 4, 8, 16, 32], "PADDING": [0, 1], "SWIZZLE": [0, 1],
                      "READ_ONLY": [0, 1]},
            "restrictions": ["ROWS <= TILE", "TILE * ROWS <= 1024"],
            "blocks": ["TILE", "ROWS"], "grids": [["TILE"], ["TILE"]]}


def histogram():
    n = 100_000_001
    values = ((np.arange(n, dtype=np.uint64) * 2654435761 & 0xffffffff) >> 13 & 255).astype(np.uint8)
    return {"problem": n, "arguments": [np.zeros(256, np.uint32), values, np.int32(n)],
            "answer": [np.bincount(values, minlength=256).astype(np.uint32)],
            "space": {"BLOCK": [64, 128, 256, 512, 1024], "PER_THREAD": [1, 4, 16, 64], "COPIES": [1, 2, 4, 8],
                      "VECTOR": [1, 4]},
            "blocks": ["BLOCK"], "grids": [["BLOCK*PER_THREAD*VECTOR"]]}


def tune(name, case):
    grids = {f"grid_div_{axis}": divisors for axis, divisors in zip("xyz", case["grids"])}
    answer = case["answer"] + [None] * (len(case["arguments"]) - 1)
    start = time.perf_counter()
    results, environment = kernel_tuner.tune_kernel(
        name, str(FOLDER / f"{name}.cu"), case["problem"], case["arguments"], case["space"], lang="cupy",
        compiler_options=["--std=c++17"], restrictions=case.get("restrictions"), answer=answer, atol=1e-2, iterations=7,
        block_size_names=case["blocks"], verbose=False, quiet=True, **grids)
    seconds = time.perf_counter() - start
    good = [each for each in results if isinstance(each.get("time"), (int, float))]
    best = min(good, key=lambda each: each["time"])
    totals = {key: value for key, value in environment.items() if key.startswith("total_")}
    print(json.dumps({"kernel": name, "tried": len(results), "ok": len(good), "best_us": best["time"] * 1000,
                      "configuration": " ".join(f"{key}={best[key]}" for key in case["space"]),
                      "seconds": seconds, **totals}), flush=True)


def main():
    cases = {each.__name__: each for each in (vector_add, matmul, convolution, stencil, reduction, transpose, histogram)}
    for name in sys.argv[1:] or cases:
        tune(name, cases[name]())


if __name__ == "__main__":
    main()
