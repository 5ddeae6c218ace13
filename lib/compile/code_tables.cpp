#include "compile/code_tables.hpp"

#include "cache/byte_io.hpp"
#include "toolkit/kernel_name.hpp"

#include <cstdint>

namespace kiln {

namespace {

void append_text(std::string& out, std::string_view text) {
  append_integer(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

std::string read_text(ByteReader& reader) { return std::string(reader.bytes(reader.integer<std::uint32_t>())); }

int read_int(ByteReader& reader) { return static_cast<int>(reader.integer<std::uint32_t>()); }

KernelInfo read_kernel(ByteReader& reader) {
  KernelInfo kernel;
  kernel.name = read_text(reader);
  for (int* figure : {&kernel.registers, &kernel.shared_bytes, &kernel.local_bytes, &kernel.constant_bytes})
    *figure = read_int(reader);
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count) {
    Parameter parameter;
    parameter.offset = reader.integer<std::uint32_t>();
    parameter.size = reader.integer<std::uint32_t>();
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
    for (const int figure : {kernel.registers, kernel.shared_bytes, kernel.local_bytes, kernel.constant_bytes})
      append_integer(bytes, static_cast<std::uint32_t>(figure));
    append_integer(bytes, static_cast<std::uint32_t>(kernel.parameters.size()));
    for (const Parameter& parameter : kernel.parameters) {
      append_integer(bytes, static_cast<std::uint32_t>(parameter.offset));
      append_integer(bytes, static_cast<std::uint32_t>(parameter.size));
    }
  }
  append_integer(bytes, static_cast<std::uint32_t>(info.globals.size()));
  for (const std::string& name : info.globals) append_text(bytes, name);
  return bytes;
}

std::optional<CodeInfo> decode_tables(std::string_view bytes) {
  ByteReader reader(bytes);
  CodeInfo info;
  info.arch = read_text(reader);
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count)
    info.kernels.push_back(read_kernel(reader));
  for (auto count = reader.integer<std::uint32_t>(); count > 0 && !reader.failed(); --count)
    info.globals.push_back(read_text(reader));
  if (!reader.finished()) return std::nullopt;
  for (KernelInfo& kernel : info.kernels) add_readable_name(kernel);
  return info;
}

}  // namespace kiln
