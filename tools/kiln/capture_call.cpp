#include "capture_call.hpp"

#include "base/argument_error.hpp"
#include "module/load.hpp"

#include <kiln/error.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/source_module.hpp>

#include <cstdlib>

namespace kiln::tool {

namespace {

template <class List>
void append(List& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void set_variables(const Module& module, const Capture& capture) {
  for (const CapturedVariable& variable : capture.variables) {
    const GlobalVariable target = module.get_global(variable.symbol);
    const std::string& bytes = variable.content.bytes;
    if (target.size != bytes.size())
      throw Error("the variable " + variable.symbol + " has " + std::to_string(target.size) + " bytes, and had " +
                  std::to_string(bytes.size()) + " when it was captured");
    memcpy_htod(target.pointer, bytes.data(), bytes.size());
  }
}

}  // namespace

CompileOptions options_for(const CompileOptions& captured, const CompileOptions& given) {
  CompileOptions options = captured;
  append(options.options, given.options);
  append(options.include_dirs, given.include_dirs);
  append(options.defines, given.defines);
  append(options.late_defines, given.late_defines);
  if (!given.arch.empty()) options.arch = given.arch;
  if (given.backend != Backend::automatic) options.backend = given.backend;
  if (!given.nvcc.path.empty()) options.nvcc.path = given.nvcc.path;
  options.cache = given.cache;
  return options;
}

void use_environment(const Capture& capture) {
  if (!capture.request) return;
  for (const auto& [name, value] : capture.request->place.environment) ::setenv(name.c_str(), value.c_str(), 0);
}

Module load_capture(const Capture& capture, const CompileOptions& given) {
  const auto load = [&]() -> Module {
    if (!capture.request) return module_of_file(capture.code, "the code of " + capture.folder);
    const RecordedSource& source = capture.request->source;
    return SourceModule(source.text, options_for(source.options, given));
  };
  Module module = load();
  set_variables(module, capture);
  return module;
}

Function function_of(const Module& module, const Capture& capture, const std::string& given) {
  if (!given.empty()) return module.get_function(given);
  for (const KernelInfo& kernel : module.code().kernels())
    if (kernel.name == capture.symbol) return module.get_function(capture.symbol);
  return module.get_function(capture.name());
}

std::vector<Expected> captured_results(const Capture& capture, const KernelCall& call) {
  std::vector<Expected> results;
  if (!capture.fault.empty()) return results;
  for (std::size_t i = 0; i < capture.memories.size(); ++i) {
    const std::optional<std::size_t> place = call.place_of_memory(i);
    if (!place || !call.vectors()[*place].is_output) continue;
    results.push_back({capture.memories[i].file, capture.memories[i].result(), std::nullopt, *place, true});
  }
  return results;
}

void refuse_arguments(const RunArguments& arguments) {
  if (arguments.arguments.empty()) return;
  throw_argument_error("a capture has its own arguments; \"" + arguments.arguments.front() +
                           "\" is one too many (an option may stand before the folder)",
                       "no arguments", arguments.arguments.front());
}

}  // namespace kiln::tool
