"""CuPy's and PyCUDA's kernels from expressions, for the rows of generators.cpp and by its method: device time by
events, medians, the L2 cache flushed before each; and what a call costs the host. A library that is not there is left
out. Usage: generators_peers.py [repeats [elements]], where the last column is of 2^28 elements by default."""
import statistics
import sys
import time

repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 20
large = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 28
small = [n for n in (1 << 10, 1 << 20) if n < large]
flush_bytes = 256 << 20


def row(side, name, bytes_of_element, work):
    """Microseconds, and for the largest size GB/s of the bytes that must move, as a row of docs/generators.md."""
    cells = []
    for n in [*small, large]:
        call = work(n)
        times = []
        for k in range(repeats + 3):
            begin, end = side.event(), side.event()
            side.flush()
            side.record(begin)
            call()
            side.record(end)
            times.append(side.microseconds(begin, end))
        microseconds = statistics.median(times[3:])
        cells.append(f"{microseconds:.1f}" if n < large else f"{bytes_of_element * n / microseconds * 1e-3:.0f}")
    print(f"| {name}, {side.name} | {' | '.join(cells)} |", flush=True)


def call_row(side, name, work):
    call = work(1 << 10)
    rounds, calls = 21, 500
    times = []
    for _ in range(rounds):
        side.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls)
    side.synchronize()
    print(f"| {name}, {side.name} | {statistics.median(times) * 1e6:.2f} us |", flush=True)


class Cupy:
    name = "CuPy"

    def __init__(self):
        import cupy

        self.cupy = cupy
        self.title = f"CuPy {cupy.__version__}"
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        self.x, self.y = (cupy.ones(large, cupy.float32) for _ in range(2))
        self.space = cupy.empty(flush_bytes, cupy.uint8)

    def event(self):
        return self.cupy.cuda.Event()

    def flush(self):
        self.space.data.memset_async(0, flush_bytes, self.stream)

    def record(self, event):
        event.record(self.stream)

    def synchronize(self):
        self.stream.synchronize()

    def microseconds(self, begin, end):
        end.synchronize()
        return self.cupy.cuda.get_elapsed_time(begin, end) * 1e3

    def works(self):
        cupy, x, y = self.cupy, self.x, self.y
        axpy = cupy.ElementwiseKernel("float32 a, float32 x, float32 old", "float32 y", "y = a * x + old", "axpy")
        dot = cupy.ReductionKernel("float32 x, float32 y", "float32 r", "x * y", "a + b", "r = a", "0", "dot")

        def of_axpy(n):
            u, v = x[:n], y[:n]
            return lambda: axpy(2.0, u, v, v)

        def of_sum(n):
            u = x[:n]
            return lambda: u.sum()

        def of_dot(n):
            u, v = x[:n], y[:n]
            return lambda: dot(u, v)

        def of_range(n):
            u = x[:n]
            return lambda: (u.min(), u.max())

        def of_scan(n):
            u, v = x[:n], y[:n]
            return lambda: cupy.cumsum(u, out=v)

        return [("axpy", 12, of_axpy), ("sum", 4, of_sum), ("dot", 8, of_dot), ("min and max, two calls", 4, of_range),
                ("inclusive scan of float", 8, of_scan)]


# The forms that PyCUDA's kernels need of a struct: the last warp of its reduction goes through volatile memory.
two_source = """
struct Two {
  float least, most;
  __device__ Two() {}
  __device__ Two(float first, float second) : least(first), most(second) {}
  __device__ Two(const Two& other) : least(other.least), most(other.most) {}
  __device__ Two(const volatile Two& other) : least(other.least), most(other.most) {}
  __device__ void operator=(const Two& other) volatile { least = other.least, most = other.most; }
};
__device__ Two both(Two one, Two other) {
  return Two(fminf(one.least, other.least), fmaxf(one.most, other.most));
}
"""
three_source = """
struct Three { int u, v, w; };
__device__ Three add(Three one, Three other) { return Three{one.u + other.u, one.v + other.v, one.w + other.w}; }
"""


class Pycuda:
    name = "PyCUDA"

    def __init__(self):
        import numpy
        import pycuda
        import pycuda.autoprimaryctx  # noqa: F401, makes the context
        import pycuda.driver as driver
        from pycuda import gpuarray
        from pycuda.tools import DeviceMemoryPool

        self.numpy, self.driver = numpy, driver
        self.title = f"PyCUDA {pycuda.VERSION_TEXT}, a memory pool for its results"
        self.stream = driver.Stream()
        self.pool = DeviceMemoryPool()
        self.x, self.y = (gpuarray.GPUArray((large,), numpy.float32, allocator=self.pool.allocate) for _ in range(2))
        self.x.fill(1.0)
        self.y.fill(1.0)
        self.space = driver.mem_alloc(flush_bytes)
        driver.Context.synchronize()

    def event(self):
        return self.driver.Event()

    def flush(self):
        self.driver.memset_d8_async(self.space, 0, flush_bytes, self.stream)

    def record(self, event):
        event.record(self.stream)

    def synchronize(self):
        self.stream.synchronize()

    def microseconds(self, begin, end):
        end.synchronize()
        return end.time_since(begin) * 1e3

    def works(self):
        from pycuda.elementwise import ElementwiseKernel
        from pycuda.reduction import ReductionKernel
        from pycuda.scan import InclusiveScanKernel
        from pycuda.tools import get_or_register_dtype

        numpy, x, y, stream = self.numpy, self.x, self.y, self.stream
        two = numpy.dtype([("least", numpy.float32), ("most", numpy.float32)])
        three = numpy.dtype([(name, numpy.int32) for name in "uvw"])
        get_or_register_dtype("Two", two)
        get_or_register_dtype("Three", three)
        axpy = ElementwiseKernel("float a, float* x, float* y", "y[i] = a * x[i] + y[i]", "axpy")
        total = ReductionKernel(numpy.float32, "0", "a + b", arguments="const float* in")
        dot = ReductionKernel(numpy.float32, "0", "a + b", "x[i] * y[i]", "const float* x, const float* y")
        least_and_most = ReductionKernel(two, "Two(INFINITY, -INFINITY)", "both(a, b)", "Two(x[i], x[i])",
                                         "const float* x", preamble=two_source)
        scan = InclusiveScanKernel(numpy.float32, "a + b")
        scan_of_three = InclusiveScanKernel(three, "add(a, b)", preamble=three_source)

        def of_axpy(n):
            a, u, v = numpy.float32(2), x[:n], y[:n]
            return lambda: axpy(a, u, v, stream=stream)

        def of_sum(n):
            u = x[:n]
            return lambda: total(u, stream=stream)

        def of_dot(n):
            u, v = x[:n], y[:n]
            return lambda: dot(u, v, stream=stream)

        def of_range(n):
            u = x[:n]
            return lambda: least_and_most(u, stream=stream)

        def of_scan(n):
            u, v = x[:n], y[:n]
            return lambda: scan(u, output_ary=v, stream=stream)

        def of_three(n):
            u, v = (whole[:n // 4 * 3].view(three) for whole in (x, y))
            return lambda: scan_of_three(u, output_ary=v, stream=stream)

        return [("axpy", 12, of_axpy), ("sum", 4, of_sum), ("dot", 8, of_dot), ("min and max in one pass", 4, of_range),
                ("inclusive scan of float", 8, of_scan), ("inclusive scan of 12 bytes (n / 4 values)", 6, of_three)]


def measure(library):
    try:
        side = library()
    except Exception as error:  # not installed, or no driver or device: each library has errors of its own
        print(f"{library.name} is left out: {type(error).__name__}: {error}\n")
        return
    print(f"{side.title}\n")
    works = side.works()
    print("| device time | 2^10, us | 2^20, us | 2^28, GB/s |\n|---|---|---|---|")
    for name, bytes_of_element, work in works:
        row(side, name, bytes_of_element, work)
    print("\n| a call, on the host | |\n|---|---|")
    for name, _, work in works:
        call_row(side, name, work)
    print(flush=True)


if __name__ == "__main__":
    measure(Cupy)
    measure(Pycuda)
