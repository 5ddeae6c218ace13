// Which record of wisdom is used.
#pragma once

#include <kiln/wisdom.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln {

/// A request to wisdom. Refers to its texts.
struct WisdomQuestion {
  std::string_view device;
  std::string_view arch;
  ProblemSize problem;
  std::string_view source;
};

/// Of the records that can be used, by the rule of Wisdom; of equally good ones the first.
std::optional<WisdomChoice> choose_wisdom(const std::vector<WisdomRecord>& records, const WisdomQuestion& question,
                                          const std::function<bool(const WisdomRecord&)>& can_be_used);

/// Whether a is to be used rather than b, both being as near and of the same source.
bool is_wiser(const WisdomRecord& a, const WisdomRecord& b);

}  // namespace kiln
