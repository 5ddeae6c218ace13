#include "emulator/lowering/call_params.hpp"

#include "emulator/lowering/alignment.hpp"
#include "emulator/machine/first_fit.hpp"

#include <algorithm>
#include <vector>

namespace kiln::emulator {
namespace {

struct Mentions {
  const ptx::Variable* variable;
  std::size_t first, last;  // instructions
};

class MentionFinder {
 public:
  explicit MentionFinder(const ptx::Function& function) {
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      for (const ptx::Operand& operand : function.instructions[i].operands) look(operand, i);
    for (const ptx::Variable& own : function.params) forget(own);
    for (const ptx::Variable& own : function.returns) forget(own);
  }

  std::vector<Mentions> all;  // by first mention

 private:
  void look(const ptx::Operand& operand, std::size_t instruction) {
    if (operand.kind == ptx::Operand::Kind::variable && operand.variable->space == ptx::Space::param) {
      const auto [known, is_new] = index_.try_emplace(operand.variable, all.size());
      if (is_new) all.push_back({operand.variable, instruction, instruction});
      all[known->second].last = instruction;
    }
    for (const ptx::Operand& each : operand.elements) look(each, instruction);
  }

  void forget(const ptx::Variable& variable) {
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Mentions& each) { return each.variable == &variable; }),
              all.end());
  }

  std::map<const ptx::Variable*, std::size_t> index_;
};

}  // namespace

std::map<const ptx::Variable*, std::uint64_t> lay_out_call_params(const ptx::Function& function, std::uint64_t begin,
                                                                  std::uint64_t& end) {
  std::map<const ptx::Variable*, std::uint64_t> offsets;
  struct Placed {
    std::size_t last;
    ByteRange range;
  };
  std::vector<Placed> placed;
  end = begin;
  for (const Mentions& each : MentionFinder(function).all) {
    placed.erase(std::remove_if(placed.begin(), placed.end(), [&](const Placed& old) { return old.last < each.first; }),
                 placed.end());
    std::vector<ByteRange> taken = {{0, begin}};
    for (const Placed& other : placed) taken.push_back(other.range);
    const ByteRange range{first_fit(each.variable->size, alignment_of(*each.variable), std::move(taken)),
                          each.variable->size};
    offsets[each.variable] = range.offset;
    placed.push_back({each.last, range});
    end = std::max(end, range.end());
  }
  return offsets;
}

}  // namespace kiln::emulator
