// Links by the driver, over the fake one: what it is given, what it leaves behind, and every call failing in turn.
#include "link_bench.hpp"

#include "compile/link/link.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "fake_cuda.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace driver_link_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// The fake driver, with nothing current and nothing failing.
struct DriverBench : LinkBench {
  DriverBench() {
    use_driver(fake_cuda::library_path());
    (void)Driver::get();
    fake_cuda::reset();
    fake_cuda::set_link_error({});
    fake_cuda::set_driver_version(13090);  // takes the PTX of every toolkit that the tests run with
    Driver::get().ctx_set_current(nullptr);
  }

  LinkOptions by_driver() const { return link_options().with(&LinkOptions::backend, Backend::driver); }
};

CUcontext current() {
  CUcontext context = nullptr;
  Driver::get().ctx_get_current(&context);
  return context;
}

}  // namespace

TEST_CASE("driver link: what the driver does not take is an error, and is not given to it as something else") {
  const DriverBench bench;
  LinkInput input{InputType::ltoir, "the.ltoir"};
  input.data = "LTO-IR";
  const LinkOptions options;
  const LinkOrder order{"linked", {std::make_shared<LinkInput>(input)}, &options, "sm_90", false};
  CHECK_THROWS_WITH_AS(link_by_driver(order), "the driver's linker takes no LTO-IR: the.ltoir", ToolkitError);
  CHECK(fake_cuda::live_links() == 0);
}

TEST_CASE("driver link: the driver gets the inputs, the options and a context") {
  const DriverBench bench;
  Linker linker(bench.by_driver()
                    .with(&LinkOptions::verbose, true)
                    .with(&LinkOptions::optimization, 2)
                    .with(&LinkOptions::max_registers, 40)
                    .with(&LinkOptions::lineinfo, true)
                    .with(&LinkOptions::arch, "sm_90a"));
  linker.add(bench.main_code(Target::cubin)).add(bench.plug_code()).add_stdlib("cudadevrt");
  const CodeObject linked = linker.link();
  CHECK(linked.backend() == Backend::driver);
  CHECK(linked.arch() == "sm_90a");
  CHECK(linked.bytes() == bench.main_code(Target::cubin).bytes());
  const std::string& log = linked.log();
  CHECK_MESSAGE(contains(log, "0 main.cu\n1 plug.cu\n4 /"), log);
  CHECK(contains(log, "libcudadevrt.a\n"));
  const auto option = [](CUjit_option name, std::size_t value) {
    return '\n' + std::to_string(name) + '=' + std::to_string(value) + '\n';
  };
  const std::string options = log + '\n';
  CHECK(contains(options, option(CU_JIT_TARGET, CU_TARGET_COMPUTE_90A)));
  CHECK(contains(options, option(CU_JIT_MAX_REGISTERS, 40)));
  CHECK(contains(options, option(CU_JIT_OPTIMIZATION_LEVEL, 2)));
  CHECK(contains(options, option(CU_JIT_GENERATE_LINE_INFO, 1)));
  CHECK(contains(options, option(CU_JIT_LOG_VERBOSE, 1)));
  CHECK_FALSE(contains(options, '\n' + std::to_string(CU_JIT_GENERATE_DEBUG_INFO) + '='));
  CHECK(fake_cuda::live_links() == 0);
  CHECK(current() == nullptr);
}

TEST_CASE("driver link: the thread's own context is used, and current afterwards") {
  const DriverBench bench;
  CUcontext context = nullptr;
  Driver::get().device_primary_ctx_retain(&context, 0);
  Driver::get().ctx_set_current(context);
  const std::size_t set = fake_cuda::calls("cuCtxSetCurrent");
  bench.linker(Target::ptx, bench.by_driver()).link();
  CHECK(current() == context);
  CHECK(fake_cuda::calls("cuCtxSetCurrent") == set);
}

TEST_CASE("driver link: device 0's primary context is retained once and put away") {
  const DriverBench bench;
  const int retains = fake_cuda::primary_context_retains(0);
  bench.linker(Target::ptx, bench.by_driver()).link();
  bench.linker(Target::cubin, bench.by_driver()).link();
  CHECK(fake_cuda::primary_context_retains(0) - retains <= 1);
  CHECK(current() == nullptr);
}

TEST_CASE("driver link: whichever call fails, nothing is left, nothing is kept, and the call is named") {
  for (const char* call : {"cuLinkCreate", "cuLinkAddData", "cuLinkAddFile", "cuLinkComplete"}) {
    CAPTURE(call);
    const DriverBench bench;
    Linker linker(bench.by_driver());
    linker.add(bench.main_code()).add(bench.plug_code()).add_stdlib("cudadevrt");
    const std::size_t entries = bench.stats().entries;
    fake_cuda::fail(call, CUDA_ERROR_OUT_OF_MEMORY);
    const std::string text = link_error_of(linker);
    CHECK_MESSAGE(contains(text, std::string(call) + ": CUDA_ERROR_OUT_OF_MEMORY"), text);
    CHECK(contains(text, "the driver of CUDA 13.9 could not link"));
    CHECK(contains(text, "options: CU_JIT_TARGET=sm_90"));
    CHECK(fake_cuda::live_links() == 0);
    CHECK(bench.stats().entries == entries);
    CHECK(current() == nullptr);
    CHECK_FALSE(linker.link().from_cache());
    CHECK(linker.link().from_cache());
  }
}

TEST_CASE("driver link: a context that cannot be had is a DriverError") {
  for (const char* call : {"cuCtxGetCurrent", "cuCtxSetCurrent"}) {
    CAPTURE(call);
    const DriverBench bench;
    const Linker linker = bench.linker(Target::ptx, bench.by_driver());
    (void)linker.link();  // retains the context
    const Linker other = bench.linker(Target::cubin, bench.by_driver());
    fake_cuda::fail(call, CUDA_ERROR_OUT_OF_MEMORY, 0, 100);
    CHECK_THROWS_AS(other.link(), DriverError);
    fake_cuda::reset();
    CHECK(fake_cuda::live_links() == 0);
    CHECK(current() == nullptr);
  }
}

TEST_CASE("driver link: its error log names the symbol, and the inputs show which of them uses it") {
  const DriverBench bench;
  Linker linker(bench.by_driver());
  linker.add(bench.main_code()).add(bench.code("__device__ int other() { return 1; }", Target::ptx, "other"));
  fake_cuda::set_link_error("error   : Undefined reference to '_ZN2ns2opEf' in 'other.cu'\n");
  const std::string text = link_error_of(linker);
  CHECK_MESSAGE(contains(text, "undefined symbol ns::op(float) (_ZN2ns2opEf), wanted by main.cu:"), text);
  fake_cuda::set_link_error({});
}

TEST_CASE("driver link: a log beyond its buffer is cut and says so") {
  const DriverBench bench;
  Linker linker(bench.by_driver());
  linker.add(bench.main_code());
  fake_cuda::set_link_error(std::string(std::size_t{3} << 20, 'x'));
  const std::string text = link_error_of(linker);
  CHECK(contains(text, "(cut here, at 1 MiB)"));
  CHECK(text.size() < (std::size_t{2} << 20));
  fake_cuda::set_link_error({});
}

TEST_CASE("driver link: without nvJitLink it is the automatic choice, and the cache serves it") {
  const DriverBench bench;
  LinkJob job{bench.link_options(), {}};
  job.add(bench.main_code());
  job.add(bench.plug_code());
  const LinkersHere none(std::nullopt, "it is missing here");
  CHECK(link_for(job, {}, none).backend() == Backend::driver);
  const std::size_t created = fake_cuda::calls("cuLinkCreate");
  CHECK(link_for(job, {}, none).from_cache());
  CHECK(fake_cuda::calls("cuLinkCreate") == created);
  // nvJitLink's own is another.
  CHECK_FALSE(link_for(job).from_cache());
  CHECK(link_for(job).backend() == Backend::nvjitlink);
}

TEST_CASE("driver link: what only nvJitLink can is refused with the reason") {
  const DriverBench bench;
  const auto refusal = [&](Target target, const LinkOptions& options) {
    try {
      bench.linker(target, options).link();
    } catch (const ToolkitError& error) {
      return std::string(error.what());
    }
    return std::string("it links");
  };
  CHECK(contains(refusal(Target::ltoir, bench.by_driver()), "link-time optimisation needs nvJitLink"));
  CHECK(contains(refusal(Target::ptx, bench.by_driver().with(&LinkOptions::kernels_used, {"k"})), "kernels_used"));
  CHECK(contains(refusal(Target::ltoir, bench.by_driver().with(&LinkOptions::target, Target::ptx)), "target is ptx"));
}

}  // namespace driver_link_test
