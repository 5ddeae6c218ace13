// What compilers made, over the wire.
#pragma once

#include "compile/code/made_code.hpp"
#include "compile/jobs/wire_request.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <kiln/compile.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

template <>
inline constexpr ParameterKind last_of<ParameterKind> = last_parameter_kind;

/// The rest of CodeData belongs to this process.
template <class Archive, class Text, WireOf<CodeData> T>
void wire_code(Archive& archive, Text& bytes, T& code) {
  archive(bytes, code.target, code.arch, code.log, code.lowered_names, code.parameter_kinds, code.backend, code.name,
          code.ptx, code.effective_options);
}

inline void wire(WireWriter& out, const std::chrono::microseconds& time) { out(time.count()); }

inline void wire(WireReader& in, std::chrono::microseconds& time) {
  std::int64_t count = 0;
  in(count);
  time = std::chrono::microseconds(count);
}

template <class Archive, WireOf<HeaderTime> T>
void wire(Archive& archive, T& header) {
  auto& [name, time] = header;
  archive(name, time);
}

template <class Archive, WireOf<CompilerTimes> T>
void wire(Archive& archive, T& times) {
  auto& [front_end, headers, optimizer, ptxas, slowest_headers, precompiled_header, measuring] = times;
  archive(front_end, headers, optimizer, ptxas, slowest_headers, precompiled_header, measuring);
}

inline void wire(WireWriter& out, const NvccNeeded& needed) {
  const auto& [reason, refusal, nvrtc_can, is_guess] = needed;
  out(reason, nvrtc_can, is_guess, refusal.has_value());
  if (refusal) out(std::string_view(refusal->what()), refusal->log(), refusal->options());
}

inline void wire(WireReader& in, NvccNeeded& needed) {
  auto& [reason, refusal, nvrtc_can, is_guess] = needed;
  bool is_refused = false;
  in(reason, nvrtc_can, is_guess, is_refused);
  if (!is_refused) return;
  std::string message, log;
  std::vector<std::string> options;
  in(message, log, options);
  refusal.emplace(message, std::move(log), std::move(options));
}

inline void wire(WireWriter& out, const MadeCode& made) {
  const auto& [code, headers, nvcc_needed, times] = made;
  out(nvcc_needed);
  if (nvcc_needed) return;
  wire_code(out, code->bytes, std::as_const(*code));
  out(headers, times);
}

inline void wire(WireReader& in, MadeCode& made) {
  auto& [code, headers, nvcc_needed, times] = made;
  in(nvcc_needed);
  if (nvcc_needed) return;
  code = std::make_shared<CodeData>();
  std::string bytes;
  wire_code(in, bytes, *code);
  code->own(std::move(bytes));
  in(headers, times);
}

template <class Archive, WireOf<NvvmCode> T>
void wire(Archive& archive, T& made) {
  auto& [code, log, target, arch, options] = made;
  archive(code, log, target, arch, options);
}

template <class Archive, WireOf<NvccVersion> T>
void wire(Archive& archive, T& version) {
  auto& [major, minor] = version;
  archive(major, minor);
}

}  // namespace kiln
