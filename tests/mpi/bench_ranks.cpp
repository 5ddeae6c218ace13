// The start of a job: 32 kernels that no cache has, wanted by every rank. Usage: mpirun -n 16 bench_mpi_ranks [KERNELS]
#include "job.hpp"

#include <kiln/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace kiln;
using namespace kiln::test;

std::vector<CompileRequest> requests(int count, const std::string& run) {
  std::vector<CompileRequest> all;
  CompileOptions options;
  options.arch = "sm_90";
  for (int i = 0; i < count; ++i)
    all.push_back({"// " + run + "\n#include <cuda_fp16.h>\nextern \"C\" __global__ void kernel_" + std::to_string(i) +
                       "(__half* x, float a, int n) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) x[i] = __float2half(a * __half2float(x[i]) + " +
                       std::to_string(i) + ");\n}\n",
                   options});
  return all;
}

/// Seconds until the last rank has its code.
template <class Work>
double measure(const Job& job, const Work& work) {
  job.barrier();
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (const CompileResult& result : work()) result.get();
  double mine = MPI_Wtime() - begin, slowest = 0;
  job.barrier();
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void report(const Job& job, const char* what, double seconds, std::uint64_t compiles) {
  if (job.rank() == 0)
    std::printf("%-58s %8.3f s  %4llu compiles in all\n", what, seconds, static_cast<unsigned long long>(compiles)),
        std::fflush(stdout);
}

void by_mpi(Job& job, const char* what, const std::string& name, int nodes, int kernels) {
  const PlayedNodes played(job, name, nodes);
  const auto wanted = requests(kernels, name);
  const auto run = [&] { return mpi::compile_all(MPI_COMM_WORLD, wanted, played.comm()); };
  const double first = measure(job, run);
  report(job, what, first, played.compiles());
  const double again = measure(job, run);
  report(job, "  again, from the caches of the nodes", again, played.compiles());
}

void by_itself(Job& job, const char* what, const std::string& name, int folders, int kernels) {
  const PlayedNodes played(job, name, folders);
  const auto wanted = requests(kernels, name);
  const double seconds = measure(job, [&] { return compile_all(wanted); });
  report(job, what, seconds, played.compiles());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::setenv("KILN_PCH", "off", 1);
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 32;
  {
    Job job;
    if (job.rank() == 0) std::printf("%d ranks, %d kernels, until the last rank has its code\n", job.size(), kernels);
    by_mpi(job, "kiln::mpi::compile_all, 1 node", "one node", 1, kernels);
    by_mpi(job, "kiln::mpi::compile_all, 4 nodes with a cache each", "four nodes", 4, kernels);
    by_mpi(job, "kiln::mpi::compile_all, a node for each rank", "nodes", job.size(), kernels);
    by_itself(job, "kiln::compile_all in each rank, one cache for all", "one cache", 1, kernels);
    by_itself(job, "kiln::compile_all in each rank, a cache for each", "caches", job.size(), kernels);
  }
  MPI_Finalize();
}
