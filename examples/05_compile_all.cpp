// Many kernels at start-up: in the background, at once, with a progress line.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

// The header is what takes the time: CUB's, about 600 files.
std::string source(int block_size) {
  return "#include <cub/block/block_reduce.cuh>\n"
         "extern \"C\" __global__ void sum(const int* values, int* result) {\n"
         "  using Reduce = cub::BlockReduce<int, " +
         std::to_string(block_size) +
         ">;\n"
         "  __shared__ typename Reduce::TempStorage storage;\n"
         "  const int total = Reduce(storage).Sum(values[threadIdx.x]);\n"
         "  if (threadIdx.x == 0) *result = total;\n"
         "}\n";
}

const char* word(kiln::CompileProgress::Outcome outcome) {
  using Outcome = kiln::CompileProgress::Outcome;
  return outcome == Outcome::from_cache ? "from the cache"
         : outcome == Outcome::compiled ? "compiled"
         : outcome == Outcome::failed   ? "failed"
                                        : "called off";
}

int main() {
  find_device();
  const bool has_gpu = kiln::Device::count() > 0;
  const std::string arch = has_gpu ? kiln::Device::current().arch() : "sm_80";
  const auto options = kiln::CompileOptions{}.with_arch(arch);

  // One compile in the background while the program does something else.
  kiln::CompileJob job("__global__ void ready(int* flag) { *flag = 1; }", options);

  // One broken request does not stop the others.
  std::vector<kiln::CompileRequest> requests;
  for (const int block_size : {64, 128, 256}) requests.push_back({source(block_size), options});
  requests.push_back({"__global__ void broken( {", options.with_name("broken.cu")});

  const auto results = kiln::compile_all(requests, [](const kiln::CompileProgress& progress) {
    std::printf("%zu of %zu: request %zu %s\n", progress.done, progress.total, progress.index, word(progress.outcome));
    return true;  // false would call off the rest
  });
  if (!results[0].ok() || !results[1].ok() || !results[2].ok() || results[3].ok()) return 1;
  std::printf("in the background: %zu bytes\n", job.get().bytes().size());

  if (!has_gpu) {
    std::puts("There is no GPU here, so nothing was launched.");
    return 0;
  }
  kiln::DeviceBuffer<int> values(std::vector<int>(128, 2));
  kiln::DeviceBuffer<int> result(1);
  kiln::Module(results[1].get()).get_function("sum")({1, 128}, values, result);
  const bool right = result.to_host()[0] == 256;
  std::puts(right ? "launched: the sum is right" : "wrong sum");
  return right ? 0 : 1;
}
