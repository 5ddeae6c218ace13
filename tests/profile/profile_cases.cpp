// Launches the cases of tests/profile one after the other, for Nsight Compute or the emulator's profile to count:
//   profile_cases KERNELS CASES
// KERNELS is the folder of the .cu files. CASES is a file with one case a line, made by cases.py:
//   NAME FILE KERNEL GRID_X GRID_Y BLOCK_X BLOCK_Y SHARED OUT_BYTES IN_KIND IN_BYTES INDEX_KIND INDEX_COUNT P Q R
// Prints NVRTC's version, then the names as they are launched. Exit status 0; 77 without a usable device; 1 where a
// launch fails.
#include <kiln/kiln.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Case {
  std::string name, file, kernel;
  unsigned grid_x = 1, grid_y = 1, block_x = 1, block_y = 1, shared = 0;
  std::size_t out_bytes = 0;
  std::string in_kind;
  std::size_t in_bytes = 0;
  std::string index_kind;
  std::size_t index_count = 0;
  unsigned p = 0, q = 0, r = 0;
};

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    Case one;
    std::istringstream words(line);
    words >> one.name >> one.file >> one.kernel >> one.grid_x >> one.grid_y >> one.block_x >> one.block_y >>
        one.shared >> one.out_bytes >> one.in_kind >> one.in_bytes >> one.index_kind >> one.index_count >> one.p >>
        one.q >> one.r;
    if (!words) throw std::runtime_error(path + ": cannot be read: " + line);
    cases.push_back(one);
  }
  return cases;
}

std::uint32_t mixed(std::uint32_t i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 2246822519u;
  return i ^ (i >> 13);
}

/// Buffers have at least one word, so that each has an address.
using Words = std::vector<std::uint32_t>;

template <class T>
Words words_of(std::size_t bytes) {
  Words words(bytes / 4 + 1);
  const std::size_t count = bytes / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(mixed(static_cast<std::uint32_t>(i)) % 64) / T(8);
    std::memcpy(reinterpret_cast<char*>(words.data()) + i * sizeof(T), &value, sizeof(T));
  }
  return words;
}

Words input_of(const Case& one) {
  if (one.in_kind == "floats") return words_of<float>(one.in_bytes);
  if (one.in_kind == "doubles") return words_of<double>(one.in_bytes);
  if (one.in_kind != "words") throw std::runtime_error(one.name + ": no input is named " + one.in_kind);
  Words words(one.in_bytes / 4 + 1);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = mixed(static_cast<std::uint32_t>(i));
  return words;
}

/// "below:LIMIT": words below the limit. "rows:LIMIT": where rows begin whose lengths are below the limit. "none".
Words index_of(const Case& one) {
  const std::size_t colon = one.index_kind.find(':');
  const std::string kind = one.index_kind.substr(0, colon);
  Words words(one.index_count + 1);
  if (kind == "none") return words;
  const auto limit = static_cast<std::uint32_t>(std::stoul(one.index_kind.substr(colon + 1)));
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t value = mixed(static_cast<std::uint32_t>(i) + 77) % limit;
    words[i] = kind == "rows" ? sum : value;
    sum += value;
  }
  return words;
}

class Launcher {
 public:
  explicit Launcher(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void launch(const Case& one) {
    const kiln::Function kernel = module_of(one.file).get_function(one.kernel);
    kiln::DeviceBuffer<std::uint32_t> out(Words(one.out_bytes / 4 + 1)), in(input_of(one)), index(index_of(one));
    kernel({{one.grid_x, one.grid_y}, {one.block_x, one.block_y}, one.shared}, out.device_pointer(),
           in.device_pointer(), index.device_pointer(), one.p, one.q, one.r);
    kiln::synchronize();
  }

 private:
  kiln::SourceModule& module_of(const std::string& file) {
    const auto found = modules_.find(file);
    if (found != modules_.end()) return found->second;
    kiln::CompileOptions options;
    options.options = {"-std=c++17", "-lineinfo"};
    options.include_dirs = {folder_};
    return modules_.emplace(file, kiln::SourceModule::from_file(folder_ / (file + ".cu"), options)).first->second;
  }

  std::filesystem::path folder_;
  std::map<std::string, kiln::SourceModule> modules_;
};

int run(const std::string& folder, const std::string& cases) {
  const auto [major, minor] = kiln::nvrtc::version();
  std::printf("# NVRTC %d.%d\n", major, minor);
  Launcher launcher(folder);
  for (const Case& one : read_cases(cases)) {
    try {
      launcher.launch(one);
    } catch (const std::exception& error) {
      throw std::runtime_error(one.name + ": " + error.what());
    }
    std::printf("%s\n", one.name.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: profile_cases KERNELS CASES\n");
    return 2;
  }
  if (kiln::Device::count() == 0) {
    std::puts("skipped: no device");
    return 77;
  }
  return run(arguments[1], arguments[2]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "profile_cases: %s\n", error.what());
  return 1;
}
