#include "recorded_request.hpp"

#include "base/base64.hpp"
#include "base/json_value.hpp"
#include "base/printable_text.hpp"
#include "compile/compiler.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "compile/record/record.hpp"

#include <kiln/error.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace kiln::tool {

namespace {

using RecordedJson = JsonValue;

std::string from_base64(std::string_view text) {
  const std::optional<std::string> bytes = base64_bytes(text);
  if (!bytes) throw Error("what should be base64 is none");
  return *bytes;
}

void read(const RecordedJson& json, std::string& value) {
  value = json.is<JsonValue::Members>() ? from_base64(json_get<std::string>(json, "base64"))
                                        : json_value<std::string>(json);
}
void read(const RecordedJson& json, bool& value) { value = json_value<bool>(json); }
void read(const RecordedJson& json, int& value) { value = json_integer<int>(json); }
void read(const RecordedJson& json, Target& value) {
  const auto target = target_of(json_value<std::string>(json));
  if (!target) throw Error("there is no target \"" + printable_word(json_value<std::string>(json)) + "\"");
  value = *target;
}
void read(const RecordedJson& json, Backend& value) { value = backend_of(json_value<std::string>(json)); }
void read(const RecordedJson& json, Language& value) {
  value = json_value<std::string>(json) == "nvvm_ir" ? Language::nvvm_ir : Language::cuda;
}
void read(const RecordedJson& json, InputType& value) { value = input_type_of(json_value<std::string>(json)); }
void read(const RecordedJson& json, std::filesystem::path& value) {
  std::string text;
  read(json, text);
  value = text;
}
void read(const RecordedJson& json, std::pair<std::string, std::string>& value) {
  const auto& pair = json_content<JsonValue::List>(json, "a list of two texts");
  if (pair.size() != 2) throw_other_json("a list of two texts", json);
  read(pair[0], value.first);
  read(pair[1], value.second);
}
template <class Value>
void read(const RecordedJson& json, std::optional<Value>& value) {
  read(json, value.emplace());
}
template <class Value>
void read(const RecordedJson& json, std::vector<Value>& values) {
  for (const RecordedJson& item : json_content<JsonValue::List>(json, "a list")) read(item, values.emplace_back());
}
void read(const RecordedJson& json, std::vector<Define>& defines) {
  std::vector<std::pair<std::string, std::string>> pairs;
  read(json, pairs);
  for (auto& [name, value] : pairs) defines.emplace_back(std::move(name), std::move(value));
}
void read(const RecordedJson& json, std::map<std::string, std::string>& values) {
  std::vector<std::pair<std::string, std::string>> pairs;
  read(json, pairs);
  for (auto& pair : pairs) values.insert(std::move(pair));
}

/// What is not there stays as it is.
template <class Value>
void read(const RecordedJson& json, const char* key, Value& value) {
  if (const JsonValue* const field = json.find(key)) of_json_member(key, [&] { read(*field, value); });
}

template <class Rows, class Options>
void read_options(const RecordedJson& json, const Rows& rows, Options& options) {
  for_each_option<recorded>(rows, [&](const auto& row) { read(json, row.recorded_as, row.of(options)); });
}

RecordedSource source_of(const RecordedJson& json) {
  RecordedSource source;
  read_options(json, compile_option_rows, source.options);
  const RecordedJson& text = json_member(json, "source");
  of_json_member("source", [&] { read(text, source.text); });
  return source;
}

RecordedInput input_of(const RecordedJson& json) {
  RecordedInput input;
  read(json, "type", input.type);
  read(json, "name", input.name);
  read(json, "library", input.library);
  if (const JsonValue* const source = json.find("source")) input.source.push_back(source_of(*source));
  read(json, "bytes", input.bytes);
  return input;
}

RecordedRequest request_of(const RecordedJson& json) {
  const int version = json_get<int>(json, "kiln_record");
  if (version != record_version)
    throw Error("it is of form " + std::to_string(version) + ", and this kiln reads form " +
                std::to_string(record_version) + ": record with the same Kiln");
  RecordedRequest request;
  read(json, "folder", request.place.folder);
  read(json, "device_arch", request.place.device_arch);
  read(json, "environment", request.place.environment);
  const std::string kind = json_get<std::string>(json, "kind");
  if (kind == "link") {
    request.kind = RecordedRequest::Kind::link;
    read_options(json, link_option_rows, request.link);
    for (const RecordedJson& input : json_list(json, "inputs")) request.inputs.push_back(input_of(input));
  } else if (kind == "compile" || kind == "compile_plain") {
    if (kind == "compile_plain") request.kind = RecordedRequest::Kind::compile_plain;
    request.source = source_of(json);
  } else {
    throw Error("\"" + printable_word(kind) + "\" is no kind of request");
  }
  return request;
}

}  // namespace

bool RecordedRequest::is_for_device() const {
  if (kind == Kind::compile_plain) return false;
  return kind == Kind::link ? kiln::is_for_device(link) : kiln::is_for_device(source.options);
}

RecordedRequest read_request(std::string_view line) {
  const auto json = [&] {
    try {
      return parsed_json(line);
    } catch (const Error& error) {
      throw Error(std::string("it is no line that KILN_RECORD wrote: ") + error.what());
    }
  }();
  return request_of(json);
}

CodeObject link_recorded(const RecordedRequest& request) {
  LinkJob job;
  job.options = request.link;
  const CompileContext context = context_for_device(request.place.device_arch);
  for (const RecordedInput& input : request.inputs) {
    if (!input.library.empty()) {
      job.add_stdlib(input.library);
    } else if (!input.source.empty()) {
      const RecordedSource& source = input.source.front();
      job.add(compile_for(source.text, source.options, context), input.name);
    } else {
      job.add_data(input.bytes, input.type, input.name);
    }
  }
  return link_for(job, request.place.device_arch);
}

}  // namespace kiln::tool
