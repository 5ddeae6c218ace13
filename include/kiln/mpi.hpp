// kiln::mpi: one compile for all processes of an MPI communicator. Not part of <kiln/kiln.hpp>, and nothing of MPI is
// in the library: a program that includes this header is compiled and linked with the MPI (3.0 or newer) that it uses.
#pragma once

#include <kiln/cache.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/detail/mpi_bundle.hpp>
#include <kiln/detail/mpi_collectives.hpp>
#include <kiln/detail/mpi_compile.hpp>
#include <kiln/detail/mpi_wisdom.hpp>
#include <kiln/wisdom.hpp>

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// For programs that use MPI. The functions are collective: every process of the communicator calls them, in the same
/// order, on one thread; MPI_THREAD_SINGLE suffices, as no other thread of Kiln's calls MPI. They use collective
/// operations alone, so nothing meets the program's own messages. The communicator's error handler decides what an
/// error of MPI does: one that returns makes it an Error. A process that dies meanwhile is MPI's matter.
namespace kiln::mpi {

/// As kiln::compile_all, for the requests of all processes together: what several of them ask for is compiled once in
/// the communicator. results[i] answers this process's requests[i]. The lists may differ, and be empty. A request
/// without an architecture is for this process's current device, where it uses the driver.
///
/// One process of each node, its first in `comm`, uses the cache folder; the others get their code from it and keep it
/// in memory, where the same request, by a SourceModule for example, finds it again. Compiles are shared out among the
/// nodes that want them, and on a node to as many workers as its processes may use CPUs (16 at most); the other
/// processes sleep. Code from another node is used, and kept in the node's cache, where each header that its compile
/// read has the same content there; a node where one differs compiles for itself. Which requests are the same is the
/// cache's business: equal sources and options in checkouts at different places are.
///
/// What the compiler refuses fails in every process that asked for it, with the same text. What a node lacks, and what
/// went wrong on it, other nodes find out for themselves. Processes compile for themselves, beside the others, what is
/// not to be cached (CompileOptions::cache, keep, timing), what KILN_ARCH wants for several architectures, and what
/// means another thing in the node's first process: it has another environment, or another working folder and the
/// source includes something. A timeout counts; cancel tokens do not.
///
/// `node` may say which processes are to share a cache folder, in place of those that share memory: a communicator of
/// processes of `comm`, each in exactly one, such as all of `comm` where the folder is one for all nodes. Throws Error
/// outside of MPI_Init and MPI_Finalize, and for MPI_COMM_NULL. PyCUDA has no counterpart.
inline std::vector<CompileResult> compile_all(MPI_Comm comm, const std::vector<CompileRequest>& requests,
                                              MPI_Comm node = MPI_COMM_NULL) {
  detail::require_mpi(comm, "kiln::mpi::compile_all");
  return detail::CollectiveCompile(comm, node, requests).run();
}

/// Puts a bundle (Cache::export_to, `kiln cache export`) into the cache folder of every node: for the start of a job,
/// with one file to read for all. The first process of each node imports it, as Cache::import_from does; the file is
/// read by rank 0 alone, and its path means nothing elsewhere. A node needs room for the bundle in TMPDIR meanwhile.
/// Returns the number of code entries added on this process's node. Throws Error in all processes where the file cannot
/// be read, and in those of a node that cannot import it. `node` as in compile_all; of several processes that are the
/// first of their node the first in `comm` reads the file then. Counterpart: `kiln cache import`.
inline std::uint64_t broadcast_cache(MPI_Comm comm, const std::filesystem::path& bundle, const Cache& cache = Cache(),
                                     MPI_Comm node = MPI_COMM_NULL) {
  detail::require_mpi(comm, "kiln::mpi::broadcast_cache");
  return detail::broadcast_bundle(detail::Nodes(comm, node), bundle, cache);
}

/// Rank 0's wisdom in every process: its records, in memory, for TunableKernel::wisdom. The other processes read no
/// file; what is added to it stays in their memory. Throws Error outside of MPI. Counterpart:
/// fftw_mpi_broadcast_wisdom.
inline Wisdom broadcast_wisdom(MPI_Comm comm, const Wisdom& wisdom = Wisdom()) {
  detail::require_mpi(comm, "kiln::mpi::broadcast_wisdom");
  const auto all = detail::Communicator::borrowed(comm);
  std::string text;
  if (all.rank() == 0) text = wisdom.text();
  detail::broadcast(all, text);
  return Wisdom::from_text(text);
}

/// Adds to rank 0's wisdom what the others' has and it has not, such as after each rank tuned for its own device: rank
/// 0 alone writes a file. Returns how many records were added, in every process. Throws Error in all processes where
/// they cannot be written. Counterpart: fftw_mpi_gather_wisdom.
inline std::uint64_t gather_wisdom(MPI_Comm comm, const Wisdom& wisdom = Wisdom()) {
  detail::require_mpi(comm, "kiln::mpi::gather_wisdom");
  return detail::gather_wisdom(detail::Communicator::borrowed(comm), wisdom);
}

}  // namespace kiln::mpi
