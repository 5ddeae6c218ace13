// What the archive (worker/wire.hpp) cannot know of values: where enumerations end, which members stay in this process,
// and the few classes that are not their members.
#pragma once

#include "cache/key.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/options/target_name.hpp"
#include "compile/worker/wire.hpp"

namespace kiln {

template <>
inline constexpr Target last_of<Target> = target_table.back().target;
template <>
inline constexpr Backend last_of<Backend> = Backend::driver;
template <>
inline constexpr Language last_of<Language> = Language::nvvm_ir;
template <>
inline constexpr InputType last_of<InputType> = last_input_type;
template <>
inline constexpr ParameterKind last_of<ParameterKind> = last_parameter_kind;
template <>
inline constexpr Counter last_of<Counter> = static_cast<Counter>(static_cast<int>(Counter::end) - 1);
template <>
inline constexpr ObstacleDependency::Kind last_of<ObstacleDependency::Kind> = ObstacleDependency::Kind::unreadable;
template <>
inline constexpr EntryKind last_of<EntryKind> = EntryKind::tree;
template <>
inline constexpr JobLibrary::Kind last_of<JobLibrary::Kind> = JobLibrary::Kind::nvjitlink;
template <>
inline constexpr RemoteAddress::Scheme last_of<RemoteAddress::Scheme> = RemoteAddress::Scheme::https;
template <>
inline constexpr RemoteAddress::Layout last_of<RemoteAddress::Layout> = RemoteAddress::Layout::subdirs;

template <>
inline constexpr bool stays_here<Stop> = true;
template <>
inline constexpr bool stays_here<CacheKey> = true;  // for look-ups
template <>
inline constexpr bool stays_here<CacheOptions> = true;

inline void wire(WireWriter& out, const Define& define) { out(define.name, define.value); }

inline void wire(WireReader& in, std::vector<Define>& defines) {
  std::vector<std::pair<std::string, std::string>> pairs;
  in(pairs);
  for (auto& [name, value] : pairs) defines.emplace_back(std::move(name), std::move(value));
}

inline void wire(WireWriter& out, const std::optional<CompileError>& error) {
  out(error.has_value());
  if (error) out(std::string_view(error->what()), error->log(), error->options());
}

inline void wire(WireReader& in, std::optional<CompileError>& error) {
  bool has_error = false;
  in(has_error);
  if (!has_error) return;
  std::string message, log;
  std::vector<std::string> options;
  in(message, log, options);
  error.emplace(message, std::move(log), std::move(options));
}

/// The rest of it belongs to this process.
template <class Archive, class Text, class Code>
void wire_code(Archive& archive, Text& bytes, Code& code) {
  archive(bytes, code.target, code.arch, code.log, code.lowered_names, code.parameter_kinds, code.backend, code.name,
          code.ptx, code.effective_options);
}

inline void wire(WireWriter& out, const MadeCode& made) {
  out(made.nvcc_needed);
  if (made.nvcc_needed) return;
  wire_code(out, made.code->bytes, std::as_const(*made.code));
  out(made.headers, made.times);
}

inline void wire(WireReader& in, MadeCode& made) {
  in(made.nvcc_needed);
  if (made.nvcc_needed) return;
  made.code = std::make_shared<CodeData>();
  std::string bytes;
  wire_code(in, bytes, *made.code);
  made.code->own(std::move(bytes));
  in(made.headers, made.times);
}

/// Of compiled code only its architecture and its bytes. No link starts while an input is a key alone.
inline void wire(WireWriter& out, const LinkInput& input) {
  const auto arch = input.code ? std::optional(input.code->arch) : std::nullopt;
  out(input.type, input.name, input.path, arch, input.bytes());
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

}  // namespace kiln
