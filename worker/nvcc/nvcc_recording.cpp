#include "worker/nvcc/nvcc_recording.hpp"

#include "base/file_size_limit.hpp"
#include "base/files.hpp"
#include "worker/dependencies/dependency_paths.hpp"
#include "worker/dependencies/read_record.hpp"
#include "worker/recording/record_area.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

// The carried library: see embed_file.py.
extern "C" {
extern const char kiln_recording_library_begin[];
extern const char kiln_recording_library_end[];
}

namespace kiln {

namespace {

constexpr std::string_view preload_variable = "LD_PRELOAD=";

std::string_view carried_library() {
  return {kiln_recording_library_begin,
          static_cast<std::size_t>(kiln_recording_library_end - kiln_recording_library_begin)};
}

/// As other processes of this user name it.
std::string name_of(int descriptor) {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor);
}

bool write_library(int descriptor) { return write_all(FileSystem::real(), descriptor, carried_library()) == 0; }

/// A file in memory that has the library, one for the process; without a descriptor where there can be none.
const OwnedDescriptor& library_in_memory() {
  static const OwnedDescriptor library = [] {
    OwnedDescriptor file(::memfd_create("kiln-recording", MFD_CLOEXEC));
    if (file.get() >= 0 && !write_library(file.get())) file.close();
    return file;
  }();
  return library;
}

}  // namespace

NvccRecording::NvccRecording(const std::string& folder) {
  make_area();
  if (gap_.empty()) library_ = library_path(folder);
  if (gap_.empty() && library_.empty())
    gap_ = "there is no place from which nvcc's programs could load the library that records: neither memory nor " +
           folder;
}

NvccRecording::~NvccRecording() {
  if (area_ != nullptr) ::munmap(area_, area_size_);
}

void NvccRecording::make_area() {
  area_file_ = OwnedDescriptor(::memfd_create("kiln-record", MFD_CLOEXEC));
  area_size_ = static_cast<std::size_t>(std::min(record_area_size, file_size_limit()));
  void* memory = MAP_FAILED;
  if (area_file_.get() >= 0 && area_size_ > sizeof(RecordArea) &&
      ::ftruncate(area_file_.get(), static_cast<off_t>(area_size_)) == 0)
    memory = ::mmap(nullptr, area_size_, PROT_READ | PROT_WRITE, MAP_SHARED, area_file_.get(), 0);
  if (memory == MAP_FAILED) {
    gap_ = "there is no memory for a record";
    return;
  }
  area_ = memory;
  static_cast<RecordArea*>(area_)->capacity = area_size_ - sizeof(RecordArea);
}

std::string NvccRecording::library_path(const std::string& folder) {
  if (library_in_memory().get() >= 0) return name_of(library_in_memory().get());
  // The loader takes these for the end of a name.
  if (folder.find_first_of(" :") != std::string::npos) return {};
  const std::string path = folder + "/kiln-recording.so";
  const OwnedDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
  return file.get() >= 0 && write_library(file.get()) ? path : std::string();
}

std::vector<std::string> NvccRecording::environment(std::vector<std::string> variables) const {
  if (!gap_.empty()) return variables;
  std::string preload;
  const auto is_preload = [](const std::string& variable) { return variable.starts_with(preload_variable); };
  for (const std::string& variable : variables)
    if (is_preload(variable)) preload = variable.substr(preload_variable.size());
  std::erase_if(variables, is_preload);
  variables.push_back(std::string(preload_variable) + preload + (preload.empty() ? "" : ":") + library_);
  variables.push_back(std::string(record_area_variable) + "=" + name_of(area_file_.get()));
  return variables;
}

std::string NvccRecording::without_loader_messages(const std::string& errors) const {
  if (library_.empty()) return errors;
  const std::string message = "ERROR: ld.so: object '" + library_ + "' from LD_PRELOAD";
  std::string kept;
  for (std::string_view rest = errors; !rest.empty();) {
    const std::size_t line = std::min(rest.find('\n'), rest.size() - 1) + 1;
    if (!rest.starts_with(message)) kept += rest.substr(0, line);
    rest.remove_prefix(line);
  }
  return kept;
}

bool NvccRecording::kept_program_from_running(const std::string& errors) const {
  return !library_.empty() && without_loader_messages(errors).find(library_) != std::string::npos;
}

FileRecord NvccRecording::take(const std::string& source) const {
  FileRecord record;
  record.gap = gap_;
  if (!record.gap.empty()) return record;
  ReadRecord read = read_record(*static_cast<const RecordArea*>(area_), area_size_);
  const auto is_source = [wanted = written_shorter(source)](const std::string& path) {
    return written_shorter(path) == wanted;
  };
  const auto& known = read.read_by_host_compiler;
  if (read.record.gap.empty() && std::none_of(known.begin(), known.end(), is_source))
    read.record.gap =
        "nvcc's host compiler does not let be seen what it reads, as it is linked statically, or a wrapper around it "
        "clears the environment";
  return std::move(read.record);
}

}  // namespace kiln
