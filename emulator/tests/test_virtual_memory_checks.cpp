// KILN_EMULATOR_CHECK=init in mapped memory: what is written belongs to the memory, not to an address.
#include "emulator/memory/virtual_memory.hpp"
#include "run_ptx.hpp"

#include <cstdint>

namespace virtual_memory_checks_test {

using namespace kiln::emulator;

namespace {

constexpr std::uint64_t unit = VirtualMemory::granularity;

VirtualMemory& memory() { return VirtualMemory::get(); }

// Two mappings of one block.
class Aliases {
 public:
  Aliases() : base_(memory().reserve(2 * unit, 0, 0)), block_(memory().create(unit, 0, 0)) {
    for (const std::uint64_t at : {base_, base_ + unit}) memory().map(at, unit, block_);
    memory().set_rights(base_, 2 * unit, {{0, Rights::read_write}});
  }
  ~Aliases() {
    memory().unmap(base_, 2 * unit);
    memory().unreserve(base_, 2 * unit);
  }
  Aliases(const Aliases&) = delete;
  Aliases& operator=(const Aliases&) = delete;
  std::uint64_t first() const { return base_; }
  std::uint64_t second() const { return base_ + unit; }

 private:
  std::uint64_t base_;
  PhysicalBlockPtr block_;
};

LaunchOutcome copy_word(std::uint64_t to, std::uint64_t from) {
  TestModule module(
      ptx_module(".visible .entry k(.param .u64 to, .param .u64 from)\n{\n.reg .b32 %r<2>; .reg .b64 %d<3>;\n"
                 "ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from];\n"
                 "ld.global.u32 %r1, [%d2]; st.global.u32 [%d1], %r1; ret; }\n"));
  return module.launch("k", {1}, {1}, to, from);
}

}  // namespace

TEST_CASE("emulator init check: a read of mapped memory that nobody has written") {
  const Aliases aliases;
  const LaunchOutcome outcome = copy_word(aliases.first() + 64, aliases.second());
  CHECK(outcome.result == CUDA_ERROR_LAUNCH_FAILED);
  CHECK_MESSAGE(
      outcome.report.find("which nothing has written, 0 bytes into the mapping of 2097152 bytes") != std::string::npos,
      outcome.report);
}

TEST_CASE("emulator init check: a write through one address initialises the other one") {
  const Aliases aliases;
  const Buffer<std::uint32_t> value{std::vector<std::uint32_t>(1, 7)};
  CHECK(copy_word(aliases.first(), value.address()).result == CUDA_SUCCESS);
  CHECK(copy_word(value.address(), aliases.second()).result == CUDA_SUCCESS);
}

TEST_CASE("emulator init check: memory that is used again was not written") {
  std::uint64_t before = 0;
  {
    const Aliases aliases;
    AddressSpace::get().mark_written(aliases.first(), unit);
    before = aliases.first();
  }
  const Aliases aliases;
  CHECK_FALSE(AddressSpace::get().written(aliases.second(), 4));
  CHECK(AddressSpace::get().written(before, 4));  // nothing is there
}

}  // namespace virtual_memory_checks_test
