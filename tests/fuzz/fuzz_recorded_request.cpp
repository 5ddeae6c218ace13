// Lines that KILN_RECORD wrote: requests of compiles and links.
#include "../../tools/kiln/recorded_request.hpp"
#include "compile/record/record.hpp"
#include "fuzz.hpp"
#include "json_members.hpp"

#include <kiln/error.hpp>

#include <nlohmann/json.hpp>

#include <optional>

namespace fuzz_recorded_request {

using namespace kiln;
using namespace kiln::fuzz;
using tool::RecordedRequest;

namespace {

std::optional<RecordedRequest> request_of(std::string_view line) {
  try {
    return tool::read_request(line);
  } catch (const Error& error) {
    check_said(error.what());
    return std::nullopt;
  }
}

/// Without the inputs of a link, which are written of what is compiled already.
std::string line_of(const RecordedRequest& request) {
  const RecordedRequest::Kind kind = request.kind;
  if (kind == RecordedRequest::Kind::link) return link_record(request.link, {}, request.place.device_arch);
  CompileContext context;
  context.device_arch = request.place.device_arch;
  context.plain = kind == RecordedRequest::Kind::compile_plain;
  return source_record(request.source.text, request.source.options, context);
}

void check_source(const tool::RecordedSource& source) {
  const std::string line =
      "{\"kiln_record\":1,\"kind\":\"compile\"," + source_request(source.text, source.options).substr(1);
  const auto again = request_of(line);
  require(
      again && source_request(again->source.text, again->source.options) == source_request(source.text, source.options),
      "a source that was read can be written and read");
}

/// Texts may stand in another form, and what is unset is left out.
void check_values(std::string_view given_line, std::string_view written_line) {
  const auto given = nlohmann::json::parse(given_line), written = nlohmann::json::parse(written_line);
  for (const auto& [name, value] : written.items())
    if (value.is_number() || value.is_boolean())
      require(given.at(name) == value, "a request has the values that its line has");
    else if (given.contains(name))
      require(value.is_array() == given.at(name).is_array(), "what is a list is one in the line");
}

void check_request(std::string_view text) {
  const auto request = request_of(text);
  if (!request) return;
  const std::string line = line_of(*request);
  require(line.find('\n') == std::string::npos, "a request is one line");
  const auto again = request_of(line);
  require(again && again->kind == request->kind && again->name() == request->name(),
          "a request that was read can be written and read");
  require(again->is_for_device() == request->is_for_device(), "what a request is for survives");
  require(line_of(*again) == line, "a request settles");
  check_values(text, line);
  for (const tool::RecordedInput& input : request->inputs) {
    require(input.source.size() <= 1, "an input is of one source");
    for (const tool::RecordedSource& source : input.source) check_source(source);
  }
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = view_of(data, size);
  check_request(text);
  check_request(with_members(R"({"kiln_record":1,"kind":"compile","source":"","inputs":[]})", text));
  return 0;
}

}  // namespace fuzz_recorded_request
