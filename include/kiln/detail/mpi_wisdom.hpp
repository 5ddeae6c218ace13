// The wisdom of all processes in one.
#pragma once

#include <kiln/detail/mpi_collectives.hpp>
#include <kiln/error.hpp>
#include <kiln/wisdom.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace kiln::mpi::detail {

/// What rank 0 could not do is thrown by all.
inline std::uint64_t gather_wisdom(const Communicator& all, const Wisdom& wisdom) {
  const auto texts = gather_in_leader(all, all.rank() == 0 ? std::string() : wisdom.text());
  std::uint64_t added = 0;
  std::string answer;
  if (all.rank() == 0) try {
      for (const std::string& text : texts) added += wisdom.merge(Wisdom::from_text(text));
      answer = std::to_string(added);
    } catch (const std::exception& error) {
      answer = std::string("!") + error.what();
    }
  broadcast(all, answer);
  if (answer.front() == '!') throw Error(answer.substr(1));
  return std::stoull(answer);
}

}  // namespace kiln::mpi::detail
