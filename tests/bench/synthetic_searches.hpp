// Searches that nobody measured: times by a cost model, for want of recorded ones. They have the structure of real
// ones: restrictions, variants that fail, limits by occupancy that make cliffs, and effects that are rough.
#pragma once

#include "recorded_search.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

namespace kiln::bench {

/// The device of the model: one multiprocessor's limits, and 100 of them.
struct ModelDevice {
  static constexpr double threads = 2048, registers = 65536, shared = 98304, blocks = 32, processors = 100;

  /// Blocks that a multiprocessor holds at once.
  static double resident(double block, double registers_each, double shared_each) {
    const double warps = std::ceil(block / 32) * 32;
    return std::floor(
        std::min({threads / warps, registers / (warps * registers_each), shared / std::max(shared_each, 1.0), blocks}));
  }
  /// How much of its time a multiprocessor works rather than waits: warps, and independent work of a thread, hide
  /// latency.
  static double hidden(double resident_threads, double independent) {
    return std::min(1.0, resident_threads * std::sqrt(independent) / 1024);
  }
  /// The last wave of blocks is not full.
  static double waves(double grid, double resident_blocks) {
    const double at_once = resident_blocks * processors;
    return std::ceil(grid / at_once) * at_once / grid;
  }
};

/// Up to 6 % that nothing explains, always the same for the same configuration.
inline double unexplained(const kiln::Configuration& one) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (const std::uint32_t index : one) hash = (hash ^ index) * 0xD6E8FEB86659FD93, hash ^= hash >> 32;
  return 1 + 0.06 * static_cast<double>(hash >> 11) * 0x1p-53;
}

using Values = std::vector<double>;

/// C = A B of 4096 x 4096: X Y threads of a block, TX TY elements of a thread, depth K of the tile in shared memory,
/// VECTOR width of loads, UNROLL of the loop, PAD of shared memory against bank conflicts.
inline std::optional<double> matmul_time(const Values& v) {
  const double x = v[0], y = v[1], tx = v[2], ty = v[3], k = v[4], vector = v[5], unroll = v[6], pad = v[7];
  const double registers = 24 + tx * ty + (tx + ty) * std::min(unroll, k) / 2 + 2 * vector;
  const double shared = 4 * k * (x * tx + y * ty + 2 * pad);
  if (registers > 255 || shared > 49152) return std::nullopt;
  const double blocks = ModelDevice::resident(x * y, registers, shared);
  if (blocks < 1) return std::nullopt;
  const double conflict = pad == 0 && x < 32 ? 1 + 8 / x : 1 + 0.02 * pad;
  const double shared_reads = (1 / tx + 1 / ty) * conflict;
  const double global = (1 / (x * tx) + 1 / (y * ty)) * (x * tx < 32 * vector ? 4 : 1) / std::sqrt(vector);
  const double loop = 1 + 0.3 / unroll + (unroll * tx * ty > 256 ? 0.4 : 0);  // the last one: instruction cache
  const double hidden = ModelDevice::hidden(blocks * x * y, tx * ty);
  return (loop + 1.5 * shared_reads + 24 * global) / hidden *
         ModelDevice::waves(4096 * 4096 / (x * y * tx * ty), blocks);
}

/// A filter of 15 x 15 over an image: the threads and elements as above, the image through READ_ONLY memory, PAD, and
/// the loops over the filter UNROLLed.
inline std::optional<double> convolution_time(const Values& v) {
  const double x = v[0], y = v[1], tx = v[2], ty = v[3], read_only = v[4], pad = v[5], unroll = v[6];
  const double width = x * tx + 14 + pad, height = y * ty + 14;
  const double shared = 4 * width * height, registers = 20 + 1.5 * tx * ty + 4 * unroll;
  if (registers > 255 || shared > 49152) return std::nullopt;
  const double blocks = ModelDevice::resident(x * y, registers, shared);
  if (blocks < 1) return std::nullopt;
  const double conflicts = x >= 32 ? 1 : pad != 0 ? 1.1 : std::min(4.0, 32 / x);
  const double halo = width * height / (x * tx * y * ty);
  const double reads = conflicts * (0.3 + 1 / tx) * (1 + 0.1 * (1 - read_only));
  const double loop = 1 + 1 / (1 + unroll) + (unroll * tx * ty > 60 ? 0.5 : 0);
  return (loop + 2 * reads + halo) / ModelDevice::hidden(blocks * x * y, tx * ty) *
         ModelDevice::waves(4096 * 4096 / (x * y * tx * ty), blocks);
}

/// Steps of a stencil in one pass: each of STEPS widens the halo and saves a pass through memory.
inline std::optional<double> stencil_time(const Values& v) {
  const double x = v[0], y = v[1], tx = v[2], ty = v[3], steps = v[4], keep = v[5], most = v[6];
  const double width = x * tx, height = y * ty, inner = (width - 2 * steps) * (height - 2 * steps);
  const double shared = 4 * width * height * (1 + keep), registers = std::min(28 + 3 * tx * ty, most);
  const double spill = 28 + 3 * tx * ty > most ? 1.6 : 1;
  if (inner <= 0 || shared > 49152) return std::nullopt;
  const double blocks = ModelDevice::resident(x * y, registers, shared);
  if (blocks < 1) return std::nullopt;
  const double redundant = width * height / inner;
  const double memory = redundant * (2 + (1 - keep)) / steps * (x < 32 ? 32 / x : 1);
  return (memory + 0.5 * redundant * spill) / ModelDevice::hidden(blocks * x * y, tx * ty) *
         ModelDevice::waves(4096 * 4096 / inner, blocks);
}

inline RecordedSearch synthetic_search(const std::string& name, std::vector<kiln::TuneParameter> parameters,
                                       const std::vector<std::string>& restrictions,
                                       const std::function<std::optional<double>(const Values&)>& time) {
  RecordedSearch search{name, std::move(parameters)};
  const kiln::SearchSpace space(search.parameters, restrictions);
  for (const std::uint64_t rank : space.valid_ranks()) {
    const kiln::Configuration one = space.at_rank(rank);
    Values values;
    for (std::size_t i = 0; i < one.size(); ++i)
      values.push_back(static_cast<double>(std::get<long long>(search.parameters[i].values[one[i]].kind())));
    const std::optional<double> modelled = time(values);
    (*search.times)[one] = {modelled ? std::optional(*modelled * unexplained(one)) : std::nullopt};
  }
  return search;
}

inline std::vector<RecordedSearch> synthetic_searches() {
  const std::vector<kiln::TuneParameter> tile = {
      {"X", {8, 16, 32, 64, 128}}, {"Y", {1, 2, 4, 8, 16, 32}}, {"TX", {1, 2, 3, 4, 6, 8}}, {"TY", {1, 2, 3, 4, 6, 8}}};
  const auto with = [&](std::vector<kiln::TuneParameter> more) {
    more.insert(more.begin(), tile.begin(), tile.end());
    return more;
  };
  const std::vector<std::string> block = {"X * Y >= 32 && X * Y <= 1024"};
  std::vector<RecordedSearch> searches;
  searches.push_back(
      synthetic_search("synthetic matmul",
                       with({{"K", {8, 16, 32}}, {"VECTOR", {1, 2, 4}}, {"UNROLL", {1, 2, 4, 8}}, {"PAD", {0, 1, 4}}}),
                       {block[0], "TX % VECTOR == 0", "K % UNROLL == 0", "X * TX == Y * TY || K > 8"}, matmul_time));
  searches.push_back(synthetic_search("synthetic convolution",
                                      with({{"READ_ONLY", {0, 1}}, {"PAD", {0, 1}}, {"UNROLL", {0, 1, 3, 5, 15}}}),
                                      {block[0], "!PAD || X % 32 != 0"}, convolution_time));
  searches.push_back(synthetic_search(
      "synthetic stencil", with({{"STEPS", {1, 2, 3, 4, 5, 6}}, {"KEEP", {0, 1}}, {"MOST", {32, 48, 64, 128}}}),
      {block[0], "X * TX > 2 * STEPS", "Y * TY > 2 * STEPS"}, stencil_time));
  return searches;
}

}  // namespace kiln::bench
