#include "emulator/profile/access_patterns.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace kiln::emulator {
namespace {

std::uint32_t popcount(LaneMask lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

// The addresses of the lanes, one after the other.
struct Sequence {
  explicit Sequence(const AccessPattern& pattern) {
    each_lane(pattern.lanes, [&](unsigned lane) { values[count++] = pattern.at[lane]; });
  }
  void sort() {
    if (!std::is_sorted(values.begin(), values.begin() + count)) std::sort(values.begin(), values.begin() + count);
  }

  std::array<std::uint64_t, warp_size> values;
  unsigned count = 0;
};

// Nsight Compute's ideal: lanes side by side would need no more sectors than their bytes fill, and no more than now.
SectorCounts counts_of(const AccessPattern& pattern, std::uint32_t sectors, std::uint32_t bytes) {
  const std::uint64_t wanted = std::uint64_t{popcount(pattern.lanes)} * pattern.size;
  const std::uint64_t filled = (wanted + sector_size - 1) / sector_size;
  return {sectors, std::min(sectors, static_cast<std::uint32_t>(filled)), bytes};
}

// Counts different values of a warp's lanes: a hash set is faster than sorting them.
class DistinctValues {
 public:
  void add(std::uint64_t value) {
    constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15u;
    auto slot = static_cast<unsigned>(value * mixer >> 58u);
    for (; (used_ >> slot & 1u) != 0; slot = (slot + 1) % slot_count)
      if (values_[slot] == value) return;
    used_ |= std::uint64_t{1} << slot;
    values_[slot] = value;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(std::popcount(used_)); }

 private:
  static constexpr unsigned slot_count = 64;  // twice as many as lanes, so that one is always free
  std::uint64_t used_ = 0;
  std::array<std::uint64_t, slot_count> values_;
};

SectorCounts unsorted_sectors(const AccessPattern& pattern, const Sequence& sequence) {
  DistinctValues sectors;
  for (unsigned i = 0; i < sequence.count; ++i) sectors.add(sequence.values[i] / sector_size);
  if (sectors.count() == sequence.count) return counts_of(pattern, sequence.count, sequence.count * pattern.size);
  DistinctValues places;
  for (unsigned i = 0; i < sequence.count; ++i) places.add(sequence.values[i]);
  return counts_of(pattern, sectors.count(), places.count() * pattern.size);
}

SectorCounts sorted_sectors(const AccessPattern& pattern, const Sequence& sequence) {
  std::uint32_t places = 1, sectors = 1;
  for (unsigned i = 1; i < sequence.count; ++i) {
    const std::uint64_t before = sequence.values[i - 1], now = sequence.values[i];
    places += before != now ? 1 : 0;
    sectors += before / sector_size != now / sector_size ? 1 : 0;
  }
  return counts_of(pattern, sectors, places * pattern.size);
}

// Whether all lanes have the address of the lane whose number differs in that bit.
bool pairs_agree(const AccessPattern& pattern, unsigned bit) {
  return lanes_where(pattern.lanes, [&](unsigned lane) {
           const unsigned other = lane ^ bit;
           return (pattern.lanes >> other & 1u) != 0 && pattern.at[lane] != pattern.at[other];
         }) == 0;
}

}  // namespace

SectorCounts global_sectors(const AccessPattern& pattern) {
  const Sequence sequence(pattern);
  const bool is_sorted = std::is_sorted(sequence.values.begin(), sequence.values.begin() + sequence.count);
  return is_sorted ? sorted_sectors(pattern, sequence) : unsorted_sectors(pattern, sequence);
}

SectorCounts atomic_sectors(const AccessPattern& pattern) {
  Sequence sequence(pattern);
  sequence.sort();
  SectorCounts counts = sorted_sectors(pattern, sequence);
  std::uint32_t all_rounds = 0, rounds = 1, run = 1;  // `rounds`: of the current sector
  for (unsigned i = 1; i < sequence.count; ++i) {
    const std::uint64_t before = sequence.values[i - 1], now = sequence.values[i];
    if (before / sector_size != now / sector_size) {
      all_rounds += rounds;
      rounds = 1;
    }
    run = before == now ? run + 1 : 1;
    rounds = std::max(rounds, run);
  }
  counts.sectors = all_rounds + rounds;
  return counts;
}

SectorCounts local_sectors(const AccessPattern& pattern) {
  constexpr unsigned word = 4, most_words = 32 / word;
  const unsigned words = std::max(pattern.size / word, 1u);
  std::array<std::uint64_t, std::size_t{warp_size} * most_words> sectors;
  unsigned count = 0;
  each_lane(pattern.lanes, [&](unsigned lane) {
    for (unsigned i = 0; i < words; ++i)
      sectors[count++] = ((pattern.at[lane] / word + i) * warp_size * word + std::uint64_t{lane} * word) / sector_size;
  });
  std::sort(sectors.begin(), sectors.begin() + count);
  const auto distinct = std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin();
  return counts_of(pattern, static_cast<std::uint32_t>(distinct), popcount(pattern.lanes) * pattern.size);
}

AddressCounts distinct_addresses(const AccessPattern& pattern) {
  Sequence sequence(pattern);
  sequence.sort();
  AddressCounts counts{1, 1};
  std::uint32_t run = 1;
  for (unsigned i = 1; i < sequence.count; ++i) {
    run = sequence.values[i] == sequence.values[i - 1] ? run + 1 : 1;
    counts.distinct += run == 1 ? 1 : 0;
    counts.most_lanes = std::max(counts.most_lanes, run);
  }
  return counts;
}

std::uint32_t SharedBanks::passes(const AccessPattern& pattern, LaneMask lanes) {
  if (++pass_ == 0) {  // the numbers are used up
    std::fill(seen_.begin(), seen_.end(), 0u);
    pass_ = 1;
  }
  std::array<std::uint8_t, bank_count> words{};
  std::uint8_t most = 1;
  const unsigned words_of_lane = std::max(pattern.size / word_size, 1u);
  each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t first = pattern.at[lane] / word_size;
    for (std::uint64_t word = first; word < first + words_of_lane && word < seen_.size(); ++word) {
      if (seen_[word] == pass_) continue;
      seen_[word] = pass_;
      most = std::max(most, ++words[word % bank_count]);
    }
  });
  return most;
}

WavefrontCounts SharedBanks::wavefronts(const AccessPattern& pattern) {
  unsigned group = warp_size;  // lanes that pass together
  if (pattern.size > word_size) {
    group = warp_size * word_size / pattern.size;
    if (pairs_agree(pattern, 1) || pairs_agree(pattern, 2)) group *= 2;
  }
  WavefrontCounts counts;
  const LaneMask first = group == warp_size ? all_lanes : (LaneMask{1} << group) - 1;
  for (unsigned begin = 0; begin < warp_size; begin += group) {
    const LaneMask lanes = pattern.lanes & (first << begin);
    if (lanes == 0) continue;
    counts.wavefronts += passes(pattern, lanes);
    ++counts.ideal;
  }
  return counts;
}

WavefrontCounts SharedBanks::atomic_wavefronts(const AccessPattern& pattern) {
  std::array<std::uint8_t, bank_count> lanes_of_bank{};
  std::uint8_t most = 1;
  each_lane(pattern.lanes,
            [&](unsigned lane) { most = std::max(most, ++lanes_of_bank[pattern.at[lane] / word_size % bank_count]); });
  return {most, 1};
}

}  // namespace kiln::emulator
