#include "worker/nvvm/nvvm_failure.hpp"

#include "base/text_parts.hpp"

#include <algorithm>

namespace kiln {

namespace {

std::string layout_advice() { return "NVVM IR has:\n  target datalayout = \"" + std::string(nvvm_layout) + "\""; }
std::string triple_advice() { return "NVVM IR has:\n  target triple = \"" + std::string(nvvm_triple) + "\""; }

/// Whether an architecture's IR is read by LLVM 7, which has no opaque pointers. So it is in CUDA 12 and 13.
bool is_read_by_llvm_7(const Arch& arch) { return arch.number < 100; }

std::string dialect(const Arch& arch) {
  const Arch compute{arch.number, arch.suffix, false};
  return is_read_by_llvm_7(arch)
             ? "For " + compute.text() +
                   " libnvvm reads the IR of LLVM 7, as for all below compute_100: pointers have types there (i32*)"
             : "For " + compute.text() +
                   " libnvvm reads the IR of a newer LLVM, as for all from compute_100 on: pointers are ptr there";
}

std::optional<std::string> other_kind(std::string_view ir) {
  using namespace std::string_view_literals;
  if (ir.empty()) return "it is empty";
  if (ir.starts_with("\x7F"
                     "ELF"sv))
    return "it is a cubin or an object file: give it to kiln::Module or kiln::Linker";
  if (ir.starts_with("\xED\x43\x4E\x7F"sv)) return "it is LTO-IR, which is linked: give it to kiln::Linker";
  if (contains(ir, ".version") && contains(ir, ".address_size"))
    return "it is PTX, which is past libnvvm: give it to kiln::Module or kiln::Linker";
  if (contains(ir, "__global__") && !contains(ir, "target triple"))
    return "it is CUDA C++: leave CompileOptions::language at Language::cuda";
  if (const std::size_t zero = ir.find('\0'); !is_bitcode(ir) && zero != std::string_view::npos)
    return "the text holds a zero byte at position " + std::to_string(zero);
  return std::nullopt;
}

/// libnvvm dies of a layout whose parts do not begin with a known letter.
bool is_layout(std::string_view layout) {
  while (!layout.empty()) {
    const std::string_view part = next_part(layout, '-');
    if (part.empty() || std::string_view("eEpimnvafASPGF").find(part[0]) == std::string_view::npos) return false;
    const auto is_plain = [](char c) { return (c >= '0' && c <= '9') || c == ':'; };
    const bool is_words = part[0] == 'm' || part[0] == 'n' || part[0] == 'F';  // m:e, ni:4, Fn32
    if (!is_words && !std::all_of(part.begin() + 1, part.end(), is_plain)) return false;
  }
  return true;
}

std::optional<std::string> problem_of_layout(const std::optional<std::string>& layout) {
  if (!layout || layout->empty()) return "it has no target datalayout. " + layout_advice();
  if (!is_layout(*layout)) return "its target datalayout \"" + *layout + "\" is none. " + layout_advice();
  for (std::string_view rest = *layout; !rest.empty();) {
    const std::string_view part = next_part(rest, '-');
    if (part.starts_with("E") || (part.starts_with("p:") && !part.starts_with("p:64")))
      return "its target datalayout \"" + *layout + "\" is not that of a GPU's 64-bit code. " + layout_advice();
  }
  return std::nullopt;
}

std::optional<std::string> problem_of_triple(const std::optional<std::string>& triple) {
  if (!triple || triple->empty()) return "it has no target triple. " + triple_advice();
  const bool is_cuda = triple->size() > 5 && triple->compare(triple->size() - 5, 5, "-cuda") == 0;
  if (triple->starts_with("nvptx64-") && is_cuda) return std::nullopt;
  return "its target triple is \"" + *triple + "\"" +
         (triple->starts_with("nvptx-") ? std::string(", 32-bit code, which CUDA no longer has. ")
                                        : std::string(". ")) +
         triple_advice();
}

/// "LLVM14.0.6" as a person writes it.
std::string readable(const std::string& producer) {
  return producer.starts_with("LLVM") ? "LLVM " + producer.substr(4) : producer;
}

std::string version_advice(const IrFacts& facts, const std::string& ir_version) {
  const std::string major = ir_version.substr(0, ir_version.find('.'));
  const std::string minor = ir_version.substr(ir_version.find('.') + 1);
  const std::string given =
      facts.version ? "says " + std::to_string(facts.version->first) + "." + std::to_string(facts.version->second)
                    : std::string("is missing or is another");
  return "The IR's version, !nvvmir.version, " + given + "; this libnvvm reads NVVM IR " + ir_version +
         ". Check that the IR is what that version describes, and have in it:\n  !nvvmir.version = !{!9}\n  !9 = "
         "!{i32 " +
         major + ", i32 " + minor + "}\n(of debug metadata the version follows: i32 3, i32 2)";
}

std::string bitcode_advice(const IrFacts& facts, const Arch& arch) {
  const std::string writer = facts.producer.empty() ? "another LLVM" : readable(facts.producer);
  return "The bitcode was written by " + writer + ". " + dialect(arch) +
         ". Write it with an LLVM of that version, give the IR as text in that dialect" +
         (is_read_by_llvm_7(arch) ? ", or compile for compute_100 or above." : ".");
}

std::string parse_advice(const std::string& log, const IrFacts& facts, const Arch& arch) {
  if (facts.is_bitcode) return bitcode_advice(facts, arch);
  if (facts.opaque_pointer_line != 0 && is_read_by_llvm_7(arch))
    return dialect(arch) + ", and line " + std::to_string(facts.opaque_pointer_line) +
           " has ptr. Typed pointers are what all architectures take, as long as the whole IR is in the older dialect.";
  if (contains(log, "expected comma after getelementptr's type") || contains(log, "expected comma after load's type"))
    return "Since LLVM 3.7 load and getelementptr name the type first: \"load float, float* %p\", \"getelementptr i32, "
           "i32* %p, i64 %i\".";
  if (facts.typed_pointer_line != 0 && facts.opaque_pointer_line != 0 && !is_read_by_llvm_7(arch))
    return dialect(arch) + ". Line " + std::to_string(facts.typed_pointer_line) + " has a typed pointer and line " +
           std::to_string(facts.opaque_pointer_line) + " has ptr: one module has one kind.";
  return {};
}

}  // namespace

std::optional<std::string> problem_of(std::string_view ir, const IrFacts& facts) {
  if (auto problem = other_kind(ir)) return problem;
  if (facts.is_bitcode && !facts.is_whole) return std::nullopt;  // libnvvm reports what is malformed
  if (facts.old_metadata_line != 0)
    return "line " + std::to_string(facts.old_metadata_line) +
           " has metadata of before LLVM 3.6. The word metadata is gone from it: \"!0 = !{void (i32*)* @f, "
           "!\"kernel\", "
           "i32 1}\"";
  // Text without either is hardly IR: libnvvm's own word on it says more.
  if (!facts.is_bitcode && !facts.layout && !facts.triple && !contains(ir, "define ") && !contains(ir, "declare "))
    return "it is no LLVM IR: no target, no definition, no declaration";
  if (auto problem = problem_of_triple(facts.triple)) return problem;
  return problem_of_layout(facts.layout);
}

std::string advice_for(const std::string& log, const IrFacts& facts, const Arch& arch, const std::string& ir_version) {
  if (contains(log, "incompatible with current version")) return version_advice(facts, ir_version);
  if (contains(log, "DataLayoutError") || contains(log, "target data layout")) return layout_advice();
  if (contains(log, "Target-incompatible DataLayout"))  // the verifier takes LLVM's
    return "For " + arch.text() +
           " this libnvvm takes no layout but NVVM's own; LLVM's is for architectures below 100. " + layout_advice();
  if (contains(log, "-arch=") && contains(log, "is an unsupported option"))
    return "libnvvm knows the architecture, but not with that suffix: a is from compute_90 on, f from compute_100 on.";
  if (contains(log, "is an unsupported option"))
    return "libnvvm's options are -g, -opt=0|3, -ftz=0|1, -prec-sqrt=0|1, -prec-div=0|1, -fma=0|1 and "
           "-jump-table-density=0..101.";
  if (contains(log, "parse ")) return parse_advice(log, facts, arch);
  return {};
}

}  // namespace kiln
