#include "compile/code/code_tables.hpp"

#include "cache/byte_io.hpp"
#include "toolkit/image/parameter_kinds.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <cstdint>

namespace kiln {

namespace {

void append_text(std::string& out, std::string_view text) {
  append_integer(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

std::string read_text(ByteReader& reader) { return std::string(reader.bytes(reader.integer<std::uint32_t>())); }

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  append_integer(out, static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) append_text(out, text);
}

std::vector<std::string> read_texts(ByteReader& reader) {
  std::vector<std::string> texts;
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count)
    texts.push_back(read_text(reader));
  return texts;
}

int read_int(ByteReader& reader) { return static_cast<int>(reader.integer<std::uint32_t>()); }

/// An unknown number is `other`.
ParameterKind read_kind(ByteReader& reader) {
  const auto kind = reader.integer<std::uint8_t>();
  return kind > static_cast<std::uint8_t>(last_parameter_kind) ? ParameterKind::other
                                                               : static_cast<ParameterKind>(kind);
}

KernelInfo read_kernel(ByteReader& reader) {
  KernelInfo kernel;
  kernel.name = read_text(reader);
  for (int* figure : {&kernel.registers, &kernel.shared_bytes, &kernel.local_bytes, &kernel.constant_bytes,
                      &kernel.max_threads_per_block})
    *figure = read_int(reader);
  kernel.architectures = read_texts(reader);
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count) {
    Parameter parameter;
    parameter.offset = reader.integer<std::uint32_t>();
    parameter.size = reader.integer<std::uint32_t>();
    parameter.kind = read_kind(reader);
    kernel.parameters.push_back(std::move(parameter));
  }
  return kernel;
}

}  // namespace

std::string encode_tables(const CodeInfo& info) {
  std::string bytes;
  append_text(bytes, info.arch);
  append_integer(bytes, static_cast<std::uint32_t>(info.kernels.size()));
  for (const KernelInfo& kernel : info.kernels) {
    append_text(bytes, kernel.name);
    for (const int figure : {kernel.registers, kernel.shared_bytes, kernel.local_bytes, kernel.constant_bytes,
                             kernel.max_threads_per_block})
      append_integer(bytes, static_cast<std::uint32_t>(figure));
    append_texts(bytes, kernel.architectures);
    append_integer(bytes, static_cast<std::uint32_t>(kernel.parameters.size()));
    for (const Parameter& parameter : kernel.parameters) {
      append_integer(bytes, static_cast<std::uint32_t>(parameter.offset));
      append_integer(bytes, static_cast<std::uint32_t>(parameter.size));
      append_integer(bytes, static_cast<std::uint8_t>(parameter.kind));
    }
  }
  append_texts(bytes, info.globals);
  return bytes;
}

std::optional<CodeInfo> decode_tables(std::string_view bytes) {
  ByteReader reader(bytes);
  CodeInfo info;
  info.arch = read_text(reader);
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count)
    info.kernels.push_back(read_kernel(reader));
  info.globals = read_texts(reader);
  if (!reader.finished()) return std::nullopt;
  for (KernelInfo& kernel : info.kernels) add_readable_name(kernel);
  return info;
}

}  // namespace kiln
