// Makes every driver call of an operation fail in turn.
#pragma once

#include "fake_arrays.hpp"
#include "fake_cuda.hpp"

#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

/// Everything that the fake driver says is alive.
inline std::vector<std::size_t> all_live() {
  return {fake_cuda::live_allocations(),      fake_cuda::live_host_allocations(),
          fake_cuda::live_registrations(),    fake_cuda::live_streams(),
          fake_cuda::live_events(),           fake_cuda::live_arrays(),
          fake_cuda::live_mipmapped_arrays(), fake_cuda::live_textures(),
          fake_cuda::live_surfaces(),         fake_cuda::live_graphs()};
}

/// `work` is run once as it is, then once for each call that it made, which fails: a DriverError that names that call
/// must come of it, and nothing may stay alive. `quiet` are calls whose failure the work is to bear.
template <class Work>
void each_call_fails(Work work, const std::set<std::string>& quiet = {}) {
  const std::vector<std::size_t> before = all_live();
  work();  // binds what is bound once
  fake_cuda::reset();
  work();
  CHECK(all_live() == before);
  std::set<std::string> names;
  // Destructors make the last of these, and bear its failure.
  const std::set<std::string> always_quiet = {"cuGetProcAddress", "cuThreadExchangeStreamCaptureMode"};
  for (const std::string& name : fake_cuda::calls())
    if (quiet.count(name) + always_quiet.count(name) == 0) names.insert(name);
  REQUIRE(!names.empty());
  for (const std::string& name : names) {
    CAPTURE(name);
    fake_cuda::reset();
    work();
    const std::size_t times = fake_cuda::calls(name);
    for (std::size_t skip = 0; skip < times; ++skip) {
      fake_cuda::reset();
      fake_cuda::fail(name, CUDA_ERROR_LAUNCH_FAILED, skip);
      try {
        work();
        FAIL_CHECK("nothing thrown");
      } catch (const kiln::DriverError& error) {
        CHECK(error.result() == CUDA_ERROR_LAUNCH_FAILED);
        CHECK(error.call() == name);
      }
      CHECK(all_live() == before);
    }
  }
  fake_cuda::reset();
}
