// The checkouts of a scenario on disk.
#pragma once

#include "scenario.hpp"

#include <filesystem>
#include <string>

namespace kiln::oracle {

class Tree {
 public:
  explicit Tree(std::filesystem::path root) : root_(std::move(root)) {}

  /// The folder of checkout "A" or "B". Their names differ in length, so that a path in the code shows in its size.
  std::string checkout(const std::string& letter) const;
  /// The text with that folder in the place of "$ROOT".
  std::string expanded(std::string text, const std::string& letter) const;
  /// Changes the disk as the step says; one that does not apply changes nothing.
  void apply(const Step& step) const;

 private:
  std::filesystem::path place(const std::string& path) const;

  std::filesystem::path root_;
};

}  // namespace kiln::oracle
