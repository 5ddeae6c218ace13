// The counts of all launches of the process, by kernel and instruction. They outlive the modules.
#pragma once

#include "emulator/machine/launch.hpp"
#include "emulator/profile/core_counts.hpp"
#include "emulator/profile/counters.hpp"
#include "emulator/profile/instruction_kind.hpp"
#include "emulator/profile/kernel_resources.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::emulator {

/// A line of ProfileStore::sources.
struct SourcePlace {
  std::size_t source = 0;
  std::uint32_t line = 0;
  bool operator==(const SourcePlace&) const = default;
};

/// Which memory an instruction accesses, as its text says.
struct StatedAccess {
  std::string space, operation;
  std::uint64_t bytes = 0;  // of a thread; 0 if the text does not say
};

/// An instruction that was executed.
struct InstructionCounts {
  std::uint32_t ptx_line = 0;
  std::string function;  // as in the PTX
  std::string text;
  InstructionKind kind = InstructionKind::misc;
  BranchShape shape = BranchShape::other;
  std::vector<SourcePlace> places;  // the innermost first, then where it is inlined; empty without line information
  std::optional<StatedAccess> access;
  Counters counters;
  std::vector<AccessSample> firsts;
  std::optional<AccessSample> worst;
};

/// Launches of one kernel with the same sizes.
struct LaunchEntry {
  std::size_t program = 0;
  std::string kernel;  // as in the PTX
  Dim3 grid, block;
  std::uint32_t static_shared = 0, dynamic_shared = 0, local_bytes = 0;
  bool cooperative = false;
  std::uint64_t launches = 0, failed = 0;

  using Instructions = std::map<std::uint32_t, InstructionCounts>;
  std::map<std::string_view, Instructions> functions;
  BusiestThread busiest;
  struct TraceRow {
    const InstructionCounts* row;
    LaneMask lanes, active;
  };
  std::vector<TraceRow> trace;
  bool is_trace_cut = false;
};

struct ProfiledSource {
  std::string name;
  std::optional<std::string> text;  // nothing if it is not in the PTX: then it may be a file
};

struct ProfiledProgram {
  std::shared_ptr<const std::string> text;
  std::string target, version;
  std::map<std::uint32_t, std::size_t> sources;  // of the numbers of its .file
  ProgramResources resources{{}, "no kernel of it was launched"};
  bool was_launched = false;
};

class ProfileStore {
 public:
  static ProfileStore& get();

  /// The entry for a launch; null if there are too many. `is_sampled` if samples and a trace are to be taken.
  LaunchEntry* begin(const LaunchRequest& request, bool& is_sampled);
  /// Adds the counts of a launch.
  void end(LaunchEntry& entry, const std::vector<std::unique_ptr<CoreCounts>>& cores, bool failed);

  /// Calls f(*this) while no launch changes anything.
  template <class F>
  auto locked(F f) {
    const std::lock_guard lock(mutex_);
    return f(*this);
  }
  // For reports, while locked.
  const std::deque<LaunchEntry>& entries() const { return entries_; }
  const std::vector<ProfiledSource>& sources() const { return sources_; }
  const std::vector<ProfiledProgram>& programs() const { return programs_; }
  std::uint64_t omitted() const { return omitted_; }
  /// For tests, between launches.
  void clear();

 private:
  LaunchEntry* entry_for(const LaunchRequest& request, std::size_t program, bool& is_sampled);
  void add_resources(const ptx::Module& module, std::unique_lock<std::mutex>& lock);
  std::size_t program_of(const ptx::Module& module);
  std::size_t source_of(const std::string& name, std::string_view ptx);
  void add_code(LaunchEntry& entry, const CodeCounts& counts);
  InstructionCounts& row_of(LaunchEntry& entry, const Code& code, std::uint32_t instruction);
  InstructionCounts made_row(const LaunchEntry& entry, const Code& code, std::uint32_t instruction) const;

  std::mutex mutex_;
  std::deque<LaunchEntry> entries_;
  std::vector<ProfiledSource> sources_;
  std::vector<ProfiledProgram> programs_;
  // Texts that modules have in memory; a module may be loaded several times.
  std::unordered_map<const std::string*, std::pair<std::weak_ptr<const std::string>, std::size_t>> known_texts_;
  std::uint64_t omitted_ = 0;
  std::size_t rows_ = 0;  // of all entries
};

}  // namespace kiln::emulator
