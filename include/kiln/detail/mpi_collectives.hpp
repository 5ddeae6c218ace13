// Bytes over MPI's collectives, and the communicators of a node and of the nodes' first processes.
#pragma once

#include <kiln/error.hpp>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::mpi::detail {

/// For communicators whose error handler returns; the usual one ends the job.
inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(std::string(call) + " failed: " + std::string(text, static_cast<std::size_t>(length)));
}

/// A communicator, freed at the end where it was made here. MPI_COMM_NULL has rank -1.
class Communicator {
 public:
  static Communicator borrowed(MPI_Comm comm) { return Communicator(comm, false); }
  /// Of the processes that share memory, ordered as in `comm`.
  static Communicator of_node(MPI_Comm comm, int rank) {
    MPI_Comm node = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    return Communicator(node, true);
  }
  /// Of the processes that say so, ordered as in `comm`; null in the others.
  static Communicator of_leaders(MPI_Comm comm, int rank, bool is_leader) {
    MPI_Comm leaders = MPI_COMM_NULL;
    check(MPI_Comm_split(comm, is_leader ? 0 : MPI_UNDEFINED, rank, &leaders), "MPI_Comm_split");
    return Communicator(leaders, true);
  }
  Communicator(Communicator&& other) noexcept
      : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        is_own_(other.is_own_),
        rank_(other.rank_),
        size_(other.size_) {}
  Communicator& operator=(Communicator&&) = delete;
  ~Communicator() {
    if (is_own_ && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  MPI_Comm get() const noexcept { return comm_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

 private:
  Communicator(MPI_Comm comm, bool is_own) : comm_(comm), is_own_(is_own) {
    if (comm == MPI_COMM_NULL) return;
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
  }
  MPI_Comm comm_;
  bool is_own_;
  int rank_ = -1;
  int size_ = 0;
};

/// All processes of a communicator, by nodes.
struct Nodes {
  /// `given` are the processes of this one's node, or MPI_COMM_NULL.
  Nodes(MPI_Comm comm, MPI_Comm given)
      : all(Communicator::borrowed(comm)),
        node(given != MPI_COMM_NULL ? Communicator::borrowed(given) : Communicator::of_node(comm, all.rank())),
        leaders(Communicator::of_leaders(comm, all.rank(), node.rank() == 0)) {}
  bool is_leader() const noexcept { return node.rank() == 0; }

  Communicator all;
  Communicator node;
  Communicator leaders;  // null where this process is no leader
};

/// Throws Error where MPI cannot be called now.
inline void require_mpi(MPI_Comm comm, const char* function) {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun == 0 || ended != 0) throw Error(std::string(function) + ": call it between MPI_Init and MPI_Finalize");
  if (comm == MPI_COMM_NULL) throw Error(std::string(function) + ": the communicator is MPI_COMM_NULL");
}

/// Returns when all have called it. Sleeps meanwhile: MPI's own waiting would take the CPUs that the compilers need.
inline void wait_for_all(const Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(comm.get(), &request), "MPI_Ibarrier");
  constexpr std::chrono::microseconds longest(1000);
  std::chrono::microseconds pause(10);
  for (int done = 0;; pause = std::min(2 * pause, longest)) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    std::this_thread::sleep_for(pause);
  }
}

/// Replaces `bytes` by the root's.
inline void broadcast(const Communicator& comm, std::string& bytes, int root = 0) {
  std::uint64_t size = bytes.size();
  check(MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm.get()), "MPI_Bcast");
  bytes.resize(static_cast<std::size_t>(size));
  constexpr std::size_t most = std::size_t{1} << 30;  // counts are of type int
  for (std::size_t begin = 0; begin < bytes.size(); begin += most) {
    const int count = static_cast<int>(std::min(most, bytes.size() - begin));
    check(MPI_Bcast(bytes.data() + begin, count, MPI_BYTE, root, comm.get()), "MPI_Bcast");
  }
}

/// Each process's bytes, in the order of ranks.
inline std::vector<std::string> gather(const Communicator& comm, const std::string& mine, bool in_all) {
  const std::uint64_t size = mine.size();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(comm.size()));
  check(MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, comm.get()), "MPI_Allgather");
  std::vector<std::string> all(sizes.size());
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  if (total > INT_MAX) {  // counts and offsets are of type int
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (static_cast<int>(i) == comm.rank()) all[i] = mine;
      if (sizes[i] != 0) broadcast(comm, all[i], static_cast<int>(i));
    }
    return all;
  }
  std::vector<int> counts, offsets;
  for (const std::uint64_t one : sizes) {
    offsets.push_back(counts.empty() ? 0 : offsets.back() + counts.back());
    counts.push_back(static_cast<int>(one));
  }
  const bool is_here = in_all || comm.rank() == 0;
  std::string joined(is_here ? static_cast<std::size_t>(total) : 0, '\0');
  const int count = static_cast<int>(mine.size());
  check(in_all ? MPI_Allgatherv(mine.data(), count, MPI_BYTE, joined.data(), counts.data(), offsets.data(), MPI_BYTE,
                                comm.get())
               : MPI_Gatherv(mine.data(), count, MPI_BYTE, joined.data(), counts.data(), offsets.data(), MPI_BYTE, 0,
                             comm.get()),
        "MPI_Gatherv");
  for (std::size_t i = 0; i < all.size() && is_here; ++i)
    all[i] = joined.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(counts[i]));
  return all;
}
/// In every process.
inline std::vector<std::string> gather_in_all(const Communicator& comm, const std::string& mine) {
  return gather(comm, mine, true);
}
/// In the one of rank 0; as many empty ones elsewhere.
inline std::vector<std::string> gather_in_leader(const Communicator& comm, const std::string& mine) {
  return gather(comm, mine, false);
}

/// Bytes of all processes, combined by "or". All must give as many.
inline std::string combine(const Communicator& comm, std::string bytes) {
  std::string all(bytes.size(), '\0');
  check(MPI_Allreduce(bytes.data(), all.data(), static_cast<int>(bytes.size()), MPI_BYTE, MPI_BOR, comm.get()),
        "MPI_Allreduce");
  return all;
}

/// Texts after each other, each after its length.
inline void append_framed(std::string& out, std::string_view text) {
  const std::uint64_t size = text.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
}

inline std::vector<std::string_view> framed_texts(std::string_view bytes) {
  std::vector<std::string_view> texts;
  for (std::uint64_t size = 0; bytes.size() >= sizeof size;) {
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    texts.push_back(bytes.substr(0, static_cast<std::size_t>(size)));
    bytes.remove_prefix(std::min(bytes.size(), static_cast<std::size_t>(size)));
  }
  return texts;
}

}  // namespace kiln::mpi::detail
