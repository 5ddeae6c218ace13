#include "compile/portable_compile.hpp"

#include "compile/compiler_selection.hpp"
#include "compile/nvvm_compile.hpp"

#include <utility>

namespace kiln {

namespace {

template <class Work>
auto select_compiler(std::string_view source, const CompileOptions& options, const CompileContext& context,
                     const Work& work) {
  const CompileInput input{source, options, context, {}, request_identity(source, options, context)};
  CodeCache cache(options.caching, Counting::off);
  return work(CompilerSelection(input, cache));
}

}  // namespace

std::optional<std::string> portable_key(std::string_view source, const CompileOptions& options,
                                        const CompileContext& context) {
  if (options.language == Language::nvvm_ir) return ir_key_here(source, options, context);
  return select_compiler(source, options, context, [](CompilerSelection&& selection) { return selection.key(); });
}

std::optional<PortableCode> find_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, Backend made_by) {
  if (options.language == Language::nvvm_ir) return find_portable_ir(source, options, context);
  return select_compiler(source, options, context,
                         [&](CompilerSelection&& selection) { return selection.find_portable(made_by); });
}

std::optional<CodeObject> accept_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, PortableCode code, bool from_cache) {
  if (options.language == Language::nvvm_ir) return accept_ir(source, options, context, std::move(code), from_cache);
  return select_compiler(source, options, context,
                         [&](CompilerSelection&& selection) { return selection.accept(std::move(code), from_cache); });
}

}  // namespace kiln
