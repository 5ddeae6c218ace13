// The lines of KILN_RECORD's file, which `kiln cache warm` (tools/kiln/recorded_request.cpp) reads. A change of what
// stands there is another version.
#include "base/environment.hpp"
#include "base/json_object.hpp"
#include "base/path_text.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "compile/record/record.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// What is empty or unset is left out.

template <class Value>
void add(JsonObject& object, const char* key, const Value& value) {
  if (is_set(value)) object.add(key, value);
}
void add(JsonObject& object, const char* key, Target target) { object.add(key, target_name(target)); }
void add(JsonObject& object, const char* key, Backend backend) {
  if (is_set(backend)) object.add(key, backend_name(backend));
}
void add(JsonObject& object, const char* key, Language language) {
  if (language == Language::nvvm_ir) object.add(key, "nvvm_ir");
}
template <class Value>
void add(JsonObject& object, const char* key, const std::optional<Value>& value) {
  if (value) object.add(key, *value);
}
void add(JsonObject& object, const char* key, const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const auto& path : paths) texts.push_back(path.string());
  add(object, key, texts);
}
void add(JsonObject& object, const char* key, const std::vector<Define>& defines) {
  Pairs pairs;
  for (const Define& define : defines) pairs.emplace_back(define.name, define.value);
  add(object, key, pairs);
}
void add(JsonObject& object, const char* key, const std::map<std::string, std::string>& values) {
  add(object, key, Pairs(values.begin(), values.end()));
}

void add_place(JsonObject& object, const std::string& device_arch) {
  add(object, "device_arch", device_arch);
  object.add("folder", working_folder());
  Pairs environment;
  for (const char* name : recorded_variables)
    if (const auto value = kiln::environment(name)) environment.emplace_back(name, *value);
  add(object, "environment", environment);
}

void add_source(JsonObject& object, std::string_view source, const CompileOptions& options) {
  for (int order = 0; order <= last_record_order; ++order)
    for_each_option<recorded>(compile_option_rows, [&](const auto& row) {
      if (row.record_order == order) add(object, row.recorded_as, row.of(options));
    });
  object.add("source", source);
}

/// The source of what was compiled, the name of a toolkit's library, else the bytes.
std::string input_record(const LinkInput& input) {
  JsonObject object;
  object.add("type", facts_of(input.type).name).add("name", input.name);
  if (!input.path.empty()) return object.add("library", input.name).text();
  const std::shared_ptr<const CodeData> code = input.kept ? input.kept->read().data() : input.code;
  if (code && code->recipe) {
    return object.add_json("source", source_request(code->recipe->source, code->recipe->options)).text();
  }
  return object.add("bytes", input.bytes()).text();
}

}  // namespace

std::string source_record(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  JsonObject object;
  object.add("kiln_record", record_version).add("kind", context.plain ? "compile_plain" : "compile");
  add_place(object, is_for_device(options) ? context.device_arch : std::string());
  add_source(object, source, options);
  return object.text();
}

std::string source_request(std::string_view source, const CompileOptions& options) {
  JsonObject object;
  add_source(object, source, options);
  return object.text();
}

std::string link_record(const LinkOptions& options, const LinkInputs& inputs, const std::string& device_arch) {
  JsonObject object;
  object.add("kiln_record", record_version).add("kind", "link");
  add_place(object, is_for_device(options) ? device_arch : std::string());
  for_each_option<recorded>(link_option_rows, [&](const auto& row) { add(object, row.recorded_as, row.of(options)); });
  std::vector<std::string> items;
  for (const auto& input : inputs) items.push_back(input_record(*input));
  return object.add_json("inputs", json_array(items)).text();
}

}  // namespace kiln
