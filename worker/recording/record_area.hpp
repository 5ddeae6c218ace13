// The memory into which the recording calls write file accesses. Shared by threads, and for nvcc by processes, too: no
// lock, no allocation, nothing of the C++ library, because it is written to inside any program's calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln {

/// The kind of program that accesses files.
enum class Asker : std::uint8_t {
  nvrtc,          // or another library that compiles in this process
  nvidia,         // nvcc and those of its programs that read sources
  host_compiler,  // all that is not known to be another: the host compiler, a wrapper around it, a shell
  other,          // reads no source: an assembler, a linker, a packer, a cache in front of a compiler
};

/// Why something was not recorded: bits.
enum RecordLoss : std::uint32_t {
  record_is_full = 1,
  record_has_long_path = 2,
  record_has_odd_error = 4,  // the result was the process's own fault (too many open files): no fact about the file
};

/// One file access. Its path, which ends with a zero, follows it.
struct RecordedQuestion {
  std::uint32_t size;      // all of it, a multiple of eight
  std::uint8_t is_whole;   // set at the end: a process can die between
  std::uint8_t is_clock;   // no file: the clock was read
  std::uint8_t answer;     // FileQuestion::Answer
  std::uint8_t is_opened;  // FileQuestion::opened
  Asker asker;
  std::uint8_t is_glance;    // no access: the recorder examined a folder in which something was looked for
  std::uint8_t has_state;    // FileQuestion::seen
  std::uint8_t has_content;  // FileQuestion::content
  std::uint8_t content[32];
  std::uint64_t state[5];  // FileState
  std::int64_t time_ns;    // when it was seen, or later
};

/// Its accesses follow it. Memory of zeros, with the capacity set, is an empty one.
struct RecordArea {
  std::uint64_t capacity;  // bytes for accesses
  std::uint64_t used;      // atomic; beyond the capacity where something did not fit
  std::uint32_t losses;    // atomic
  std::uint32_t unused;
  std::uint64_t glances[256];  // atomic: hashes of folders that were examined, each at its own index

  unsigned char* questions() noexcept { return reinterpret_cast<unsigned char*>(this + 1); }
  const unsigned char* questions() const noexcept { return reinterpret_cast<const unsigned char*>(this + 1); }

  void lose(RecordLoss loss) noexcept { __atomic_fetch_or(&losses, loss, __ATOMIC_RELAXED); }

  /// Space for an access with a path of that many bytes; null where there is none.
  RecordedQuestion* reserve(std::size_t path_size) noexcept {
    const std::uint64_t size = (sizeof(RecordedQuestion) + path_size + 1 + 7) / 8 * 8;
    const std::uint64_t begin = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
    if (begin > capacity || capacity - begin < size) {
      lose(record_is_full);
      return nullptr;
    }
    auto* question = reinterpret_cast<RecordedQuestion*>(questions() + begin);
    question->size = static_cast<std::uint32_t>(size);
    return question;
  }
};

inline char* path_of(RecordedQuestion* question) noexcept { return reinterpret_cast<char*>(question + 1); }

/// Bytes of an area in all. Pages that are not written to take no memory.
inline constexpr std::uint64_t record_area_size = std::uint64_t{64} << 20;

/// The variable that names the file that is an area, for the programs that nvcc starts.
inline constexpr const char* record_area_variable = "KILN_RECORD_AREA";

}  // namespace kiln
