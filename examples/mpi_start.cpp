// How a code that runs on many nodes starts: each rank says what kernels it needs for its own device, all ranks
// together compile each of them once, and each rank loads its own. Run it twice: the second start compiles nothing.
//
//   mpirun -n 8 build/examples/mpi_start
#include <kiln/kiln.hpp>
#include <kiln/mpi.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

// The kernels of a solver, each for the block size that its architecture likes.
const char* const advance_source = R"(
extern "C" __global__ void advance(float* u, const float* rate, float dt, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) u[i] += dt * rate[i];
})";
const char* const diffuse_source = R"(
extern "C" __global__ void diffuse(const float* u, float* rate, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i > 0 && i < n - 1) rate[i] = u[i - 1] - 2 * u[i] + u[i + 1];
})";

/// Takes this rank's device: of a node with several GPUs each rank has its own.
kiln::CompileOptions options_of(int rank) {
  kiln::CompileOptions options;
  options.defines = {{"BLOCK", 256}};
  const int devices = kiln::Device::count();
  if (devices > 0) {
    kiln::Device(rank % devices).make_current();  // what is compiled without an arch is for this device
  } else {
    // Nothing can be launched here, but compiled for the two kinds of nodes that a cluster may have.
    options.arch = rank % 2 == 0 ? "sm_80" : "sm_90";
  }
  return options;
}

int start(int rank, int ranks) {
  const kiln::CompileOptions options = options_of(rank);
  const std::vector<kiln::CompileRequest> requests = {{advance_source, options}, {diffuse_source, options}};

  const double begin = MPI_Wtime();
  const auto results = kiln::mpi::compile_all(MPI_COMM_WORLD, requests);
  const double seconds = MPI_Wtime() - begin;

  const kiln::CodeObject& code = results[0].get();  // throws what its compile threw
  std::printf("rank %d of %d: %zu kernels for %s in %.0f ms, %s\n", rank, ranks, results.size(), code.arch().c_str(),
              1e3 * seconds, code.from_cache() ? "from the cache" : "compiled once for all ranks");
  if (kiln::Device::count() == 0) return 0;

  kiln::Function advance = kiln::Module(code).get_function("advance");
  kiln::DeviceBuffer<float> u(std::vector<float>(1000, 1.0f)), rate(std::vector<float>(1000, 2.0f));
  advance({4, 256}, u, rate, 0.5f, 1000);
  return u.to_host()[999] == 2.0f ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int failed = 1;
  try {
    failed = start(rank, ranks);
  } catch (const kiln::Error& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // the others wait for this rank
  }
  MPI_Finalize();
  return failed;
}
