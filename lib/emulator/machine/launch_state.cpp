#include "emulator/machine/block.hpp"
#include "emulator/machine/launch_profile.hpp"

#include <cstdio>
#include <mutex>

namespace kiln::emulator {

struct LaunchState::Output {
  std::mutex mutex;
  std::string text;

  void write() {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    text.clear();
  }
};

LaunchState::LaunchState() : output(std::make_unique<Output>()) {}

LaunchState::~LaunchState() {
  if (!output->text.empty()) output->write();
}

void LaunchState::print(const std::string& text) {
  constexpr std::size_t kept_back = 64 * 1024;
  const std::lock_guard lock(output->mutex);
  output->text += text;
  if (output->text.size() >= kept_back) output->write();
}

}  // namespace kiln::emulator
