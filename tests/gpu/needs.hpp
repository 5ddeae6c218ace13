// What a test case of this folder may need that not every machine has, as the test suite that it is in.
#pragma once

#include <doctest/doctest.h>

namespace kiln::test {

inline doctest::test_suite needs_two_devices() { return {"two devices"}; }
/// Clusters, tensor maps, dependent launches.
inline doctest::test_suite needs_compute_capability_9() { return {"compute capability 9"}; }
/// wgmma and setmaxnreg: of Hopper alone, and not of what follows it.
inline doctest::test_suite needs_sm_90a() { return {"sm_90a"}; }
inline doctest::test_suite needs_persisting_l2() { return {"persisting L2"}; }
inline doctest::test_suite needs_two_devices_and_l2() { return {"two devices and persisting L2"}; }
/// Memory for 2^31 elements of two bytes, twice; the emulator would take many minutes.
inline doctest::test_suite needs_large_gpu() { return {"GPU with 12 GB"}; }
inline doctest::test_suite needs_nvcc() { return {"nvcc"}; }
/// Not a need: the emulator's check of races must be off, and nothing else of the generators runs without it.
inline doctest::test_suite races_on_purpose() { return {"races on purpose"}; }

}  // namespace kiln::test
