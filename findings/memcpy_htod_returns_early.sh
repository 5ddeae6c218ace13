#!/bin/sh
# Guess, before the run, from the CUDA Programming Guide ("memory copies from host to device of a memory block of 64 KB or
# less" are asynchronous) and from the copy's name without Async: cuMemcpyHtoD from pageable memory returns at once for up
# to 64 KB; of more it returns when the contents have arrived.
#
# Seen instead (2026-11-28, H100 80GB, driver 580, CUDA 13.0): the other way round. Up to 64 KB it waits for the legacy
# default stream and for the copy; of 1 MB the last part arrives after it has returned, and a kernel in a non-blocking
# stream reads the old contents there. Output:
#         4 bytes: waits for the default stream; old contents after 0 of 200 copies
#     65536 bytes: waits for the default stream; old contents after 0 of 200 copies
#   1048576 bytes: waits for the default stream; old contents after most of 200 copies
#
# What follows for a library that fills device memory: a buffer that was just made from a vector is not ready for a
# non-blocking stream, unless the legacy default stream is synchronised behind the copy (1 to 2 us).
#
# A GPU and Python 3 are needed, and no package: the kernel is PTX, which the driver compiles. Exit status: 0 as stated, 1
# another behaviour, 77 there is no GPU.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/see.py" <<'PYTHON'
import array
import ctypes
import sys
import time

PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry last(.param .u64 from, .param .u64 to) {
  .reg .b64 %a<3>;
  .reg .b32 %v;
  ld.param.u64 %a1, [from];
  ld.param.u64 %a2, [to];
  ld.global.u32 %v, [%a1];
  st.global.u32 [%a2], %v;
  ret;
}
.visible .entry turn(.param .u64 clocks) {
  .reg .b64 %t<5>;
  .reg .pred %p;
  ld.param.u64 %t1, [clocks];
  mov.u64 %t2, %clock64;
again:
  mov.u64 %t3, %clock64;
  sub.u64 %t4, %t3, %t2;
  setp.lt.u64 %p, %t4, %t1;
  @%p bra again;
  ret;
}
"""
try:
    cuda = ctypes.CDLL("libcuda.so.1")
    if cuda.cuInit(0) != 0:
        raise OSError
except OSError:
    print("skipped: there is no GPU")
    sys.exit(77)


def call(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    assert result == 0, (name, result)


def handle():
    return ctypes.c_void_p()


context, module, last, turn, stream, memory, seen = (handle() for _ in range(7))
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuModuleGetFunction", ctypes.byref(last), module, b"last")
call("cuModuleGetFunction", ctypes.byref(turn), module, b"turn")
call("cuStreamCreate", ctypes.byref(stream), 1)  # CU_STREAM_NON_BLOCKING
call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(1 << 20))
call("cuMemAllocHost_v2", ctypes.byref(seen), ctypes.c_size_t(4))


def launch(function, on, *values):
    arguments = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in values))
    call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, on, arguments, None)


def old_contents(size, rounds):
    """After how many copies a kernel in the non-blocking stream finds the old value in the last element."""
    host = array.array("i", bytes(size))
    place, count = host.buffer_info()
    end = ctypes.c_uint64(memory.value + size - 4)
    found = 0
    for value in range(1, rounds + 1):
        host[-1] = value
        call("cuMemcpyHtoD_v2", memory, ctypes.c_void_p(place), ctypes.c_size_t(size))
        launch(last, stream, end, ctypes.c_uint64(seen.value))
        call("cuStreamSynchronize", stream)
        found += ctypes.c_int.from_address(seen.value).value != value
        call("cuCtxSynchronize")
    return found


def waits_for_the_default_stream(size):
    host = bytes(size)
    call("cuCtxSynchronize")
    launch(turn, None, ctypes.c_uint64(50_000_000))  # some 25 ms
    start = time.monotonic()
    call("cuMemcpyHtoD_v2", memory, host, ctypes.c_size_t(size))
    took = time.monotonic() - start
    call("cuCtxSynchronize")
    return took > 0.01


same = True
for size, is_late in ((4, False), (65_536, False), (1 << 20, True)):
    rounds = 200
    old_contents(size, 5)
    found, waits = old_contents(size, rounds), waits_for_the_default_stream(size)
    print("  %7d bytes: %s the default stream; old contents after %s of %d copies" %
          (size, "waits for" if waits else "does not wait for", "most" if found > rounds // 2 else found, rounds))
    same = same and waits and (found > rounds // 2 if is_late else found == 0)
sys.exit(not same)
PYTHON
python3 "$folder/see.py"
