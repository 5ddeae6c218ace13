#include "capture/launch_capture.hpp"

#include "base/npy_header.hpp"
#include "capture/capture_version.hpp"
#include "capture/not_captured.hpp"
#include "compile/code/code_data.hpp"
#include "compile/options/target_name.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/error.hpp>

namespace kiln {

LaunchCapture::LaunchCapture(const CapturedKernel& kernel, const HookedLaunch& launch, FileSystem& files)
    : kernel_(kernel),
      launch_(launch),
      arguments_(capture_arguments(launch, kernel.source())),
      parts_{kernel, launch.config, arguments_} {
  find_variables();
  check_size();
  check_work(Driver::get().stream_synchronize(launch.config.stream), "cuStreamSynchronize", " before a capture");
  folder_.emplace(files, kernel.rule.dir);
  staged_.emplace(launch.config.stream);
  write_memories();
  write_code();
}

void LaunchCapture::find_variables() {
  if (kernel_.variables) parts_.variables = kernel_.variables(current_device());
}

void LaunchCapture::check_size() const {
  std::size_t total = arguments_.total_bytes();
  for (const ModuleVariable& variable : parts_.variables) total += variable.bytes;
  if (total <= kernel_.rule.max_bytes) return;
  throw NotCaptured("its arguments' memory has " + std::to_string(total) + " bytes, and KILN_CAPTURE_MAX_SIZE allows " +
                        std::to_string(kernel_.rule.max_bytes),
                    "size");
}

Checksum LaunchCapture::write_memory(const std::string& name, const CapturedMemory& memory) {
  const ElementType& element = element_of(memory);
  // NumPy has no bfloat16: its bits.
  const std::string_view numpy = element.numpy.empty() ? "u2" : element.numpy;
  return folder_->write(name, npy_header(numpy, element.size, {memory.bytes / element.size}),
                        [&](const auto& take) { staged_->read(memory.begin, memory.bytes, take); });
}

Checksum LaunchCapture::checksum_of_memory(const CapturedMemory& memory) {
  RunningChecksum checksum;
  staged_->read(memory.begin, memory.bytes, [&](std::string_view piece) {
    checksum.update(piece);
    return true;
  });
  return checksum.value();
}

void LaunchCapture::write_memories() {
  for (const CapturedMemory& memory : arguments_.memories) {
    parts_.memories.push_back({"memory-" + std::to_string(parts_.memories.size()) + ".npy", {}});
    checksums_.push_back(write_memory(parts_.memories.back().before, memory));
  }
  for (const ModuleVariable& variable : parts_.variables) {
    parts_.variable_files.push_back("variable-" + std::to_string(parts_.variable_files.size()) + ".npy");
    (void)write_memory(parts_.variable_files.back(), {variable.address, variable.bytes});
  }
}

void LaunchCapture::write_code() {
  if (const auto& recipe = kernel_.code.data()->recipe) {
    parts_.code_file = recipe->options.language == Language::nvvm_ir ? "source.ll" : "source.cu";
    folder_->write(parts_.code_file, recipe->source);
  } else {
    parts_.code_file = "code." + target_name(kernel_.code.target());
    folder_->write(parts_.code_file, kernel_.code.bytes());
  }
}

void LaunchCapture::write_results() {
  for (std::size_t i = 0; i < arguments_.memories.size(); ++i) {
    const CapturedMemory& memory = arguments_.memories[i];
    if (memory.is_read_only || checksum_of_memory(memory) == checksums_[i]) continue;
    parts_.memories[i].after = "memory-" + std::to_string(i) + "-after.npy";
    (void)write_memory(parts_.memories[i].after, memory);
  }
}

bool LaunchCapture::finish(const std::string& name) {
  try {
    check_work(Driver::get().stream_synchronize(launch_.config.stream), "cuStreamSynchronize", " behind the launch");
    write_results();
  } catch (const DriverError& error) {  // the program meets it, too: at its next call
    parts_.fault = error.what();
    for (MemoryFile& memory : parts_.memories) memory.after.clear();
  }
  folder_->write(capture_file, capture_json(parts_));
  return folder_->publish(name);
}

}  // namespace kiln
