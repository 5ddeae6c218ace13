#!/usr/bin/env python3
"""The kernels of emulator_kernels.hpp on Numba's CUDA simulator, which runs each thread of a block as one of Python.

Sizes are tiny, so the figure is nanoseconds for a unit of work: a multiplication with its addition, an interaction of
two bodies, a new point, a counted value. CUB's sort has no counterpart in Numba. Needs numba and numpy. Usage:
emulator_numba_peer.py [launches]
"""
import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np  # noqa: E402
from numba import cuda, float32, uint32  # noqa: E402

LAUNCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 3
TILE = 8


@cuda.jit
def matmul(a, b, c, n):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.blockIdx.x * TILE + x, cuda.blockIdx.y * TILE + y
    total = float32(0)
    for t in range(0, n, TILE):
        tile_a[y, x] = a[row, t + x]
        tile_b[y, x] = b[t + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()
    c[row, column] = total


@cuda.jit
def nbody(bodies, accelerations, n):
    near = cuda.shared.array((32, 4), float32)
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    ax = ay = az = float32(0)
    for begin in range(0, n, cuda.blockDim.x):
        for axis in range(4):
            near[cuda.threadIdx.x, axis] = bodies[begin + cuda.threadIdx.x, axis]
        cuda.syncthreads()
        for k in range(cuda.blockDim.x):
            dx, dy, dz = near[k, 0] - bodies[i, 0], near[k, 1] - bodies[i, 1], near[k, 2] - bodies[i, 2]
            inverse = (dx * dx + dy * dy + dz * dz + float32(1e-4)) ** float32(-0.5)
            scale = near[k, 3] * inverse * inverse * inverse
            ax += dx * scale
            ay += dy * scale
            az += dz * scale
        cuda.syncthreads()
    accelerations[i, 0], accelerations[i, 1], accelerations[i, 2] = ax, ay, az


@cuda.jit
def stencil_2d(before, after, width, height):
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if x >= width or y >= height:
        return
    if x == 0 or y == 0 or x == width - 1 or y == height - 1:
        after[y, x] = before[y, x]
        return
    after[y, x] = float32(0.5) * before[y, x] + float32(0.125) * (
        before[y, x - 1] + before[y, x + 1] + before[y - 1, x] + before[y + 1, x]
    )


@cuda.jit
def histogram(values, count, bins):
    own = cuda.shared.array(256, uint32)
    for i in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        own[i] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), count, cuda.gridsize(1)):
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        cuda.atomic.add(bins, i, own[i])


def row(name, units, launch):
    """Prints the fewest nanoseconds of a unit; the first launch is a warm-up."""
    fewest = float("inf")
    for _ in range(LAUNCHES + 1):
        begin = time.perf_counter()
        launch()
        fewest = min(fewest, time.perf_counter() - begin)
    print(f"{name:9}  {units:6} units  {fewest:8.4f} s  {fewest / units * 1e9:10.0f} ns a unit", flush=True)


def main():
    random = np.random.default_rng(1)

    n = 16
    a, b = random.random((n, n), np.float32), random.random((n, n), np.float32)
    c = np.zeros((n, n), np.float32)
    row("matmul", n**3, lambda: matmul[(n // TILE, n // TILE), (TILE, TILE)](a, b, c, n))
    assert np.allclose(c, a @ b, rtol=1e-4)

    count = 64
    bodies, accelerations = random.random((count, 4), np.float32), np.zeros((count, 3), np.float32)
    row("nbody", count**2, lambda: nbody[count // 32, 32](bodies, accelerations, count))
    d = bodies[None, :, :3] - bodies[:, None, :3]
    weight = bodies[None, :, 3] / ((d * d).sum(2) + 1e-4) ** 1.5
    assert np.allclose(accelerations, (d * weight[:, :, None]).sum(1), rtol=1e-2, atol=1e-2)

    width, height = 64, 16
    before, after = random.random((height, width), np.float32), np.zeros((height, width), np.float32)
    grid = (width // 32, height // 8)
    row("stencil", width * height, lambda: stencil_2d[grid, (32, 8)](before, after, width, height))
    inner = 0.5 * before[1:-1, 1:-1] + 0.125 * (
        before[1:-1, :-2] + before[1:-1, 2:] + before[:-2, 1:-1] + before[2:, 1:-1]
    )
    assert np.allclose(after[1:-1, 1:-1], inner, rtol=1e-4)

    values = random.integers(0, 256, 4096).astype(np.uint8)
    bins = np.zeros(256, np.uint32)

    def count_values():
        bins[:] = 0
        histogram[2, 64](values, values.size, bins)

    row("histogram", values.size, count_values)
    assert (bins == np.bincount(values, minlength=256)).all()


if __name__ == "__main__":
    main()
