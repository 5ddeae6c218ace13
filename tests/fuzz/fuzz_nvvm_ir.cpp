// LLVM IR as text and as bitcode, before libnvvm sees it.
#include "compile/nvvm/nvvm_ir.hpp"
#include "fuzz.hpp"
#include "worker/nvvm/nvvm_failure.hpp"

#include <algorithm>

namespace fuzz_nvvm_ir {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_text(std::string_view ir, const IrFacts& facts) {
  const auto lines = std::count(ir.begin(), ir.end(), '\n') + 1;
  for (const int line : {facts.typed_pointer_line, facts.opaque_pointer_line, facts.old_metadata_line})
    require(line >= 0 && line <= lines, "a line is one of the text");
  for (const auto& told : {facts.layout, facts.triple})
    require(!told || ir.find(*told) != std::string_view::npos, "what a text says stands in it");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view ir = view_of(data, size);
  const IrFacts facts = read_ir(ir);
  require(facts.is_bitcode == is_bitcode(ir), "bitcode is known by its first bytes");
  if (!facts.is_bitcode) check_text(ir, facts);
  // A record's smallest element is one bit.
  require(facts.producer.size() <= 8 * size, "bitcode tells no more than it holds");
  for (const std::string& name : libdevice_functions(ir)) require(name.find("__nv_") != name.npos, "of libdevice");
  if (const auto problem = problem_of(ir, facts)) require(!problem->empty(), "a problem is told");
  return 0;
}

}  // namespace fuzz_nvvm_ir
