#include "worker/dependencies/file_recording.hpp"

#include "worker/dependencies/read_record.hpp"
#include "worker/recording/record_area.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace kiln {

namespace {

using Switch = const char*(RecordArea*);

Switch* find_switch() noexcept { return reinterpret_cast<Switch*>(::dlsym(RTLD_DEFAULT, "kiln_switch_recording")); }

std::atomic<bool> recording{false};

/// One for the process, kept: its pages are mapped at the next compile, and a late thread writes to no freed memory.
/// Null where there is no memory. Only after `recording` was set.
RecordArea* area() noexcept {
  static RecordArea* memory = nullptr;
  if (memory != nullptr) return memory;
  constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* mapped = ::mmap(nullptr, record_area_size, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  memory = static_cast<RecordArea*>(mapped);
  memory->capacity = record_area_size - sizeof(RecordArea);
  return memory;
}

void clear(RecordArea& full) noexcept {
  constexpr std::uint64_t much = std::uint64_t{1} << 20;
  const std::uint64_t used = std::min(full.used, full.capacity);
  const std::uint64_t capacity = full.capacity;
  if (used > much)
    ::madvise(&full, record_area_size, MADV_DONTNEED);  // zeros from now on, and no memory
  else
    std::memset(full.questions(), 0, used);
  full.capacity = capacity;
  full.used = 0;
  full.losses = 0;
  for (std::uint64_t& hash : full.glances) hash = 0;
}

}  // namespace

FileRecording::FileRecording() {
  Switch* const turn = find_switch();
  if (turn == nullptr) {
    gap_ = "this program does not record which files a compiler asks for; kiln-worker does";
    return;
  }
  if (recording.exchange(true)) {
    gap_ = "another compile of this process is being recorded";
    return;
  }
  runs_ = true;
  RecordArea* const empty = area();
  if (empty == nullptr) {
    gap_ = "there is no memory for a record";
  } else if (const char* const hidden = turn(empty)) {
    gap_ = "this program does not export " + std::string(hidden) + ", by which a compiler's questions are recorded";
  }
}

FileRecording::~FileRecording() { take(); }

FileRecord FileRecording::so_far() {
  return recording.load() && area() != nullptr ? read_record(*area(), record_area_size).record : FileRecord();
}

void FileRecording::leave_out_this_thread() {
  if (auto* const leave_out = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "kiln_leave_out_thread"))) leave_out();
}

void FileRecording::forget_parents() {
  if (!recording.load()) return;
  find_switch()(nullptr);
  if (area() != nullptr) clear(*area());
  recording = false;
}

FileRecording::Pause::Pause() : pauses_(recording.load()) {
  if (pauses_) find_switch()(nullptr);
}

FileRecording::Pause::~Pause() {
  if (pauses_ && area() != nullptr) find_switch()(area());
}

FileRecord FileRecording::take() {
  FileRecord record;
  record.gap = std::exchange(gap_, "the record was taken already");
  if (!runs_) return record;
  runs_ = false;
  find_switch()(nullptr);
  if (record.gap.empty()) record = read_record(*area(), record_area_size).record;
  if (area() != nullptr) clear(*area());
  recording = false;
  return record;
}

}  // namespace kiln
