#include "capture_reader.hpp"

#include "base/files.hpp"
#include "base/json_object.hpp"
#include "base/json_value.hpp"
#include "base/path_text.hpp"
#include "base/printable_text.hpp"
#include "capture/capture_json.hpp"
#include "compile/record/record.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "tune/tune_value_json.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace kiln::tool {

namespace {

/// A file's name within the folder, and nothing that leads out of it.
std::string path_in(const Capture& capture, const std::string& name) {
  constexpr std::size_t longest_name = 255;
  if (name.empty() || name.size() > longest_name || name.front() == '.' || name.find('/') != std::string::npos)
    throw Error("\"" + printable_word(name) + "\" is no name of a file of the capture");
  return joined(capture.folder, name);
}

const ElementType& element_named(std::string_view name) {
  const ElementType* const type = element_type(name);
  if (type == nullptr) throw Error("\"" + printable_word(name) + "\" is no type of elements that is known");
  return *type;
}

/// What the file has as `type`, which NumPy may not know.
Array read_array(const std::string& path, const ElementType& type, std::size_t bytes) {
  Array array = read_npy_file(path, read_unlinked_file);
  if (array.bytes.size() != bytes || bytes % type.size != 0)
    throw Error(path + ": it has " + std::to_string(array.bytes.size()) + " bytes of elements, not the capture's " +
                std::to_string(bytes));
  array.type = &type;
  array.shape = {bytes / type.size};
  return array;
}

CapturedArray array_of(const Capture& capture, const JsonValue& json) {
  const ElementType& type = element_named(json_get<std::string>(json, "element"));
  const auto bytes = json_get<std::size_t>(json, "bytes");
  CapturedArray array;
  array.file = path_in(capture, json_get<std::string>(json, "file"));
  array.before = read_array(array.file, type, bytes);
  if (json.find("after") != nullptr) {
    array.file = path_in(capture, json_get<std::string>(json, "after"));
    array.after = read_array(array.file, type, bytes);
  }
  return array;
}

CapturedVariable variable_of(const Capture& capture, const JsonValue& json) {
  const std::string path = path_in(capture, json_get<std::string>(json, "file"));
  return {json_get<std::string>(json, "symbol"),
          read_array(path, element_named("unsigned char"), json_get<std::size_t>(json, "bytes"))};
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    unsigned byte = 0;
    const char* const end = text.data() + std::min(at + 2, text.size());
    const auto [read, error] = std::from_chars(text.data() + at, end, byte, 16);
    if (error != std::errc() || read != text.data() + at + 2)
      throw Error("\"" + printable_word(text) + "\" is no hexadecimal text");
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

RunArgument argument_of(const Capture& capture, const JsonValue& json) {
  const std::size_t index = capture.arguments.size();
  const auto size = json_get<std::size_t>(json, "size");
  RunArgument argument{index, "the capture's", NullArgument{}};
  if (json.find("memory") != nullptr) {
    const MemoryArgument pointer{json_get<std::size_t>(json, "memory"), json_get<std::size_t>(json, "offset")};
    if (pointer.memory >= capture.memories.size() ||
        pointer.offset > capture.memories[pointer.memory].before.bytes.size() || size != sizeof(void*))
      throw Error("argument " + std::to_string(index) + " points into no memory of the capture");
    argument.value = pointer;
  } else {
    BytesArgument bytes{from_hex(json_get<std::string>(json, "bytes"))};
    if (bytes.bytes.size() != size) throw Error("argument " + std::to_string(index) + " has another size than it says");
    argument.value = std::move(bytes);
  }
  return argument;
}

Dim3 dim_of(const JsonValue& json, const char* name) {
  const auto sizes = json_get<std::vector<std::uint32_t>>(json, name);
  if (sizes.size() != 3) throw Error("\"" + std::string(name) + "\": three sizes are expected");
  return {sizes[0], sizes[1], sizes[2]};
}

LaunchAttributes attributes_of(const JsonValue& json) {
  LaunchAttributes attributes;
  attributes.cooperative = json_get_or(json, "cooperative", false);
  if (json.find("cluster") != nullptr) attributes.cluster = dim_of(json, "cluster");
  if (json.find("shared_memory_carveout") != nullptr)
    attributes.shared_memory_carveout = json_get<int>(json, "shared_memory_carveout");
  return attributes;
}

/// Relative names count from the folder of the run.
void settle_paths(CompileOptions& options, const std::string& folder) {
  for (std::filesystem::path& dir : options.include_dirs) dir = joined(folder, dir.string());
  if (!options.name.empty()) options.name = joined(folder, options.name);
  options.arch.clear();  // that of the device on which it runs now
}

RecordedRequest captured_request(const JsonValue& json) {
  RecordedRequest request = read_request(json.json());
  if (request.kind == RecordedRequest::Kind::link) throw Error("its code is of a link, which a capture has none of");
  settle_paths(request.source.options, request.place.folder);
  return request;
}

CapturedDefinition definition_of(const JsonValue& capture, const std::string& folder) {
  const JsonValue& json = json_member(capture, "tuning");
  CapturedDefinition definition;
  definition.key = json_get<std::string>(capture, "key");
  definition.problem = json_get<std::vector<unsigned long long>>(capture, "problem");
  if (definition.problem.empty() || definition.problem.size() > 3) throw Error("a problem has one to three sizes");
  definition.name = json_get<std::string>(json, "name");
  for (const JsonValue& parameter : json_list(json, "parameters")) {
    CapturedParameter& last = definition.parameters.emplace_back();
    last.name = json_get<std::string>(parameter, "name");
    for (const JsonValue& value : json_list(parameter, "values")) last.values.push_back(tune_value_of(value));
    last.is_option = json_get_or(parameter, "option", false);
  }
  definition.restrictions = json_get<std::vector<std::string>>(json, "restrictions");
  definition.callable_restrictions = json_get<int>(json, "callable_restrictions");
  definition.block = json_get_or(json, "block", std::vector<std::string>());
  definition.grid = json_get_or(json, "grid", std::vector<std::string>());
  if (definition.block.size() > 3 || definition.grid.size() > 3) throw Error("a block or grid has at most three sizes");
  definition.shared = json_get<std::string>(json, "shared");
  if (json.find("default") != nullptr)
    for (const auto& [name, value] : json_members(json, "default"))
      definition.defaults.emplace_back(name, tune_value_of(value));
  JsonReport request;
  for (const auto& [name, value] : json_members(json, "request")) request.add_json(name, value.json());
  request.add("kiln_record", record_version).add("kind", "compile");
  definition.options = read_request(request.text()).source.options;
  settle_paths(definition.options, folder);
  return definition;
}

void read_captured_code(const JsonValue& json, Capture& capture) {
  const std::string file = path_in(capture, json_get<std::string>(json, "file"));
  if (json.find("request") != nullptr) {
    capture.request = captured_request(json_member(json, "request"));
    capture.request->source.text = read_unlinked_file(file);
  } else {
    capture.code = read_unlinked_file(file);
  }
}

void read_fields(const JsonValue& json, Capture& capture) {
  const int version = json_get<int>(json, "kiln_capture");
  if (version > capture_version || version < 1)
    throw Error("it is of form " + std::to_string(version) + ", and this kiln reads forms up to " +
                std::to_string(capture_version));
  capture.kernel = json_get<std::string>(json, "kernel");
  capture.symbol = json_get<std::string>(json, "symbol");
  capture.grid = dim_of(json, "grid");
  capture.block = dim_of(json, "block");
  capture.shared_size = json_get<std::size_t>(json, "shared_bytes");
  capture.attributes = attributes_of(json_object(json, "attributes"));
  for (const JsonValue& memory : json_list(json, "memories")) capture.memories.push_back(array_of(capture, memory));
  for (const JsonValue& one : json_list(json, "variables")) capture.variables.push_back(variable_of(capture, one));
  for (const JsonValue& one : json_list(json, "arguments")) capture.arguments.push_back(argument_of(capture, one));
  read_captured_code(json_member(json, "code"), capture);
  if (json.find("tuning") != nullptr)
    capture.tuning = definition_of(json, capture.request ? capture.request->place.folder : std::string());
  capture.fault = json_get_or(json, "fault", std::string());
}

}  // namespace

std::string Capture::name() const { return parse_demangled(kernel).qualified_name; }

std::vector<Array> Capture::arrays() const {
  std::vector<Array> arrays;
  for (const CapturedArray& memory : memories) arrays.push_back(memory.before);
  return arrays;
}

bool is_capture(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_directory(file, none)) return false;
  if (!is_regular_file(joined(file, capture_file)))
    throw Error(file + " is a folder, and no capture: it has no " + capture_file);
  return true;
}

Capture read_capture(const std::string& folder) {
  const std::string path = joined(folder, capture_file);
  Capture capture;
  capture.folder = folder;
  std::string fault;
  try {
    read_fields(parsed_json(read_unlinked_file(path)), capture);
    return capture;
  } catch (const Error& error) {
    fault = error.what();
  }
  if (fault.find(folder) == std::string::npos) fault = path + ": " + fault;
  throw Error(fault + ". Capture the launch again, or use the Kiln that wrote it");
}

}  // namespace kiln::tool
