// How far a long command is, on standard error: a bar on a terminal, a line for each step elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace kiln::tool {

class Progress {
 public:
  Progress();
  /// Takes the bar away.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `what` has just been done, as the last of `done` out of `total`.
  void step(std::size_t done, std::size_t total, const std::string& what) const;

 private:
  bool is_terminal_;
};

}  // namespace kiln::tool
