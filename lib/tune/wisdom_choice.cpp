#include "tune/wisdom_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace kiln {

namespace {

/// How far a problem's size is from another: 0 where they are equal.
double distance(const ProblemSize& a, const ProblemSize& b) {
  const auto log_of = [](unsigned long long size) {
    return std::log(static_cast<double>(std::max<unsigned long long>(size, 1)));
  };
  double sum = 0;
  for (std::size_t i = 0; i < a.dimensions(); ++i) sum += std::abs(log_of(a[i]) - log_of(b[i]));
  return sum;
}

/// The smallest is the nearest.
using Rank = std::tuple<WisdomMatch, double, bool>;

std::optional<Rank> rank_of(const WisdomRecord& record, const WisdomQuestion& question) {
  if (record.problem.dimensions() != question.problem.dimensions() || record.arch != question.arch) return std::nullopt;
  const bool is_other_source = record.source != question.source;
  const bool is_device = record.device == question.device;
  if (is_device && record.problem == question.problem) return Rank(WisdomMatch::exact, 0, is_other_source);
  const double far = distance(record.problem, question.problem);
  return Rank(is_device ? WisdomMatch::device : WisdomMatch::arch, far, is_other_source);
}

}  // namespace

bool is_wiser(const WisdomRecord& a, const WisdomRecord& b) {
  if (a.objective != b.objective) return a.date > b.date;
  return a.is_largest_best ? a.value > b.value : a.value < b.value;
}

std::optional<WisdomChoice> choose_wisdom(const std::vector<WisdomRecord>& records, const WisdomQuestion& question,
                                          const std::function<bool(const WisdomRecord&)>& can_be_used) {
  const WisdomRecord* best = nullptr;
  std::optional<Rank> best_rank;
  for (const WisdomRecord& record : records) {
    const std::optional<Rank> rank = rank_of(record, question);
    if (!rank || (best_rank && (*best_rank < *rank || (*best_rank == *rank && !is_wiser(record, *best))))) continue;
    if (!can_be_used(record)) continue;
    best = &record;
    best_rank = rank;
  }
  if (best == nullptr) return std::nullopt;
  return WisdomChoice{*best, std::get<0>(*best_rank)};
}

}  // namespace kiln
