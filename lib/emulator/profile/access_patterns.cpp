#include "emulator/profile/access_patterns.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t sector_size = 32;

std::uint32_t popcount(LaneMask lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

// The addresses of the lanes, one behind the other.
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

// Most patterns are near each other: a bit for each place that they may have.
class NearPlaces {
 public:
  static constexpr std::uint64_t range = 2048;
  void add(std::uint64_t place) { bits_[place / 64] |= std::uint64_t{1} << (place % 64); }
  std::uint32_t count() const {
    int all = 0;
    for (const std::uint64_t word : bits_) all += std::popcount(word);
    return static_cast<std::uint32_t>(all);
  }

 private:
  std::array<std::uint64_t, range / 64> bits_{};
};

SectorCounts near_sectors(const AccessPattern& pattern, const Sequence& sequence, std::uint64_t lowest) {
  NearPlaces places, sectors;
  const std::uint64_t first_sector = lowest / sector_size;
  for (unsigned i = 0; i < sequence.count; ++i) {
    places.add((sequence.values[i] - lowest) / pattern.size);
    sectors.add(sequence.values[i] / sector_size - first_sector);
  }
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
  Sequence sequence(pattern);
  const auto begin = sequence.values.begin(), end = begin + sequence.count;
  if (!std::is_sorted(begin, end)) {
    const auto [lowest, highest] = std::minmax_element(begin, end);
    if ((*highest - *lowest) / std::min<std::uint64_t>(pattern.size, sector_size) < NearPlaces::range)
      return near_sectors(pattern, sequence, *lowest);
    std::sort(begin, end);
  }
  return sorted_sectors(pattern, sequence);
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
