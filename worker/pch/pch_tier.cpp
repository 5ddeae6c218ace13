#include "worker/pch/pch_tier.hpp"

#include "base/files.hpp"
#include "base/signal_masked_thread.hpp"
#include "cache/notes.hpp"
#include "cache/open_stores.hpp"
#include "compile/compiler/inform.hpp"
#include "worker/dependencies/file_recording.hpp"
#include "worker/pch/make_pch.hpp"
#include "worker/pch/pch_heap.hpp"
#include "worker/pch/pch_maker.hpp"
#include "worker/pch/pch_policy.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace kiln {

std::unique_ptr<CheckedFile> CheckedFile::open(FileSystem& files, const std::string& path, std::uint64_t size,
                                               const Digest& digest) {
  OwnedDescriptor descriptor(files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0));
  FileStatus status;
  if (descriptor.get() < 0 || files.status(descriptor.get(), status) != 0) return nullptr;
  constexpr unsigned written_by_others = 022;
  if (!status.is_regular() || status.size != size) return nullptr;
  if (status.owner != files.user() || (status.mode & written_by_others) != 0) return nullptr;
  std::unique_ptr<CheckedFile> file(new CheckedFile(std::move(descriptor)));
  try {
    file->thread_ = start_signal_masked_thread([&files, own = file.get(), digest] {
      own->may_begin_.wait(false);
      Digest found;
      own->is_good_ = digest_file(files, own->descriptor_.get(), found) == 0 && found == digest;
    });
  } catch (const Error&) {
    return nullptr;
  }
  return file;
}

CheckedFile::~CheckedFile() {
  begin();
  if (thread_.joinable()) thread_.join();
}

std::string CheckedFile::name() const { return "/proc/self/fd/" + std::to_string(descriptor_.get()); }

void CheckedFile::begin() {
  may_begin_ = true;
  may_begin_.notify_all();
}

bool CheckedFile::is_good() {
  begin();
  if (thread_.joinable()) thread_.join();
  return is_good_;
}

namespace {

bool is_file_read(const FileQuestion& question) {
  return question.opened && question.answer == FileQuestion::Answer::file;
}

/// Device and inode.
using Identity = std::pair<std::uint64_t, std::uint64_t>;

/// A file that was read after the precompiled header, and by another path in it; empty where there is none. NVRTC does
/// not know such a file again, and reads it in spite of its `#pragma once`.
std::string read_by_two_paths(FileSystem& files, const std::vector<FileQuestion>& precompiled,
                              const std::vector<FileQuestion>& behind, const std::string& ignored) {
  std::set<std::string> known;
  for (const FileQuestion& question : precompiled)
    if (is_file_read(question)) known.insert(question.path);
  std::set<Identity> identities;
  for (const FileQuestion& question : behind) {
    if (!is_file_read(question) || !question.seen || question.path == ignored || known.count(question.path) != 0)
      continue;
    FileStatus status;
    if (identities.empty())
      for (const std::string& path : known)
        if (files.status(path, status) == 0) identities.emplace(status.device, status.inode);
    if (identities.count({question.seen->state[0], question.seen->state[1]}) != 0) return question.path;
  }
  return {};
}

/// The present fingerprints of the files and folders that were found unchanged.
std::unordered_map<std::string, SeenState> states_in(const Dependencies& found, const Roots& roots,
                                                     std::int64_t now_ns) {
  std::unordered_map<std::string, SeenState> states;
  for (const FileDependency& file : found.files)
    states.emplace(file.path.resolve(roots), SeenState{file.status.state(), now_ns});
  for (const FolderDependency& folder : found.folders)
    states.emplace(folder.path.resolve(roots), SeenState{folder.status.state(), now_ns});
  return states;
}

/// Whether that is an outcome of the source, and not of a file that NVRTC trusts.
bool is_of_source(nvrtcResult result, std::string_view log) {
  if (result != NVRTC_SUCCESS && result != NVRTC_ERROR_COMPILATION) return false;
  return log.find("atastrophic error") == log.npos && log.find("nternal error") == log.npos &&
         log.find("precompiled header") == log.npos && log.find("PCH") == log.npos;
}

}  // namespace

PchTier::PchTier(const Request& request, const PchPlace& place)
    : request_(request), place_(place), store_(open_store(place.folder)) {
  store_.folder().be_for_pch(place.size_limit);
}

std::optional<std::string> PchTier::option_for(const NvrtcLibrary& nvrtc, const CompilerJob&, const NvrtcText& text,
                                               const std::vector<std::string>& options) {
  const FileRecording::Pause pause;
  reading_.reset();
  file_.reset();
  is_missing_ = is_noted_ = false;
  refusal_.reset();
  source_ = pch_source(text, options);
  std::optional<std::string> option;
  if (!source_.directives.empty()) option = find(nvrtc);
  start_ = Clock::now();
  return option;
}

std::optional<std::string> PchTier::find(const NvrtcLibrary& nvrtc) {
  if (!nvrtc.set_pch_heap_size) {
    refuse(Counter::pch_refused_nvrtc, nvrtc.title() + " has none that another process could use (12.8 has)");
    return std::nullopt;
  }
  if (const std::string unfit = unfit_text(request_, source_); !unfit.empty()) {
    refuse(Counter::pch_refused_text, unfit);
    return std::nullopt;
  }
  if (const std::string& fault = prepare_pch_heap(nvrtc); !fault.empty()) {
    refuse(Counter::pch_refused_address, fault);
    return std::nullopt;
  }
  key_ = source_.key(request_);
  if (place_.has_crashed) {
    drop_what_crashed();
    return std::nullopt;
  }
  std::string changed;
  if (const auto hit = store_.find(key_, true, request_.search.roots, &changed)) return use(*hit);
  if (!changed.empty()) refuse(Counter::pch_refused_changed, plain_path(changed) + " changed");
  is_missing_ = true;
  if (request_.context.waiting > 0 && note_need())
    start_pch_maker({request_, place_, source_, key_, PchOrder::Haste::now});
  return std::nullopt;
}

/// Whether the very same was asked for before; a note says so from now on. The first request that has these headers
/// gets a file, and so does one that comes a second time: of a hundred variants that differ in a macro each would get
/// its own, of use to none.
bool PchTier::note_need() {
  CacheFolder& folder = store_.folder();
  const CacheKey family = source_.family(request_);
  const bool is_first = !find_note(folder, family);
  const bool was_asked_for = find_note(folder, key_).has_value();
  is_missing_ = is_first || was_asked_for;
  is_noted_ = true;
  if (is_first) put_note(folder, family, {});
  if (!was_asked_for) put_note(folder, key_, {});
  return was_asked_for;
}

std::optional<std::string> PchTier::use(const CacheStore::Hit& hit) {
  entry_ = hit.key;
  auto record = pch_record(hit.sections);
  if (!record) {
    store_.discard(entry_);
    return std::nullopt;
  }
  record_ = *std::move(record);
  if (!record_.why_no_file.empty()) {
    refuse(record_.why, record_.why_no_file);
    // The limit is another by now.
    const bool was_too_large = record_.size != 0;
    if (was_too_large && (place_.size_limit == 0 || record_.size <= place_.size_limit)) {
      store_.folder().remove(EntryKind::code, entry_);
      is_missing_ = is_noted_ = true;
    }
    return std::nullopt;
  }
  CacheFolder& folder = store_.folder();
  FileSystem& files = folder.files();
  seen_ = states_in(hit.dependencies, request_.search.roots, files.steady_ns());
  const std::string path = folder.path(EntryKind::pch, record_.file);
  file_ = CheckedFile::open(files, path, record_.size, record_.file);
  if (!file_) {
    drop();
    refuse(Counter::pch_refused_damaged, "its file is missing or of another size");
    return std::nullopt;
  }
  FileStatus status;
  if (folder.file_status(path, status) == 0 && folder.is_stale(status)) folder.stamp(EntryKind::pch, record_.file);
  reading_.emplace(record_.image, [file = file_.get()] { file->begin(); });
  return "--use-pch=" + file_->name();
}

bool PchTier::accept(nvrtcResult result, std::string& log) {
  const FileRecording::Pause pause;
  reading_.reset();
  const bool was_used = take_out_line(log, "using precompiled header file");
  if (!file_->is_good()) {
    drop();
    refuse(Counter::pch_refused_damaged, "its file is damaged");
  } else if (is_pch_heap_misplaced()) {
    refuse(Counter::pch_refused_address, "the address of NVRTC's heap for them is taken in this process");
  } else if (!was_used) {
    record_.why_no_file = "NVRTC did not take it: " + log;
    record_.why = Counter::pch_refused_options;
    record_.size = 0;  // only a file that was too large has one
    store_.folder().publish(EntryKind::code, entry_, to_sections(record_));
    store_.folder().remove(EntryKind::pch, record_.file);
    refuse(Counter::pch_refused_options, record_.why_no_file);
  } else if (const std::string twice = read_by_two_paths(store_.folder().files(), record_.questions,
                                                         FileRecording::so_far().questions, file_->name());
             !twice.empty()) {
    refuse(Counter::pch_refused_text, "one of its headers is read once more as " + plain_path(twice));
  } else if (is_of_source(result, log)) {
    return true;
  } else {
    drop();
    refuse(Counter::pch_refused_damaged, "NVRTC failed with it: " + log);
  }
  file_.reset();
  start_ = Clock::now();
  return false;
}

void PchTier::finish(FileRecord& record) {
  CacheFolder& folder = store_.folder();
  if (file_) {
    const std::string name = file_->name();
    std::erase_if(record.questions, [&name](const FileQuestion& question) { return question.path == name; });
    record.questions.insert(record.questions.begin(), record_.questions.begin(), record_.questions.end());
    record.seen.merge(seen_);
    folder.count(Counter::pch_used);
    inform(request_.job.name, "its headers are precompiled");
  } else if (refusal_) {
    folder.prepare();  // for the counters
    folder.count(*refusal_);
    folder.count(Counter::pch_refused);
    explain_refusal();
  }
  folder.write_counts();
  if (!is_missing_ || Clock::now() - start_ < pch_policy().least_compile) return;
  if (!is_noted_) note_need();
  PchOrder order{request_, place_, source_, key_, PchOrder::Haste::later};
  if (!is_missing_ || !can_be_made(order)) return;
  inform(request_.job.name, "a precompiled header of what it includes is made for later compiles");
  order_pch(std::move(order));
}

/// A reason that holds for every compile of this process is logged once.
void PchTier::explain_refusal() const {
  static bool is_known = false;
  const bool is_of_process = refusal_ == Counter::pch_refused_nvrtc || refusal_ == Counter::pch_refused_address;
  if (is_of_process && std::exchange(is_known, true)) return;
  inform(request_.job.name, "no precompiled header is used: " + why_refused_);
}

/// A worker crashed in this job, perhaps because of the file, which NVRTC trusts.
void PchTier::drop_what_crashed() {
  const auto hit = store_.find(key_, true, request_.search.roots);
  const auto record = hit ? pch_record(hit->sections) : std::nullopt;
  if (!hit) return;
  entry_ = hit->key;
  record_ = record.value_or(PchRecord());
  if (!record_.why_no_file.empty()) return;
  drop();
  refuse(Counter::pch_refused_damaged, "the process that used it died");
}

/// It is made anew.
void PchTier::drop() {
  is_missing_ = is_noted_ = true;
  store_.discard(entry_);
  store_.folder().remove(EntryKind::pch, record_.file);
}

void PchTier::refuse(Counter reason, const std::string& text) {
  refusal_ = reason;
  why_refused_ = text;
}

}  // namespace kiln
