// The lines of KILN_RECORD's file. All members by name: a new one does not build until it is decided whether it is
// recorded. A change of what stands there is another version, which `kiln cache warm` (tools/kiln/recorded_request.cpp)
// must know.
#include "base/environment.hpp"
#include "base/json_object.hpp"
#include "base/path_text.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/target_name.hpp"
#include "compile/record/record.hpp"
#include "compile/record/record_version.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> path_texts(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const auto& path : paths) texts.push_back(path.string());
  return texts;
}

Pairs pairs_of(const std::vector<Define>& defines) {
  Pairs pairs;
  for (const Define& define : defines) pairs.emplace_back(define.name, define.value);
  return pairs;
}

/// What is empty or unset is left out.
template <class List>
void add_list(JsonObject& object, const char* key, const List& list) {
  if (!list.empty()) object.add(key, list);
}
template <class Value>
void add_set(JsonObject& object, const char* key, const std::optional<Value>& value) {
  if (value) object.add(key, *value);
}
void add_true(JsonObject& object, const char* key, bool value) {
  if (value) object.add(key, true);
}

void add_place(JsonObject& object, const std::string& device_arch) {
  add_list(object, "device_arch", device_arch);
  object.add("folder", working_folder());
  Pairs environment;
  for (const char* name : recorded_variables)
    if (const auto value = kiln::environment(name)) environment.emplace_back(name, *value);
  add_list(object, "environment", environment);
}

void add_source(JsonObject& object, std::string_view source, const CompileOptions& all) {
  const auto& [options, include_dirs, defines, late_defines, arch, target, backend, name, headers, header_callback,
               name_expressions, cache, caching, keep, keep_ptx, timing, no_extern_c, nvcc, language, timeout, cancel] =
      all;
  (void)header_callback;                                               // what it gave is among the headers
  (void)cache, (void)keep, (void)timing, (void)timeout, (void)cancel;  // how it was compiled there
  add_list(object, "name", name);
  add_list(object, "arch", arch);
  object.add("target", target_name(target));
  if (backend != Backend::automatic) object.add("backend", backend_name(backend));
  if (language == Language::nvvm_ir) object.add("language", "nvvm_ir");
  add_list(object, "options", options);
  add_list(object, "include_dirs", path_texts(include_dirs));
  add_list(object, "defines", pairs_of(defines));
  add_list(object, "late_defines", pairs_of(late_defines));
  add_list(object, "headers", Pairs(headers.begin(), headers.end()));
  add_list(object, "name_expressions", name_expressions);
  add_true(object, "strict_headers", caching.strict_headers);
  add_true(object, "keep_ptx", keep_ptx);
  add_set(object, "no_extern_c", no_extern_c);
  add_list(object, "nvcc", nvcc.path);
  add_list(object, "code", nvcc.code);
  object.add("source", source);
}

const char* input_type_name(InputType type) {
  switch (type) {
    case InputType::detect:
      break;
    case InputType::cubin:
      return "cubin";
    case InputType::ptx:
      return "ptx";
    case InputType::fatbin:
      return "fatbin";
    case InputType::object:
      return "object";
    case InputType::library:
      return "library";
    case InputType::ltoir:
      return "ltoir";
    case InputType::nvvm_ir:
      return "nvvm_ir";
  }
  return "detect";
}

/// The source of what was compiled, the name of a toolkit's library, else the bytes.
std::string input_record(const LinkInput& input) {
  JsonObject object;
  object.add("type", input_type_name(input.type)).add("name", input.name);
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

std::string link_record(const LinkOptions& all, const LinkInputs& inputs, const std::string& device_arch) {
  const auto& [options, arch, target, backend, name, cache, caching, lto, optimization, max_registers, debug, lineinfo,
               ftz, prec_div, prec_sqrt, fma, kernels_used, variables_used, optimize_unused_variables, split_compile,
               ptxas_options, verbose, message_handler] = all;
  (void)cache, (void)caching, (void)message_handler;
  JsonObject object;
  object.add("kiln_record", record_version).add("kind", "link");
  add_place(object, is_for_device(all) ? device_arch : std::string());
  add_list(object, "name", name);
  add_list(object, "arch", arch);
  object.add("target", target_name(target));
  if (backend != Backend::automatic) object.add("backend", backend_name(backend));
  add_list(object, "options", options);
  add_set(object, "lto", lto);
  add_set(object, "optimization", optimization);
  add_set(object, "max_registers", max_registers);
  add_true(object, "debug", debug);
  add_true(object, "lineinfo", lineinfo);
  add_set(object, "ftz", ftz);
  add_set(object, "prec_div", prec_div);
  add_set(object, "prec_sqrt", prec_sqrt);
  add_set(object, "fma", fma);
  add_list(object, "kernels_used", kernels_used);
  add_list(object, "variables_used", variables_used);
  add_true(object, "optimize_unused_variables", optimize_unused_variables);
  add_set(object, "split_compile", split_compile);
  add_list(object, "ptxas_options", ptxas_options);
  add_true(object, "verbose", verbose);
  std::vector<std::string> items;
  for (const auto& input : inputs) items.push_back(input_record(*input));
  return object.add_json("inputs", json_array(items)).text();
}

}  // namespace kiln
