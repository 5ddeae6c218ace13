// What the tests of MPI know of their job: its ranks, and the nodes that they play.
#pragma once

#include "scratch_folder.hpp"

#include <kiln/cache.hpp>

#include <mpi.h>

#include <sys/stat.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

namespace kiln::test {

/// The ranks of MPI_COMM_WORLD. A check that fails is said, and counted for the exit status; all go on, as the others
/// wait for this one.
class Job {
 public:
  Job() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (rank_ == 0) scratch_.emplace();
    std::string path = rank_ == 0 ? scratch_->path().string() : std::string();
    int length = static_cast<int>(path.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path.resize(static_cast<std::size_t>(length));
    MPI_Bcast(path.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    folder_ = path;
  }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  const std::filesystem::path& folder() const noexcept { return folder_; }

  void check(bool holds, const std::string& what) {
    if (holds) return;
    ++failures_;
    std::fprintf(stderr, "rank %d: %s: NOT SO: %s\n", rank_, part_.c_str(), what.c_str());
  }
  /// Names what follows, when all ranks are there.
  void begin(const std::string& part) {
    barrier();
    part_ = part;
    if (rank_ == 0) std::printf("%s\n", part.c_str()), std::fflush(stdout);
  }
  /// Sleeps while it waits: there are more ranks than CPUs.
  void barrier() const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  /// Of all ranks.
  int failures() const { return static_cast<int>(sum(static_cast<std::uint64_t>(failures_))); }
  std::uint64_t sum(std::uint64_t mine) const {
    std::uint64_t all = 0;
    barrier();
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

 private:
  int rank_ = 0, size_ = 0, failures_ = 0;
  std::optional<ScratchFolder> scratch_;
  std::filesystem::path folder_;
  std::string part_;
};

/// Returns when the file is so old that a compile which reads it is kept. Its own change time counts, which only
/// waiting moves.
inline void wait_until_old(const std::filesystem::path& path) {
  constexpr std::int64_t second = 1'000'000'000, old = 30'000'000;
  struct stat status {};
  ::stat(path.c_str(), &status);
  const std::int64_t changed = status.st_ctim.tv_sec * second + status.st_ctim.tv_nsec;
  for (timespec now{}; ::clock_gettime(CLOCK_REALTIME, &now), now.tv_sec * second + now.tv_nsec < changed + old;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Ranks that play nodes: each has a folder for its cache and its temporary files, and a working folder.
class PlayedNodes {
 public:
  PlayedNodes(Job& job, const std::string& name, int count)
      : job_(job), folder_(job.folder() / name), count_(count), node_(job.rank() * count / job.size()) {
    MPI_Comm_split(MPI_COMM_WORLD, node_, job.rank(), &comm_);
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    is_leader_ = rank == 0;
    if (is_leader_)
      for (const char* part : {"tmp", "work/include"}) std::filesystem::create_directories(folder_of(node_) / part);
    job.barrier();
    ::setenv("KILN_CACHE_DIR", cache_of(node_).c_str(), 1);
    ::setenv("TMPDIR", (folder_of(node_) / "tmp").c_str(), 1);
    std::filesystem::current_path(folder_of(node_) / "work");
  }
  ~PlayedNodes() {
    std::filesystem::current_path("/");
    MPI_Comm_free(&comm_);
  }
  PlayedNodes(const PlayedNodes&) = delete;
  PlayedNodes& operator=(const PlayedNodes&) = delete;

  MPI_Comm comm() const noexcept { return comm_; }
  int node() const noexcept { return node_; }
  int count() const noexcept { return count_; }
  bool is_leader() const noexcept { return is_leader_; }
  std::filesystem::path folder_of(int node) const { return folder_ / ("node " + std::to_string(node)); }
  std::string cache_of(int node) const { return (folder_of(node) / "cache").string(); }
  std::string cache() const { return cache_of(node_); }

  /// Of the caches of all nodes.
  std::uint64_t compiles() const { return sum(&CacheStats::compiles); }
  std::uint64_t stores() const { return sum(&CacheStats::stores); }

 private:
  std::uint64_t sum(std::uint64_t CacheStats::*member) const {
    job_.barrier();
    return job_.sum(is_leader_ ? Cache(cache()).stats().*member : 0);
  }

  Job& job_;
  std::filesystem::path folder_;
  int count_;
  int node_;
  bool is_leader_ = false;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace kiln::test
