// What the benchmarks share: the clock, medians, and folders of their own.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace kiln::bench {

using Clock = std::chrono::steady_clock;

inline double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Nanoseconds of one call of `work`.
template <class Work>
double nanoseconds(const Work& work) {
  const auto start = Clock::now();
  work();
  return nanoseconds_since(start);
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// "median (lower quartile-upper quartile)"
inline std::string quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%.3f (%.3f-%.3f)", values[values.size() / 2], values[values.size() / 4],
                values[values.size() * 3 / 4]);
  return text.data();
}

inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether this process has opened the compiler, or the linker.
inline bool compiler_is_mapped() {
  const std::string maps = read_whole("/proc/self/maps");
  return maps.find("libnvrtc") != std::string::npos || maps.find("libnvJitLink") != std::string::npos;
}

/// A fresh folder, removed with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kiln-bench-XXXXXX").string();
    if (!::mkdtemp(name.data())) std::perror("mkdtemp"), std::exit(1);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace kiln::bench
