// A bundle from one process to the caches of all nodes.
#pragma once

#include <kiln/cache.hpp>
#include <kiln/detail/mpi_collectives.hpp>
#include <kiln/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

namespace kiln::mpi::detail {

/// A file in a folder of this user's alone, both removed at the end.
class TemporaryBundle {
 public:
  TemporaryBundle() {
    std::error_code ignored;
    folder_ = (std::filesystem::temp_directory_path(ignored) / "kiln-bundle-XXXXXX").string();
    if (::mkdtemp(folder_.data()) == nullptr)
      throw Error("cannot make a folder " + folder_ + ": set TMPDIR to one that can be written");
    path_ = folder_ + "/bundle";
    out_.open(path_, std::ios::binary);
  }
  ~TemporaryBundle() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryBundle(const TemporaryBundle&) = delete;
  TemporaryBundle& operator=(const TemporaryBundle&) = delete;

  void write(const std::string& bytes) { out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); }
  /// Where all of it is.
  const std::string& finish() {
    out_.close();
    if (!out_) throw Error("cannot write " + path_ + ": is there room for the bundle in TMPDIR?");
    return path_;
  }

 private:
  std::string folder_, path_;
  std::ofstream out_;
};

/// A part of the file; shorter at its end. Throws where it cannot be read.
inline std::string read_part(std::ifstream& in, const std::filesystem::path& path) {
  std::string part(std::size_t{64} << 20, '\0');
  in.read(part.data(), static_cast<std::streamsize>(part.size()));
  if (in.bad() || !in.is_open())
    throw Error("cannot read the bundle " + path.string() + ": is it there, for the user of rank 0?");
  part.resize(static_cast<std::size_t>(in.gcount()));
  return part;
}

/// In leaders: gives the first one's file to the others, part by part, and imports it. Failures are kept until all have
/// all of it. Returns the number of entries added; throws in all leaders where the file cannot be read.
inline std::uint64_t import_in_leaders(const Communicator& leaders, const std::filesystem::path& bundle,
                                       const Cache& cache) {
  const bool is_root = leaders.rank() == 0;
  std::ifstream in;
  std::string failure, own_failure;
  std::optional<TemporaryBundle> copy;
  try {
    if (is_root) in.open(bundle, std::ios::binary);
    if (!is_root) copy.emplace();
  } catch (const Error& error) {
    own_failure = error.what();
  }
  for (std::string part = "."; !part.empty();) {
    try {
      if (is_root) part = read_part(in, bundle);
    } catch (const Error& error) {
      failure = error.what();
      part.clear();
    }
    broadcast(leaders, part);
    if (copy) copy->write(part);
  }
  broadcast(leaders, failure);
  if (!failure.empty()) throw Error(failure);
  if (!own_failure.empty()) throw Error(own_failure);
  return cache.import_from(is_root ? bundle : std::filesystem::path(copy->finish()));
}

inline std::uint64_t broadcast_bundle(const Nodes& nodes, const std::filesystem::path& bundle, const Cache& cache) {
  std::uint64_t added = 0;
  std::string failure;
  if (nodes.is_leader()) try {
      added = import_in_leaders(nodes.leaders, bundle, cache);
    } catch (const Error& error) {
      failure = error.what();
    }
  wait_for_all(nodes.node);
  broadcast(nodes.node, failure);
  if (!failure.empty()) throw Error(failure);
  check(MPI_Bcast(&added, 1, MPI_UINT64_T, 0, nodes.node.get()), "MPI_Bcast");
  return added;
}

}  // namespace kiln::mpi::detail
