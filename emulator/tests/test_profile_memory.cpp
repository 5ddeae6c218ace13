// Sectors, wavefronts and conflicts of accesses, against counts made in another way, and against Nsight Compute's.
#include "emulator/profile/access_patterns.hpp"

#include "loop_step.hpp"
#include "profile_fixture.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kiln::emulator::profile_memory_test {

using kiln::test::Turns;

namespace {

// Thread t of a block accesses place + ((t ^ turned) * stride + offset), where bit t % 32 of `lanes` is set.
struct Pattern {
  std::uint64_t stride = 4, offset = 0;
  std::uint32_t turned = 0;
  LaneMask lanes = all_lanes;
};

std::uint64_t place_of(const Pattern& pattern, std::uint32_t thread) {
  return (thread ^ pattern.turned) * pattern.stride + pattern.offset;
}

// The register list of one access of so many bytes, and the type.
std::string typed(unsigned bytes) { return bytes == 16 ? "v2.b64" : "b" + std::to_string(bytes * 8); }
std::string registers(unsigned bytes) {
  if (bytes == 16) return "{%d8, %d9}";
  return bytes == 8 ? "%d8" : bytes == 4 ? "%r8" : "%h8";
}

std::string kernel(const std::string& body, const std::string& first, const std::string& variables = {},
                   const std::string& outside = {}) {
  return ptx_module(
      outside +
      ".visible .entry k(.param .u64 p_base, .param .u64 p_stride, .param .u64 p_offset, .param .u32 p_turned, "
      ".param .u32 p_lanes)\n{\n"
      ".reg .pred %p<4>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %d<10>;\n" +
      variables +
      "ld.param.u64 %d2, [p_stride]; ld.param.u64 %d3, [p_offset]; ld.param.u32 %r2, [p_turned]; "
      "ld.param.u32 %r3, [p_lanes];\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x; mad.lo.u32 %r1, %r5, %r6, %r1;\n"
      "and.b32 %r4, %r1, 31; shr.u32 %r4, %r3, %r4; and.b32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0;\n"
      "xor.b32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r1; mad.lo.u64 %d1, %d1, %d2, %d3;\n" +
      first + body + "\nret;\n}\n");
}

void launch(const TestModule& module, std::uint64_t base, const Pattern& pattern, Dim3 grid = {1}, Dim3 block = {32}) {
  LaunchRequest request = module.made("k", grid, block);
  TestModule::append(request.params, base);
  TestModule::append(request.params, pattern.stride);
  TestModule::append(request.params, pattern.offset);
  TestModule::append(request.params, pattern.turned);
  TestModule::append(request.params, pattern.lanes);
  const LaunchOutcome outcome = run_launch(request);
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
}

// By definition: the sectors that the lanes' bytes lie in.
Counted expected_global(const Pattern& pattern, unsigned bytes, std::uint32_t threads = 32) {
  Counted all{};
  for (std::uint32_t warp = 0; warp < threads / 32; ++warp) {
    std::set<std::uint64_t> sectors, touched;
    std::uint64_t lanes = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((pattern.lanes >> lane & 1) == 0) continue;
      ++lanes;
      for (unsigned i = 0; i < bytes; ++i) {
        const std::uint64_t byte = place_of(pattern, warp * 32 + lane) + i;
        touched.insert(byte);
        sectors.insert(byte / 32);
      }
    }
    if (lanes == 0) continue;
    ++all.requests;
    all.units += sectors.size();
    all.ideal += std::min<std::uint64_t>(sectors.size(), (lanes * bytes + 31) / 32);
    all.extra += touched.size();
    all.thread_bytes += lanes * bytes;
  }
  return all;
}

const std::string global_base = "ld.param.u64 %d4, [p_base]; add.u64 %d1, %d1, %d4;\n";

class GlobalAccess {
 public:
  explicit GlobalAccess(unsigned bytes)
      : bytes_(bytes),
        memory_(std::vector<std::uint8_t>(1 << 20)),
        module_(kernel("@%p1 ld.global." + typed(bytes) + " " + registers(bytes) + ", [%d1];\n" + "@%p1 st.global." +
                           typed(bytes) + " [%d1], " + registers(bytes) + ";",
                       global_base)) {}

  void check(const Pattern& pattern) const {
    const ProfileScope profile;
    launch(module_, memory_.address(), pattern);
    CAPTURE(bytes_);
    CAPTURE(pattern.stride);
    CAPTURE(pattern.offset);
    CAPTURE(pattern.turned);
    CAPTURE(pattern.lanes);
    const Counted expected = expected_global(pattern, bytes_);
    CHECK(counted(profile.total(), Counter::global_load_requests) == expected);
    CHECK(counted(profile.total(), Counter::global_load_requests, Operation::store) == expected);
  }

 private:
  unsigned bytes_;
  Buffer<std::uint8_t> memory_;
  TestModule module_;
};

// By definition: in each group of lanes that pass together, the most different words of one bank.
Counted expected_shared(const Pattern& pattern, unsigned bytes, unsigned group) {
  Counted all{};
  all.requests = 1;
  for (unsigned begin = 0; begin < 32; begin += group) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    std::size_t most = 0;
    for (unsigned lane = begin; lane < begin + group; ++lane) {
      if ((pattern.lanes >> lane & 1) == 0) continue;
      all.thread_bytes += bytes;
      for (unsigned i = 0; i < bytes; ++i) {
        const std::uint64_t word = (place_of(pattern, lane) + i) / 4;
        words_of_bank[word % 32].insert(word);
        most = std::max(most, words_of_bank[word % 32].size());
      }
    }
    if (most == 0) continue;
    all.units += most;
    ++all.ideal;
  }
  all.extra = all.units - all.ideal;
  return all;
}

class SharedAccess {
 public:
  explicit SharedAccess(unsigned bytes)
      : bytes_(bytes),
        module_(kernel("@%p1 ld.shared." + typed(bytes) + " " + registers(bytes) + ", [%d1];\n" + "@%p1 st.shared." +
                           typed(bytes) + " [%d1], " + registers(bytes) + ";",
                       "mov.u64 %d4, tile; add.u64 %d1, %d1, %d4;\n", ".shared .align 16 .b8 tile[40000];\n")) {}

  void check(const Pattern& pattern, unsigned group) const {
    const ProfileScope profile;
    launch(module_, 0, pattern);
    CAPTURE(bytes_);
    CAPTURE(pattern.stride);
    CAPTURE(pattern.turned);
    CAPTURE(pattern.lanes);
    const Counted expected = expected_shared(pattern, bytes_, group);
    CHECK(counted(profile.total(), Counter::shared_load_requests) == expected);
    CHECK(counted(profile.total(), Counter::shared_load_requests, Operation::store) == expected);
  }
  void check(const Pattern& pattern) const { check(pattern, bytes_ <= 4 ? 32 : 128 / bytes_); }

  std::pair<std::uint64_t, std::uint64_t> wavefronts_and_conflicts(std::uint64_t stride) const {
    const ProfileScope profile;
    launch(module_, 0, {.stride = stride * bytes_});
    const Counted loads = counted(profile.total(), Counter::shared_load_requests);
    return {loads.units, loads.extra};
  }

 private:
  unsigned bytes_;
  TestModule module_;
};

constexpr unsigned widths[] = {1, 2, 4, 8, 16};

}  // namespace

TEST_CASE("profile: global sectors of every stride and width") {
  Turns turns(3);
  for (const unsigned bytes : widths) {
    const GlobalAccess access(bytes);
    for (std::uint64_t stride = 0; stride <= 64; ++stride)
      if (turns.next()) access.check({.stride = stride * bytes});
  }
}

TEST_CASE("profile: global sectors of accesses that begin anywhere, in any order, by some lanes") {
  Turns turns(3);
  for (const unsigned bytes : widths) {
    const GlobalAccess access(bytes);
    for (std::uint64_t offset = 0; offset < 160; offset += bytes)
      if (turns.next()) access.check({.stride = bytes, .offset = offset});
    for (const std::uint32_t turned : {1u, 5u, 31u}) {
      access.check({.stride = bytes, .turned = turned});
      access.check({.stride = 17u * bytes, .turned = turned});
      access.check({.stride = 16384, .turned = turned});  // too far apart for the short way
    }
    for (const LaneMask lanes : {0x1u, 0x80000000u, 0x55555555u, 0xFFFFu, 0x7FFFFFFFu, 0u})
      for (const std::uint64_t stride : {1u, 3u}) access.check({.stride = stride * bytes, .turned = 5, .lanes = lanes});
  }
}

TEST_CASE("profile: requests and sectors are Nsight Compute's") {
  const TestModule module(kernel("ld.global.b32 %r8, [%d1];", global_base));
  const Buffer<std::uint8_t> memory(std::vector<std::uint8_t>(16 * 256 * 32 * 4));
  const std::pair<std::uint64_t, std::uint64_t> known[] = {{1, 512}, {2, 1024}, {8, 4096}, {32, 4096}};
  for (const auto& [stride, sectors] : known) {
    const ProfileScope profile;
    launch(module, memory.address(), {.stride = stride * 4}, {16}, {256});
    const Counted loads = counted(profile.total(), Counter::global_load_requests);
    CHECK(loads.requests == 128);
    CHECK(loads.units == sectors);
    CHECK(loads.ideal == 512);
    CHECK(profile.total()[Counter::inst_executed] % 128 == 0);
    CHECK(profile.entry().busiest.global_reads == 1);
    CHECK(profile.entry().busiest.global_writes == 0);
  }
}

TEST_CASE("profile: shared memory of every stride and width") {
  Turns turns(3);
  for (const unsigned bytes : widths) {
    const SharedAccess access(bytes);
    for (std::uint64_t stride = 1; stride <= 64; ++stride)
      if (turns.next()) access.check({.stride = stride * bytes});
    for (const std::uint32_t turned : {1u, 5u, 31u}) access.check({.stride = bytes, .turned = turned});
  }
}

TEST_CASE("profile: bank conflicts are Nsight Compute's") {
  using Known = std::pair<std::uint64_t, std::uint64_t>;
  const SharedAccess words(4), doubles(8), quads(16);
  CHECK(words.wavefronts_and_conflicts(1) == Known{1, 0});
  CHECK(words.wavefronts_and_conflicts(2) == Known{2, 1});
  CHECK(words.wavefronts_and_conflicts(32) == Known{32, 31});
  CHECK(words.wavefronts_and_conflicts(33) == Known{1, 0});
  CHECK(doubles.wavefronts_and_conflicts(1) == Known{2, 0});
  CHECK(doubles.wavefronts_and_conflicts(2) == Known{4, 2});
  CHECK(doubles.wavefronts_and_conflicts(32) == Known{32, 30});
  CHECK(quads.wavefronts_and_conflicts(1) == Known{4, 0});
  CHECK(quads.wavefronts_and_conflicts(2) == Known{8, 4});
}

TEST_CASE("profile: one word for all lanes is one pass, and halves pass together where neighbours agree") {
  for (const unsigned bytes : {1u, 2u, 4u}) SharedAccess(bytes).check({.stride = 0});
  // All lanes agree with lane ^ 1: halves of the warp pass together with 8 bytes, quarters with 16.
  SharedAccess(8).check({.stride = 0}, 32);
  SharedAccess(16).check({.stride = 0}, 16);
  // Every second lane is not active.
  SharedAccess(8).check({.stride = 8, .lanes = 0x55555555u}, 32);
  SharedAccess(16).check({.stride = 16, .lanes = 0x55555555u}, 16);
  SharedAccess(8).check({.stride = 8, .lanes = 0xFFFFu});
  SharedAccess(16).check({.stride = 16, .lanes = 0xFFFF00u});
}

TEST_CASE("profile: generic addresses count where they lead") {
  const ProfileScope profile;
  const TestModule module(
      kernel("cvta.shared.u64 %d5, %d4; and.b32 %r7, %r1, 1; setp.eq.u32 %p2, %r7, 0;\n"
             "ld.param.u64 %d6, [p_base]; selp.b64 %d7, %d5, %d6, %p2; ld.u32 %r8, [%d7];",
             "mov.u64 %d4, tile;\n", ".shared .align 16 .b8 tile[4096];\n"));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(8));
  launch(module, memory.address(), {});
  CHECK(counted(profile.total(), Counter::global_load_requests) == Counted{1, 1, 1, 4, 64});
  CHECK(counted(profile.total(), Counter::shared_load_requests) == Counted{1, 1, 1, 0, 64});
}

TEST_CASE("profile: local memory is interleaved by lane") {
  const std::string variables = ".local .align 16 .b8 own[256];\n";
  const auto loads = [&](const std::string& load, std::uint64_t stride) {
    const ProfileScope profile;
    const TestModule module(kernel(load, "mov.u64 %d4, own; add.u64 %d1, %d1, %d4;\n", variables));
    launch(module, 0, {.stride = stride});
    return counted(profile.total(), Counter::local_load_requests);
  };
  CHECK(loads("ld.local.b32 %r8, [%d1];", 0) == Counted{1, 4, 4, 128, 128});
  CHECK(loads("ld.local.b64 %d8, [%d1];", 0) == Counted{1, 8, 8, 256, 256});
  CHECK(loads("ld.local.v2.b64 {%d8, %d9}, [%d1];", 0) == Counted{1, 16, 16, 512, 512});
  CHECK(loads("ld.local.b32 %r8, [%d1];", 4) == Counted{1, 32, 4, 128, 128});
}

TEST_CASE("profile: atomic operations on one address, and on different ones") {
  const TestModule module(kernel("red.global.add.u32 [%d1], 1;", global_base));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(64));
  const auto run = [&](const Pattern& pattern) {
    const ProfileScope profile;
    launch(module, memory.address(), pattern);
    const Counters total = profile.total();
    CHECK(total[Counter::global_atomic_requests] == 1);
    CHECK(counted(total, Counter::global_load_requests, Operation::atomic).units == (pattern.stride == 0 ? 32 : 4));
    CHECK(profile.entry().busiest.global_reads == 1);
    CHECK(profile.entry().busiest.global_writes == 1);
    return std::vector<std::uint64_t>{total[Counter::atomic_threads], total[Counter::atomic_conflicts],
                                      total[Counter::atomic_most_on_one_address]};
  };
  using Numbers = std::vector<std::uint64_t>;
  CHECK(run({.stride = 0}) == Numbers{32, 31, 32});
  CHECK(run({.stride = 4}) == Numbers{32, 0, 1});
}

// As Nsight Compute counts on an H100: once for each lane of the fullest address of a sector.
TEST_CASE("profile: sectors of atomic operations count again for each lane on the same address") {
  const auto sectors = [](unsigned lanes_on_one, unsigned stride, unsigned size) {
    std::uint64_t at[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) at[lane] = 4096 + lane / lanes_on_one * stride;
    return atomic_sectors({at, all_lanes, size}).sectors;
  };
  const std::pair<unsigned, unsigned> words[] = {{1, 4}, {2, 4}, {4, 4}, {8, 8}, {16, 16}, {32, 32}};
  for (const auto& [lanes, expected] : words) CHECK(sectors(lanes, 4, 4) == expected);
  const std::pair<unsigned, unsigned> doubles[] = {{1, 8}, {2, 8}, {4, 8}, {8, 8}, {16, 16}, {32, 32}};
  for (const auto& [lanes, expected] : doubles) CHECK(sectors(lanes, 8, 8) == expected);
  CHECK(sectors(4, 32, 4) == 32);
}

TEST_CASE("profile: constant memory has a request for each distinct address") {
  const TestModule module(kernel("ld.const.u32 %r8, [%d1];", "mov.u64 %d4, table; add.u64 %d1, %d1, %d4;\n", {},
                                 ".const .align 4 .b8 table[256];\n"));
  for (const std::uint64_t stride : {0, 4}) {
    const ProfileScope profile;
    launch(module, 0, {.stride = stride});
    CHECK(profile.total()[Counter::constant_requests] == 1);
    CHECK(profile.total()[Counter::constant_addresses] == (stride == 0 ? 1 : 32));
    CHECK(profile.total()[Counter::global_load_requests] == 0);
  }
}

TEST_CASE("profile: cp.async reads global and writes shared memory") {
  const ProfileScope profile;
  const TestModule module(
      kernel("mov.u64 %d5, tile; mad.lo.u64 %d5, %d0, %d2, %d5; cp.async.ca.shared.global [%d5], [%d1], 4;",
             "cvt.u64.u32 %d0, %r1;\n" + global_base, ".shared .align 16 .b8 tile[8192];\n"));
  const Buffer<std::uint8_t> memory(std::vector<std::uint8_t>(8192));
  launch(module, memory.address(), {.stride = 8});
  CHECK(counted(profile.total(), Counter::global_load_requests) == Counted{1, 8, 4, 128, 128});
  CHECK(counted(profile.total(), Counter::shared_load_requests, Operation::store) == Counted{1, 2, 1, 1, 128});
}

}  // namespace kiln::emulator::profile_memory_test
