// What a worker is asked: the jobs, as values. Each names the type of its answer.
#pragma once

#include "cache/entry.hpp"
#include "cache/remote/remote_address.hpp"
#include "compile/code/made_code.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/request/request.hpp"

#include <kiln/compile.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln {

/// The library that a job needs: the very file that the key means, which may have been replaced since.
struct JobLibrary {
  enum class Kind : std::uint8_t { none, nvrtc, nvvm, nvjitlink };
  Kind kind = Kind::none;
  std::string path;
  std::string builtins;  // NVRTC's second part
  std::string identity;  // of both, as nvrtc_identity() and library_identity() have it
};

/// What every job begins with.
struct JobHead {
  std::uint8_t kind = 0;  // job_kind
  JobLibrary library;
  std::vector<std::string> environment;  // all of this process's variables
  std::string temporary_files;           // where what is kept belongs
  bool has_ranges = false;               // whether the worker is to tell its stages, for a profiler of this process
};

/// Where precompiled headers are, as the host's environment and cache have it.
struct PchPlace {
  std::string folder;  // empty: none are used
  std::uint64_t size_limit = 0;
  std::string temporary_files = {};
  bool has_crashed = false;  // a worker died of this job: what it may have used is to be dropped
};

/// make_code().
struct MakeCodeJob {
  using Answer = MadeCode;
  Request request;
  bool keep = false;
  PchPlace pch = {};
};

/// run_nvvm().
struct NvvmJob {
  using Answer = NvvmCode;
  std::string ir;
  Request request;
  std::string libdevice;  // its file; empty where none is needed
};

/// compile_with_nvcc(); the answer is the output's code.
struct PreprocessJob {
  using Answer = std::string;
  std::string nvcc;
  CompilerJob job;
};

/// version_of_nvcc().
struct NvccVersionJob {
  using Answer = NvccVersion;
  std::string nvcc;
};

/// NvJitLinkLibrary::version_number().
struct NvJitLinkVersionJob {
  using Answer = Version;
};

/// unpack_headers(); the answer is the folder.
struct UnpackHeadersJob {
  using Answer = std::string;
  std::string folder;
};

/// Remote caches, and what is needed to trust them and to be trusted.
struct RemotePlace {
  std::vector<RemoteAddress> addresses;  // in the order in which they are asked
  std::vector<std::string> public_keys;  // files and folders
  std::string signing_key;               // a file; empty: nothing is put but at an unsigned address
  std::string counters;                  // the folder of the counters by remote
  friend bool operator==(const RemotePlace&, const RemotePlace&) = default;
};

struct RemoteName {
  EntryKind kind = EntryKind::code;
  Digest key;
};

struct RemoteFound {
  struct Fault {
    std::uint64_t address = 0;  // which of the job's
    std::string text;
  };
  std::vector<std::string> values;  // as many as names; checked by signature, and empty where there is none
  std::vector<Fault> faults;
  std::vector<std::string> refused;  // why, of each value without a valid signature by a key that is trusted
  bool is_claimed = false;           // now, by this owner
  bool is_claimed_by_other = false;
};

/// Values by name. Without names only a claim is made.
struct RemoteGetJob {
  using Answer = RemoteFound;
  RemotePlace place;
  std::vector<RemoteName> names;
  std::uint64_t milliseconds = 0;  // that it may take
  std::string claim_owner = {};    // where the first value is nowhere, the right to make code is claimed for this owner
  RemoteName claim = {};           // what is claimed
};

/// Adds a compile's code to the remotes in the background; gives up the claim then. The answer, an empty text, comes
/// before.
struct RemotePutJob {
  using Answer = std::string;
  RemotePlace place;
  std::string request;   // canonical bytes
  std::string manifest;  // a RemoteManifest of one variant; empty where the request has none
  RemoteName name;       // of the entry
  std::string entry;     // its file
  std::string claim_owner = {};
};

/// Waits until nobody has the claim, or for so long. The answer is an empty text.
struct RemoteWaitJob {
  using Answer = std::string;
  RemotePlace place;
  RemoteName name;
  std::uint64_t milliseconds = 0;
};

/// Gives up a claim after a compile that failed. The answer is an empty text.
struct RemoteReleaseJob {
  using Answer = std::string;
  RemotePlace place;
  RemoteName name;
  std::string claim_owner;
};

/// One remote's.
struct RemoteReportAnswer {
  std::string fault;  // empty where it answered; nothing else is known otherwise
  std::string server;
  std::uint64_t latency = 0;  // us
  std::string write_fault;
  std::optional<std::uint64_t> values;
  std::optional<std::int64_t> ahead_by;  // s
};

/// As many as addresses.
struct RemoteReports {
  std::vector<RemoteReportAnswer> all;
};

/// What each remote of the place is like.
struct RemoteReportJob {
  using Answer = RemoteReports;
  RemotePlace place;
  bool in_brief = false;           // only whether it answers, within the time that it may take to connect
  std::uint64_t milliseconds = 0;  // that each may take otherwise, once it has answered within its request_timeout
};

// The next two are for people, who wait for them: at one remote, whose fault is an Error. Each question may take the
// address's request_timeout.

/// Which code entries are meant. Empty members leave the choice open.
struct EntrySelection {
  std::vector<std::string> names;           // as CacheEntry::name
  std::vector<std::string> archs;           // "sm_80"
  std::optional<std::uint64_t> newer_than;  // s since the last use
};

struct RemoteListed {
  struct Value {
    RemoteName name;
    std::uint64_t size = 0;
  };
  std::vector<Value> values;             // code that is meant, all manifests, and notes of that age
  std::uint64_t too_large = 0;           // code entries that are left out for that
  bool has_meant = false;                // whether any code there is meant, or may be and is too old
  std::vector<std::string> others = {};  // some code that is not meant, as add_other has it
};

/// The entries of a remote.
struct RemoteListJob {
  using Answer = RemoteListed;
  RemotePlace place;
  EntrySelection selection;
};

/// Numbers of code entries.
struct RemotePushed {
  std::uint64_t pushed = 0;
  std::uint64_t already_there = 0;
};

/// Puts what is not there.
struct RemotePushJob {
  using Answer = RemotePushed;
  struct Group {
    std::string request;   // as RemotePutJob has them
    std::string manifest;  // of all entries of the group
    std::vector<std::pair<RemoteName, std::string>> entries;
  };
  RemotePlace place;
  std::vector<Group> groups;
};

/// What came of a link; the input at which it failed by its number, counted from one.
struct LinkResult {
  LinkOutcome outcome;
  std::size_t failed_input = 0;
};

/// After an input that nvJitLink refused, its next links in the process succeed with undefined symbols or too much
/// shared memory (13.0, 13.5), or crash (after a failure of link-time optimisation).
inline bool leaves_state(const LinkResult& result) { return !result.outcome.failure.empty(); }

/// One link by nvJitLink, with what a LinkOrder only refers to.
struct LinkTask {
  using Answer = LinkResult;
  LinkOrder order;
  LinkOptions options;
};

/// All jobs. A job's place in this list is its kind.
using Jobs = std::tuple<MakeCodeJob, NvvmJob, LinkTask, PreprocessJob, NvccVersionJob, NvJitLinkVersionJob,
                        UnpackHeadersJob, RemoteGetJob, RemotePutJob, RemoteWaitJob, RemoteReleaseJob, RemoteReportJob,
                        RemoteListJob, RemotePushJob>;

template <class Job, class... All>
constexpr std::uint8_t index_of_job(const std::tuple<All...>*) {
  std::uint8_t index = 0;
  (void)((std::same_as<Job, All> || (++index, false)) || ...);
  return index;
}
template <class Job>
inline constexpr std::uint8_t job_kind = index_of_job<Job>(static_cast<const Jobs*>(nullptr));

}  // namespace kiln
