// Links over the wire.
#pragma once

#include "compile/jobs/wire_request.hpp"
#include "compile/nvjitlink/link_outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace kiln {

template <>
inline constexpr InputType last_of<InputType> = InputType::nvvm_ir;

template <class Archive, WireOf<LinkOptions> T>
void wire(Archive& archive, T& options) {
  auto& [more, arch, target, backend, name, cache, caching, lto, optimization, max_registers, debug, lineinfo, ftz,
         prec_div, prec_sqrt, fma, kernels_used, variables_used, optimize_unused_variables, split_compile,
         ptxas_options, verbose, message_handler] = options;
  archive(arch, target, backend, lto, optimization, max_registers, debug, lineinfo, ftz, prec_div, prec_sqrt, fma,
          kernels_used, variables_used, optimize_unused_variables, split_compile, ptxas_options, more, verbose, name);
  (void)message_handler, (void)cache, (void)caching;
}

/// Of compiled code only its architecture and its bytes.
inline void wire(WireWriter& out, const LinkInput& input) {
  const auto& [type, name, code, data, path, kept] = input;
  (void)data, (void)kept;  // no link starts while an input is a key alone
  const auto arch = code ? std::optional(code->arch) : std::nullopt;
  out(type, name, path, arch, input.bytes());
}

inline void wire(WireReader& in, LinkInput& input) {
  std::optional<std::string> arch;
  in(input.type, input.name, input.path, arch, input.data);
  if (!arch) return;
  auto code = std::make_shared<CodeData>();
  code->arch = *std::move(arch);
  code->own(std::move(input.data));
  input.code = std::move(code);
}

/// One link by nvJitLink, with what a LinkOrder only refers to.
struct LinkTask {
  LinkOrder order;
  LinkOptions options;
};

inline void wire(WireWriter& out, const LinkTask& task) {
  const auto& [name, inputs, options, arch, lto] = task.order;
  (void)options;
  out(name, arch, lto, task.options, inputs.size());
  for (const auto& input : inputs) out(*input);
}

inline void wire(WireReader& in, LinkTask& task) {
  std::size_t count = 0;
  in(task.order.name, task.order.arch, task.order.lto, task.options, count);
  for (; count != 0 && !in.failed(); --count) {
    auto input = std::make_shared<LinkInput>();
    in(*input);
    task.order.inputs.push_back(std::move(input));
  }
}

/// What came of it; the input at which it failed by its number, counted from one.
struct LinkResult {
  LinkOutcome outcome;
  std::size_t failed_input = 0;
};

/// After an input that nvJitLink refused, its next links in the process succeed with undefined symbols or too much
/// shared memory (13.0, 13.5), or crash (after a failure of link-time optimisation).
inline bool leaves_state(const LinkResult& result) { return !result.outcome.failure.empty(); }

template <class Archive, WireOf<LinkResult> T>
void wire(Archive& archive, T& result) {
  auto& [linker, version, options, code, info_log, error_log, failure, undefined, failed_input] = result.outcome;
  archive(linker, version, options, code, info_log, error_log, failure, undefined, result.failed_input);
  (void)failed_input;
}

}  // namespace kiln
