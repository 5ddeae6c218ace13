// What the emulator costs: instructions a second on one core and on two, a vector sum of 2^20 elements, the start, and
// the memory of a million threads. Each in a process of its own, because the settings are read once.
#include <kiln/kiln.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Eight instructions a turn, all of integers.
constexpr unsigned turn_instructions = 8, turns = 2000;
const char* const loop = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry loop(.param .u64 p_out, .param .u32 p_turns) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [p_out];
  ld.param.u32 %r1, [p_turns];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 1;
again:
  mad.lo.u32 %r3, %r3, 1664525, %r2;
  xor.b32 %r4, %r3, %r2;
  shr.u32 %r5, %r4, 7;
  add.u32 %r2, %r2, %r5;
  and.b32 %r3, %r3, 1048575;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra again;
  mul.wide.u32 %d2, %r2, 0;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r3;
  ret;
})";

int run_loop() {
  const kiln::Module module = kiln::Module::from_bytes(loop);
  const kiln::Function function = module.get_function("loop");
  kiln::DeviceBuffer<unsigned> out(1);
  constexpr unsigned blocks = 64, threads = 256;
  const kiln::Stream stream;
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    const auto start = Clock::now();
    function({blocks, threads, 0, stream}, out, turns);
    stream.synchronize();
    best = std::min(best, seconds_since(start));
  }
  const double instructions = double{blocks} * threads * turns * turn_instructions;
  std::printf("integer loop, 64 blocks of 256, %s core(s): %.0f million thread-instructions a second\n",
              std::getenv("KILN_EMULATOR_CORES"), instructions / best * 1e-6);
  return 0;
}

std::string peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return line.substr(6);
  return "unknown";
}

int run_vector_add() {
  constexpr int n = 1 << 20;
  const kiln::SourceModule module(
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n");
  const kiln::Function add = module.get_function("add");
  const std::vector<float> values(n, 1.5F);
  const kiln::DeviceBuffer<float> a(values), b(values);
  kiln::DeviceBuffer<float> c(n);
  const kiln::Stream stream;
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    add({n / 256, 256, 0, stream}, a, b, c, n);
    stream.synchronize();
    std::printf("vector_add of 1,048,576 elements: %.1f ms\n", seconds_since(start) * 1e3);
  }
  std::printf("peak memory, data 12 MiB on the device and 8 on the host:%s\n", peak_memory().c_str());
  return c.to_host() == std::vector<float>(n, 3.0F) ? 0 : 1;
}

int run_start() {
  const auto start = Clock::now();
  const std::string name = kiln::Device::current().name();
  const kiln::DeviceBuffer<float> buffer(1);
  std::printf("start (library, cuInit, context, first allocation): %.2f ms\n", seconds_since(start) * 1e3);
  return 0;
}

int in_child(const char* program, const char* part, const char* cores) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("KILN_DRIVER", "emulator", 1);
    if (cores != nullptr) setenv("KILN_EMULATOR_CORES", cores, 1);
    execl(program, program, part, nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string part = count > 1 ? arguments[1] : "";
  if (part == "loop") return run_loop();
  if (part == "add") return run_vector_add();
  if (part == "start") return run_start();
  const char* const self = "/proc/self/exe";
  int failed = 0;
  for (int round = 0; round < 3; ++round) failed |= in_child(self, "start", nullptr);
  for (const char* cores : {"1", "2", "1", "2"}) failed |= in_child(self, "loop", cores);
  failed |= in_child(self, "add", nullptr);
  return failed;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
