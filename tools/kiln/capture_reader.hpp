// A capture, read: the folder that KILN_CAPTURE wrote. lib/capture writes it; docs/tuning.md has the form.
#pragma once

#include "recorded_request.hpp"
#include "run_argument.hpp"

#include <kiln/compile_options.hpp>
#include <kiln/launch_attributes.hpp>
#include <kiln/tune_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

struct CapturedArray {
  std::string file;  // in which the result is
  Array before;
  std::optional<Array> after;  // none: as before

  const Array& result() const noexcept { return after ? *after : before; }
};

struct CapturedVariable {
  std::string symbol;
  Array content;
};

struct CapturedParameter {
  std::string name;
  std::vector<TuneValue> values;
  bool is_option = false;
};

/// What a TunableKernel said of itself.
struct CapturedDefinition {
  std::string key;
  std::string name;        // "matmul<TYPE>"
  CompileOptions options;  // of all variants
  std::vector<unsigned long long> problem;
  std::vector<CapturedParameter> parameters;
  std::vector<std::string> restrictions;
  int callable_restrictions = 0;  // which no file can have
  std::vector<std::string> block;
  std::vector<std::string> grid;
  std::string shared;
  TuneConfiguration defaults;
};

struct Capture {
  std::string folder;
  std::string kernel;  // as a person writes it
  std::string symbol;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_size = 0;
  LaunchAttributes attributes;
  std::vector<RunArgument> arguments;
  std::vector<CapturedArray> memories;
  std::vector<CapturedVariable> variables;
  std::optional<RecordedRequest> request;  // with the source's text; none: compiled code
  std::string code;                        // then
  std::optional<CapturedDefinition> tuning;
  std::string fault;  // why the launch has no results

  /// "ns::scale<float, 4>".
  std::string name() const;
  /// The memories' values before the launch.
  std::vector<Array> arrays() const;
};

/// Whether the command line's file names a capture. Throws Error for a folder that is none.
bool is_capture(const std::string& file);

/// Throws Error with the file at fault: missing, damaged, or written by a newer Kiln.
Capture read_capture(const std::string& folder);

}  // namespace kiln::tool
