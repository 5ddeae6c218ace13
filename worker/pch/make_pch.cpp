#include "worker/pch/make_pch.hpp"

#include "base/file_lock.hpp"
#include "base/file_size_limit.hpp"
#include "base/files.hpp"
#include "base/owned_descriptor.hpp"
#include "base/temporary_folder.hpp"
#include "cache/key_lock.hpp"
#include "cache/open_stores.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"
#include "worker/dependencies/dependency_paths.hpp"
#include "worker/dependencies/file_recording.hpp"
#include "worker/dependencies/read_dependencies.hpp"
#include "worker/pch/pch_heap.hpp"
#include "worker/pch/pch_policy.hpp"
#include "worker/pch/pch_record.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;

/// The file, with all file accesses of the compile that made it.
struct MadePch {
  PchRecord record;
  FileRecord asked;
  bool is_made = false;
};

/// NVRTC's log without the message about the file: each compile is to show it.
std::string other_words(std::string log) {
  if (!take_out_line(log, "creating precompiled header file")) return log;
  return log.find_first_not_of(" \n") == std::string::npos ? std::string() : log;
}

MadePch run_nvrtc(const PchSource& source, const std::string& path) {
  MadePch made;
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  if (!prepare_pch_heap(nvrtc).empty()) return made;
  std::vector<std::string> options = source.options;
  options.push_back("--create-pch=" + path);
  FileRecording recording;
  const Clock::time_point start = Clock::now();
  const NvrtcProgram program(nvrtc, source.directives, source.name, source.headers);
  const nvrtcResult result = program.compile(options);
  const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  made.asked = recording.take();
  if (is_pch_heap_misplaced()) return made;
  made.is_made = true;
  std::string& reason = made.record.why_no_file;
  const std::string words = other_words(program.log());
  if (result != NVRTC_SUCCESS || program.pch_create_status() != NVRTC_SUCCESS) {
    reason = "NVRTC makes none of these headers: " + program.log();
  } else if (!words.empty()) {
    reason = "NVRTC prints something about these headers, or the options, which each compile is to show: " + words;
  } else if (taken < pch_policy().least_headers) {
    reason = "its headers take only " + std::to_string(taken.count()) + " ms";
    made.record.why = Counter::pch_refused_small;
  }
  return made;
}

/// Uses it once, to learn how NVRTC maps it; false where it cannot be used.
bool try_out(const PchSource& source, const std::string& path, PchRecord& record) {
  std::vector<std::string> options = source.options;
  options.push_back("--use-pch=" + path);
  const PchImageReading reading({}, {});
  const NvrtcProgram program(NvrtcLibrary::get(), source.directives, source.name, source.headers);
  if (program.compile(options) != NVRTC_SUCCESS) return false;
  record.image = reading.largest();
  return program.log().find("using precompiled header file") != std::string::npos;
}

/// The digest and the size of what NVRTC wrote; false where it cannot be read.
bool read_file_of(FileSystem& files, const std::string& path, PchRecord& record) {
  const OwnedDescriptor file(files.open(path, O_RDONLY | O_NOFOLLOW, 0));
  FileStatus status;
  if (file.get() < 0 || files.status(file.get(), status) != 0) return false;
  record.size = status.size;
  return digest_file(files, file.get(), record.file) == 0;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// A later compile compares these contents with the files of that time.
bool has_all_contents(const FileRecord& asked) {
  return std::all_of(asked.questions.begin(), asked.questions.end(), [](const FileQuestion& question) {
    return !question.opened || question.answer != FileQuestion::Answer::file || question.content.has_value();
  });
}

class Making {
 public:
  explicit Making(const PchOrder& order)
      : order_(order), store_(open_store(order.place.folder)), folder_(store_.folder()), lock_(folder_.files()) {
    folder_.be_for_pch(order.place.size_limit);
  }
  ~Making() {
    if (!path_.empty()) folder_.files().remove(path_);
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

  void run() {
    path_ = folder_.new_temporary();
    if (path_.empty() || !is_mine_to_make()) return;
    MadePch made = run_nvrtc(order_.source, path_);
    if (!made.is_made || !made.asked.gap.empty()) return;
    keep_what_matters(made.asked);
    if (!has_all_contents(made.asked)) return;
    const DependencyReport report = find_dependencies(folder_.files(), order_.request.search,
                                                      own_text(order_.source.directives, order_.source.options),
                                                      made.asked, order_.request.strict_headers);
    if (!report.refusal.empty()) return;
    made.record.questions = std::move(made.asked.questions);
    publish(made.record, report.dependencies);
  }

 private:
  bool is_mine_to_make() {
    const auto nobody = [] {};
    const auto locked = lock_.lock(
        folder_.lock_path(), order_.key.name, [] { return false; }, nobody, std::chrono::milliseconds(0));
    return locked == KeyLock::Result::locked && !store_.find_key(order_.key, true, order_.request.search.roots);
  }

  /// Without the file itself, and what is of this program alone, such as its name.
  void keep_what_matters(FileRecord& asked) const {
    const DependencyPaths paths(folder_.files(), order_.request.search, asked);
    std::erase_if(asked.questions, [&](const FileQuestion& question) {
      return is_below(question.path, folder_.root()) || paths.is_irrelevant(question);
    });
  }

  void publish(PchRecord& record, const Dependencies& dependencies) {
    if (record.why_no_file.empty() && !publish_file_of(record)) return;
    store_.put(order_.key, true, dependencies, to_sections(record));
    if (record.why_no_file.empty()) folder_.count(Counter::pch_made);
    folder_.write_counts();
  }

  bool publish_file_of(PchRecord& record) {
    if (!read_file_of(folder_.files(), path_, record) || !try_out(order_.source, path_, record)) return false;
    const std::uint64_t limit = folder_.size_limit();
    if (limit != 0 && record.size > limit) {
      record.why_no_file = "it would be larger than all of them may be (KILN_PCH_MAX_SIZE)";
      return true;
    }
    return folder_.adopt(EntryKind::pch, record.file, path_) == 0;
  }

  const PchOrder& order_;
  CacheStore& store_;
  CacheFolder& folder_;
  KeyLock lock_;
  std::string path_;  // where NVRTC writes it
};

/// Enough for the largest known files: without the space each attempt would be in vain.
bool has_room(const std::string& folder) {
  constexpr std::uint64_t largest = std::uint64_t{512} << 20;
  struct statvfs room = {};
  return file_size_limit() >= largest && ::statvfs(folder.c_str(), &room) == 0 &&
         std::uint64_t{room.f_bavail} * room.f_frsize >= largest;
}

/// NVRTC's own temporary files, which it leaves behind where it is ended.
class OwnTemporaryFiles {
 public:
  explicit OwnTemporaryFiles(const std::string& parent) : folder_(parent, "pch") {
    if (folder_.error() == 0) ::setenv("TMPDIR", folder_.path().c_str(), 1);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

bool can_be_made(const PchOrder& order) {
  CacheFolder& folder = open_store(order.place.folder).folder();
  if (folder.prepare() != 0 || !has_room(folder.root())) return false;
  FileLock lock(FileSystem::real());
  return lock.open(folder.lock_path()) != 0 || lock.try_lock(KeyLock::offset_of(order.key.name)) != -EAGAIN;
}

void make_pch(const PchOrder& order) {
  FileRecording::forget_parents();
  const OwnTemporaryFiles temporary(order.place.temporary_files);
  Making(order).run();
}

}  // namespace kiln
