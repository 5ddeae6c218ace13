// Of a program that compiles in its own process: recording is switched on and off from outside, by FileRecording.
#include "worker/recording/recorded_call.hpp"
#include "worker/recording/recording_calls.hpp"

namespace {

kiln::RecordArea* area;  // atomic
thread_local bool is_left_out = false;

}  // namespace

extern "C" {

// The linker's: the bounds of all calls. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern const kiln::RecordedCall __start_kiln_calls[] __attribute__((visibility("hidden")));
extern const kiln::RecordedCall __stop_kiln_calls[] __attribute__((visibility("hidden")));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

/// Records into `to` from now on; null: no more. Gives null, or the name of a call that libraries would not find,
/// because this program does not export it; then nothing is recorded.
__attribute__((visibility("default"))) const char* kiln_switch_recording(kiln::RecordArea* to) {
  static bool all_exported = false;
  if (to != nullptr && !all_exported) {
    for (const kiln::RecordedCall* call = __start_kiln_calls; call != __stop_kiln_calls; ++call)
      if (!call->is_exported()) return call->name;
    all_exported = true;
  }
  __atomic_store_n(&area, to, __ATOMIC_RELEASE);
  return nullptr;
}

/// What this thread asks is not recorded, in its life.
__attribute__((visibility("default"))) void kiln_leave_out_thread() { is_left_out = true; }
}

namespace kiln {

RecordTarget record_target() noexcept {
  return {is_left_out ? nullptr : __atomic_load_n(&area, __ATOMIC_ACQUIRE), Asker::nvrtc};
}

}  // namespace kiln
