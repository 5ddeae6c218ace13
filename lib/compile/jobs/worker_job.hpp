// What a worker is asked: the jobs, as values.
#pragma once

#include "cache/entry.hpp"
#include "cache/remote/remote_address.hpp"
#include "compile/compiler/compiler_job.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/request/request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

enum class JobKind : std::uint8_t {
  make_code,
  run_nvvm,
  link,
  preprocess,
  nvcc_version,
  nvjitlink_version,
  unpack_headers,
  remote_get,
  remote_put,
  remote_wait,
  remote_release,
  remote_report,
  remote_list,
  remote_push
};

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
  JobKind kind = JobKind::make_code;
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

/// make_code(); the answer is MadeCode.
struct MakeCodeJob {
  Request request;
  bool keep = false;
  PchPlace pch = {};
};

/// run_nvvm(); the answer is NvvmCode.
struct NvvmJob {
  std::string ir;
  IrRequest request;
  std::string libdevice;  // its file; empty where none is needed
};

/// compile_with_nvcc(); the answer is the output's code.
struct PreprocessJob {
  std::string nvcc;
  CompilerJob job;
};

/// version_of_nvcc(); the answer is NvccVersion.
struct NvccVersionJob {
  std::string nvcc;
};

/// NvJitLinkLibrary::version_number(); the answer is a Version.
struct NvJitLinkVersionJob {};

/// unpack_headers(); the answer is the folder.
struct UnpackHeadersJob {
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

/// Values by name; the answer is RemoteFound. Without names only a claim is made.
struct RemoteGetJob {
  RemotePlace place;
  std::vector<RemoteName> names;
  std::uint64_t milliseconds = 0;  // that it may take
  std::string claim_owner = {};    // where the first value is nowhere, the right to make code is claimed for this owner
  RemoteName claim = {};           // what is claimed
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

/// Adds a compile's code to the remotes in the background; gives up the claim then. The answer, an empty text, comes
/// before.
struct RemotePutJob {
  RemotePlace place;
  std::string request;   // canonical bytes
  std::string manifest;  // a RemoteManifest of one variant; empty where the request has none
  RemoteName name;       // of the entry
  std::string entry;     // its file
  std::string claim_owner = {};
};

/// Waits until nobody has the claim, or for so long. The answer is an empty text.
struct RemoteWaitJob {
  RemotePlace place;
  RemoteName name;
  std::uint64_t milliseconds = 0;
};

/// Gives up a claim after a compile that failed. The answer is an empty text.
struct RemoteReleaseJob {
  RemotePlace place;
  RemoteName name;
  std::string claim_owner;
};

/// What each remote of the place is like; the answer is RemoteReports.
struct RemoteReportJob {
  RemotePlace place;
  bool in_brief = false;           // only whether it answers, within the time that it may take to connect
  std::uint64_t milliseconds = 0;  // that each may take otherwise, once it has answered within its request_timeout
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

// The next two are for people, who wait for them: at one remote, whose fault is an Error. Each question may take the
// address's request_timeout.

/// Which code entries are meant. Empty members leave the choice open.
struct EntrySelection {
  std::vector<std::string> names;           // as CacheEntry::name
  std::vector<std::string> archs;           // "sm_80"
  std::optional<std::uint64_t> newer_than;  // s since the last use
};

/// The entries of a remote; the answer is RemoteListed.
struct RemoteListJob {
  RemotePlace place;
  EntrySelection selection;
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

/// Puts what is not there; the answer is RemotePushed.
struct RemotePushJob {
  struct Group {
    std::string request;   // as RemotePutJob has them
    std::string manifest;  // of all entries of the group
    std::vector<std::pair<RemoteName, std::string>> entries;
  };
  RemotePlace place;
  std::vector<Group> groups;
};

/// Numbers of code entries.
struct RemotePushed {
  std::uint64_t pushed = 0;
  std::uint64_t already_there = 0;
};

// A link is a LinkTask (wire_link.hpp), and its answer a LinkResult.

}  // namespace kiln
