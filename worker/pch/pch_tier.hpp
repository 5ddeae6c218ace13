// The PCH cache: precompiled headers that outlive the process that made them, and which of them a compile may use.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "base/owned_descriptor.hpp"
#include "cache/store.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/request/request.hpp"
#include "worker/nvrtc/precompiled_headers.hpp"
#include "worker/pch/pch_heap.hpp"
#include "worker/pch/pch_record.hpp"
#include "worker/pch/pch_source.hpp"
#include "worker/recording/file_record.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

/// An open file, which a thread reads to its end meanwhile, to compare its digest. A user of the file calls is_good()
/// before the result is used. A file that replaces it under its name does not matter.
class CheckedFile {
 public:
  /// Null where there is no file of that size that only this user can write, or no thread.
  static std::unique_ptr<CheckedFile> open(FileSystem& files, const std::string& path, std::uint64_t size,
                                           const Digest& digest);
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  /// A name for the open file, good in this process.
  std::string name() const;
  /// The check may begin: before, it would only slow the reader of the file down.
  void begin();
  /// Waits for the end of the check.
  bool is_good();

 private:
  explicit CheckedFile(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  OwnedDescriptor descriptor_;
  std::atomic<bool> may_begin_{false};
  bool is_good_ = false;  // the thread's, until it is joined
  std::thread thread_;
};

/// For the compile of one request, by its attempts. A precompiled header is used only where all files that were read
/// for it are unchanged, by the rules of a cache hit. Counts in the folder of precompiled headers. No fault of a file
/// or of the folder is an error: the compile then does without it.
class PchTier : public PrecompiledHeaders {
 public:
  /// `request` changes between attempts.
  PchTier(const Request& request, const PchPlace& place);

  std::optional<std::string> option_for(const NvrtcLibrary& nvrtc, const CompilerJob& job, const NvrtcText& text,
                                        const std::vector<std::string>& options) override;
  bool accept(nvrtcResult result, std::string& log) override;

  /// After the last attempt, which made code: the file accesses of the precompiled header belong to those of the
  /// compile. Where there was none, and the compile took long enough, one is to be made (pch_maker.hpp).
  void finish(FileRecord& record);

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::string> find(const NvrtcLibrary& nvrtc);
  std::optional<std::string> use(const CacheStore::Hit& hit);
  bool note_need();
  void explain_refusal() const;
  void drop_what_crashed();
  void drop();
  void refuse(Counter reason, const std::string& text);

  const Request& request_;
  const PchPlace& place_;
  CacheStore& store_;
  PchSource source_;
  CacheKey key_;
  Clock::time_point start_;
  bool is_missing_ = false;  // and may be made
  bool is_noted_ = false;    // so that it is known whether it may be
  std::optional<Counter> refusal_;
  std::string why_refused_;
  Digest entry_;
  PchRecord record_;
  std::unordered_map<std::string, SeenState> seen_;  // what the record's files and folders were like before the compile
  std::unique_ptr<CheckedFile> file_;                // in use
  std::optional<PchImageReading> reading_;
};

}  // namespace kiln
