// KILN_EMULATOR_CHECK=race: registers that wgmma uses, without its fence or its wait.
#pragma once

#include "emulator/machine/lanes.hpp"
#include "emulator/machine/step.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace kiln::emulator {

class Warp;

/// What an instruction does with registers that a wgmma.mma_async of the function uses: numbers in
/// ptx::Function::registers.
struct RegisterUse {
  std::vector<std::uint32_t> read, written;
  bool is_move = false;  // from one register, or a constant
};

/// One object for each block. A finding is a Fault, as those of MemoryChecks. Implemented in checks/.
///
/// A move has no effect of its own: a compiler places moves where it likes, and ptxas removes them. What it moves to is
/// what it moves from, and a constant counts as written before the fence.
class GroupChecks {
 public:
  // wgmma.fence, commit_group and wait_group.
  void fence(const Warp& warp);
  void commit(const Warp& warp);
  void wait(const Warp& warp, std::uint64_t pending);
  /// Before wgmma.mma_async.
  void product(const Warp& warp, const Step& step);
  /// Before another instruction.
  void use(const Warp& warp, const Step& step, LaneMask active, const RegisterUse& use);

 private:
  struct Place {
    const Code* code = nullptr;
    const Step* step = nullptr;
  };
  struct Register {
    std::uint64_t written = 0;  // when by an instruction that is neither wgmma nor a move; 0: never
    Place writer;
    std::uint64_t accumulated = 0;  // the group of the product that it is an accumulator of; 0: none
    std::uint64_t read = 0;         // the group of the product that it is a part of A of
    std::uint64_t multiplied = 0;   // when the product was issued
    Place product;
    std::uint32_t columns = 0;  // of the product
  };
  struct WarpState {
    std::uint64_t now = 0;     // counts events
    std::uint64_t fenced = 0;  // when; 0: never
    std::uint64_t group = 1;   // that takes the products that are issued
    std::uint64_t complete = 0;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Register> registers;  // by frame and number
  };
  static void move(WarpState& state, std::uint64_t frame, LaneMask active, const RegisterUse& use);

  std::map<std::uint32_t, WarpState> warps_;
};

/// Null unless Settings turn the check on.
GroupChecks* group_checks(Warp& warp);

}  // namespace kiln::emulator
