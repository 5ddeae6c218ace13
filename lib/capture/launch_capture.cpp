#include "capture/launch_capture.hpp"

#include "base/files.hpp"
#include "base/npy_header.hpp"
#include "base/owned_descriptor.hpp"
#include "base/path_text.hpp"
#include "capture/capture_json.hpp"
#include "capture/not_captured.hpp"
#include "compile/code/code_data.hpp"
#include "compile/options/target_name.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>

#include <cerrno>
#include <system_error>

namespace kiln {

CaptureFolder::CaptureFolder(FileSystem& files, const std::string& dir) : files_(files), dir_(dir) {
  if (const int error = make_directories(files_, dir_); error != 0) fail("the folder cannot be made", dir_, error);
  folder_.emplace(dir_, "capture");
  if (folder_->error() != 0) fail("no folder can be made in it", dir_, -folder_->error());
}

void CaptureFolder::fail(const std::string& what, const std::string& path, int error) const {
  throw NotCaptured(path + ": " + what + ": " + std::generic_category().message(-error));
}

void CaptureFolder::write(const std::string& name, std::string_view bytes) {
  (void)write(name, bytes, [](const auto&) {});
}

Checksum CaptureFolder::write(const std::string& name, std::string_view header, const CapturePieces& pieces) {
  const std::string path = joined(folder_->path(), name);
  OwnedDescriptor file(files_.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666));
  int error = file.get() < 0 ? file.get() : write_all(files_, file.get(), header);
  RunningChecksum checksum;
  if (error == 0)
    pieces([&](std::string_view piece) {
      checksum.update(piece);
      error = write_all(files_, file.get(), piece);
      return error == 0;
    });
  // Some file systems report a full disk only here.
  if (const int descriptor = file.release(); descriptor >= 0)
    if (const int closed = files_.close(descriptor); error == 0) error = closed;
  if (error != 0) fail("it cannot be written", path, error);
  return checksum.value();
}

bool CaptureFolder::publish(const std::string& name) {
  const std::string path = joined(dir_, name);
  const int error = files_.rename(folder_->path(), path);
  if (error == -ENOTEMPTY || error == -EEXIST) return false;
  if (error != 0) fail("it cannot be put there", path, error);
  return true;
}

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
