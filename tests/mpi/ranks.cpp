// kiln::mpi by the ranks of a job, which play several nodes: each group of ranks has a cache folder, TMPDIR and working
// folder of its own, and says so by the node communicator. Usage: mpirun -n 8 mpi_ranks [few]
// "few" leaves out what does not depend on the number of ranks.
#include "ir_texts.hpp"
#include "job.hpp"
#include "touched_files.hpp"

#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/mpi.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace kiln;
using namespace kiln::test;

std::string kernel(int number, const std::string& part) {
  const std::string text = std::to_string(number);
  return "// " + part + "\nextern \"C\" __global__ void kernel_" + text + "(int* p) { *p = " + text + "; }\n";
}

CompileOptions ptx(const std::string& arch = "compute_90") {
  CompileOptions options;
  options.arch = arch;
  options.target = Target::ptx;
  return options;
}

bool holds(const CompileResult& result, const std::string& text) {
  return result.ok() && result.get().bytes().find(text) != std::string_view::npos;
}

/// The same requests in all ranks: one compile each, no file of the cache but by the first of each node, and in memory
/// afterwards.
void all_ask_the_same(Job& job) {
  job.begin("all ask for the same");
  constexpr int kernels = 4;
  const PlayedNodes nodes(job, "same", job.size() / 2 < 8 ? job.size() / 2 : 8);
  std::vector<CompileRequest> requests;
  for (int i = 0; i < kernels; ++i) requests.push_back({kernel(i, "same"), ptx()});
  requests.push_back(requests.front());
  watch_folder(nodes.cache());
  const auto results = mpi::compile_all(MPI_COMM_WORLD, requests, nodes.comm());
  job.check(nodes.is_leader() == (touched_files() != 0),
            std::to_string(touched_files()) + " calls for the cache folder");
  job.check(results.size() == requests.size(), "a result for each request");
  for (int i = 0; i < kernels; ++i) {
    const CompileResult& result = results[static_cast<std::size_t>(i)];
    job.check(holds(result, "kernel_" + std::to_string(i) + "("), "the right code");
    job.check(result.ok() && !result.get().from_cache(), "it was compiled");
  }
  if (!nodes.is_leader()) {
    watch_folder(nodes.cache());
    job.check(compile(requests[1].source, requests[1].options).from_cache(), "a later compile needs none");
    job.check(touched_files() == 0, "and is served from memory");
  }
  watch_folder("");
  job.check(nodes.compiles() == kernels, "one compile each, but " + std::to_string(nodes.compiles()));
  job.check(nodes.stores() == static_cast<std::uint64_t>(kernels * nodes.count()), "each node's cache has them");
  // Without what the processes remember each node finds them in its cache.
  const auto again = mpi::compile_all(MPI_COMM_WORLD, requests, nodes.comm());
  for (const CompileResult& result : again) job.check(result.ok() && result.get().from_cache(), "from the cache");
  job.check(nodes.compiles() == kernels, "no further compile");
}

/// As on a cluster whose nodes have different GPUs, and as one with both kinds in each node.
void two_architectures(Job& job) {
  job.begin("two architectures");
  const PlayedNodes nodes(job, "architectures", 4);
  const bool is_even = job.rank() % 2 == 0;
  CompileOptions options;
  options.arch = is_even ? "sm_80" : "sm_90";
  const auto results =
      mpi::compile_all(MPI_COMM_WORLD, {{kernel(1, "archs"), options}, {kernel(2, "archs"), options}}, nodes.comm());
  for (const CompileResult& result : results)
    job.check(result.ok() && result.get().arch() == options.arch, "code of the rank's own architecture");
  job.check(nodes.compiles() == 4, "2 sources for 2 architectures, but " + std::to_string(nodes.compiles()));
}

void lists_differ(Job& job) {
  job.begin("lists differ");
  const PlayedNodes nodes(job, "lists", 3);
  std::vector<CompileRequest> requests;
  for (int i = 0; i < job.rank() % 4; ++i) requests.push_back({kernel(job.rank() + i, "lists"), ptx()});
  const auto results = mpi::compile_all(MPI_COMM_WORLD, requests, nodes.comm());
  job.check(results.size() == requests.size(), "a result for each request");
  for (int i = 0; i < static_cast<int>(results.size()); ++i)
    job.check(holds(results[static_cast<std::size_t>(i)], "kernel_" + std::to_string(job.rank() + i) + "("),
              "the code of the own request");
  std::vector<bool> asked(static_cast<std::size_t>(job.size() + 4));
  for (int rank = 0; rank < job.size(); ++rank)
    for (int i = 0; i < rank % 4; ++i) asked[static_cast<std::size_t>(rank + i)] = true;
  const auto distinct = static_cast<std::uint64_t>(std::count(asked.begin(), asked.end(), true));
  job.check(nodes.compiles() == distinct,
            std::to_string(nodes.compiles()) + " compiles of " + std::to_string(distinct));
  job.check(mpi::compile_all(MPI_COMM_WORLD, {}, nodes.comm()).empty(), "nothing for nothing");
  // By nodes as MPI sees them: this machine is one.
  ::setenv("KILN_CACHE_DIR", nodes.cache_of(0).c_str(), 1);
  std::filesystem::current_path("/");
  const auto one = mpi::compile_all(MPI_COMM_WORLD, {{kernel(1000, "lists"), ptx()}});
  job.check(holds(one.front(), "kernel_1000("), "by the nodes of MPI");
  job.check(nodes.compiles() == distinct + 1, "one more compile");
}

void failures(Job& job) {
  job.begin("failures");
  const PlayedNodes nodes(job, "failures", 2);
  std::vector<CompileRequest> requests = {{kernel(1, "failures"), ptx()},
                                          {"__global__ void broken() { no_such_name; }", ptx()},
                                          {kernel(2, "failures"), ptx("compute_9000")},
                                          {kernel(3, "failures"), ptx()}};
  // Refused before it is sent.
  CompileOptions own = ptx();
  own.header_callback = [](const std::string&) -> std::optional<std::string> { throw std::logic_error("own"); };
  if (job.rank() == 1) requests.push_back({"#include \"asked.h\"\n", own});
  const auto results = mpi::compile_all(MPI_COMM_WORLD, requests, nodes.comm());
  job.check(holds(results[0], "kernel_1(") && holds(results[3], "kernel_3("), "the others compile");
  try {
    results[1].get();
    job.check(false, "a failure");
  } catch (const CompileError& error) {
    job.check(std::strstr(error.what(), "no_such_name") != nullptr, "what() of the compile");
    job.check(error.log().find("no_such_name") != std::string::npos, "its log");
    job.check(!error.options().empty(), "its options");
  }
  try {
    results[2].get();
    job.check(false, "a failure");
  } catch (const Error& error) {
    job.check(std::strstr(error.what(), "9000") != nullptr, error.what());
  }
  if (job.rank() == 1) try {
      results.at(4).get();
      job.check(false, "a failure of its own");
    } catch (const std::logic_error& error) {
      job.check(std::strcmp(error.what(), "own") == 0, "as the callback threw it");
    }
  job.check(nodes.compiles() == 2, "two good compiles");
}

/// Of three nodes, checkouts of one tree at different places, one has another header.
void a_header_differs(Job& job) {
  job.begin("a header differs on one node");
  const PlayedNodes nodes(job, "headers", 3);
  const auto write_headers = [&](const std::string& value, const std::string& other) {
    if (nodes.is_leader()) {
      write_file("include/other.h", "#define OTHER " + other + "\n");
      write_file("include/value.h", "#define VALUE " + value + "\n#include \"other.h\"\n");
      wait_until_old("include/value.h");
    }
    job.barrier();
  };
  const std::string value = nodes.node() == 1 ? "4242" : "1717";
  write_headers(value, "1");
  const std::string source =
      "#include \"value.h\"\nextern \"C\" __global__ void headers(int* p) { *p = VALUE * OTHER; }\n";
  CompileOptions options = ptx();
  options.include_dirs = {std::filesystem::current_path() / "include"};  // another path on each node
  const auto results = mpi::compile_all(MPI_COMM_WORLD, {{source, options}}, nodes.comm());
  job.check(holds(results[0], value), "the node's own header");
  job.check(nodes.compiles() == 2, "a compile for each header, but " + std::to_string(nodes.compiles()));
  const auto again = mpi::compile_all(MPI_COMM_WORLD, {{source, options}}, nodes.comm());
  job.check(holds(again[0], value) && again[0].get().from_cache(), "kept as its own");
  write_headers("1000", "3");  // alike now; no cache has code of these
  const auto edited = mpi::compile_all(MPI_COMM_WORLD, {{source, options}}, nodes.comm());
  job.check(holds(edited[0], "3000"), "what the headers are now");
  job.check(nodes.compiles() == 3, "one compile for all, but " + std::to_string(nodes.compiles()));
}

/// Ranks of a node that are not alike: in working folders of their own, or with an option from the environment.
void ranks_of_their_own(Job& job) {
  job.begin("ranks with folders and environments of their own");
  const PlayedNodes nodes(job, "own", 2);
  const std::filesystem::path own = "rank " + std::to_string(job.rank());
  write_file(own / "value.h", "#define VALUE " + std::to_string(3000 + job.rank()) + "\n");
  std::filesystem::current_path(std::filesystem::current_path() / own);
  const std::string source = "#include \"value.h\"\nextern \"C\" __global__ void own(int* p) { *p = VALUE; }\n";
  CompileOptions uncached = ptx();
  uncached.cache = false;
  const auto results = mpi::compile_all(
      MPI_COMM_WORLD, {{source, ptx()}, {kernel(1, "own"), ptx()}, {kernel(2, "own"), uncached}}, nodes.comm());
  job.check(holds(results[0], std::to_string(3000 + job.rank())), "the header of the own folder");
  job.check(holds(results[1], "kernel_1("), "what no folder matters to is shared");
  job.check(holds(results[2], "kernel_2("), "what is not cached");
  job.check(nodes.compiles() == static_cast<std::uint64_t>(job.size()) + 1, "and each other source by its own rank");
}

void llvm_ir(Job& job) {
  job.begin("LLVM IR");
  const PlayedNodes nodes(job, "ir", 2);
  CompileOptions options = ptx();
  options.language = Language::nvvm_ir;
  const auto results = mpi::compile_all(MPI_COMM_WORLD, {{number_ir, options}}, nodes.comm());
  job.check(holds(results[0], "number("), "the code");
  job.check(nodes.compiles() == 1 && nodes.stores() == 2, "one compile, kept on both nodes");
}

void no_cache_folder(Job& job) {
  job.begin("no usable cache folder");
  const PlayedNodes nodes(job, "none", 2);
  if (nodes.is_leader()) write_file(nodes.cache(), "not a folder");
  job.barrier();
  const auto results = mpi::compile_all(MPI_COMM_WORLD, {{kernel(1, "none"), ptx()}}, nodes.comm());
  job.check(holds(results[0], "kernel_1("), "code all the same");
  job.check(!results[0].get().from_cache(), "of one compile");
}

void bundles(Job& job) {
  job.begin("a bundle for all nodes");
  const std::vector<CompileRequest> requests = {{kernel(1, "bundles"), ptx()}, {kernel(2, "bundles"), ptx()}};
  const std::filesystem::path bundle = job.folder() / "all.bundle";
  if (job.rank() == 0) {
    CompileOptions options = ptx();
    options.caching.dir = job.folder() / "filled";
    for (const CompileRequest& request : requests) compile(request.source, options);
    Cache(options.caching.dir).export_to(bundle);
  }
  const PlayedNodes nodes(job, "bundles", 2);
  watch_folder(nodes.cache());
  // Only rank 0 can know the path.
  const auto added = mpi::broadcast_cache(MPI_COMM_WORLD, job.rank() == 0 ? bundle : "/nothing", Cache(), nodes.comm());
  job.check(added == 2, "two entries on each node");
  job.check(nodes.is_leader() == (touched_files() != 0), "by its first rank");
  watch_folder("");
  for (const CompileResult& result : mpi::compile_all(MPI_COMM_WORLD, requests, nodes.comm()))
    job.check(result.ok() && result.get().from_cache(), "served from it");
  job.check(nodes.compiles() == 0, "nothing is compiled");
  if (job.rank() == 0) std::filesystem::resize_file(bundle, std::filesystem::file_size(bundle) - 1);
  for (const std::filesystem::path& path : {job.folder() / "missing", bundle}) try {
      mpi::broadcast_cache(MPI_COMM_WORLD, path, Cache(), nodes.comm());
      job.check(false, "an error in each rank");
    } catch (const Error& error) {
      job.check(std::strstr(error.what(), path == bundle ? "damaged" : "missing") != nullptr, error.what());
    }
  job.check(nodes.is_leader() ? std::filesystem::is_empty(nodes.folder_of(nodes.node()) / "tmp") : true,
            "no temporary file is left");
}

WisdomRecord record_of(int rank) {
  WisdomRecord record;
  record.key = "kernel";
  record.device = "device " + std::to_string(rank);
  record.arch = "sm_90";
  record.problem = 1000;
  record.configuration = {{"BLOCK", rank}};
  record.seconds = record.value = 1 + rank;
  return record;
}

void wisdom(Job& job) {
  job.begin("wisdom");
  // Each rank has its own, as ranks with different devices do; one has none.
  const Wisdom own(job.folder() / ("wisdom " + std::to_string(job.rank())));
  if (job.rank() != 1) own.add(record_of(job.rank()));
  const auto others = static_cast<std::uint64_t>(job.size() - 2);
  job.check(mpi::gather_wisdom(MPI_COMM_WORLD, own) == others, "all that rank 0 did not have");
  job.check(own.records("kernel").size() == (job.rank() == 0 ? others + 1 : job.rank() == 1 ? 0 : 1), "is there alone");
  job.check(mpi::gather_wisdom(MPI_COMM_WORLD, own) == 0, "and is added once");

  const Wisdom all = mpi::broadcast_wisdom(MPI_COMM_WORLD, own);
  job.check(all.records("kernel").size() == others + 1, "every rank has the wisdom of rank 0");
  job.check(all.best("kernel", "device 2", "sm_90", 1000)->record.configuration == record_of(2).configuration, "whole");
  all.add(record_of(1));
  job.check(!std::filesystem::exists(job.folder() / "wisdom 1"), "in memory");

  if (job.rank() == 0) std::ofstream(job.folder() / "file") << "no folder";
  try {
    mpi::gather_wisdom(MPI_COMM_WORLD, job.rank() == 0 ? Wisdom(job.folder() / "file") : own);
    job.check(false, "an error in each rank");
  } catch (const Error& error) {
    job.check(std::strstr(error.what(), "file") != nullptr, error.what());
  }
}

void wrong_calls(Job& job) {
  job.begin("wrong calls");
  try {
    mpi::compile_all(MPI_COMM_NULL, {});
    job.check(false, "MPI_COMM_NULL is refused");
  } catch (const Error& error) {
    job.check(std::strstr(error.what(), "MPI_COMM_NULL") != nullptr, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool is_refused = false;
  try {
    mpi::compile_all(MPI_COMM_WORLD, {});
  } catch (const Error&) {
    is_refused = true;
  }
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  int failed = 0;
  {
    Job job;
    job.begin(std::to_string(job.size()) + " ranks");
    job.check(is_refused, "a call before MPI_Init is refused");
    all_ask_the_same(job);
    two_architectures(job);
    if (argc < 2) {
      lists_differ(job);
      failures(job);
      a_header_differs(job);
      ranks_of_their_own(job);
      llvm_ir(job);
      no_cache_folder(job);
      bundles(job);
      wisdom(job);
      wrong_calls(job);
    }
    failed = job.failures();
    if (job.rank() == 0) std::printf("%d failures\n", failed);
    job.barrier();
  }
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
