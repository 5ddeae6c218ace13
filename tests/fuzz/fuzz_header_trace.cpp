// The time trace that NVRTC writes, of which the headers' names are wanted.
#include "compile/header_trace.hpp"
#include "fuzz.hpp"

#include <nlohmann/json.hpp>

#include <unordered_set>

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// As NVRTC would write it.
std::string trace_of(const std::vector<std::string>& headers) {
  nlohmann::json events = nlohmann::json::array();
  for (const std::string& header : headers)
    events.push_back({{"name", "Processing Header File"}, {"args", {{"detail", header}}}});
  return nlohmann::json{{"traceEvents", events}, {"beginningOfTime", 1}}.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json = view_of(data, size);
  const auto headers = parse_header_trace(json);
  if (!headers) return 0;
  require(nlohmann::json::accept(json.begin(), json.end()), "only JSON is a trace");
  std::size_t length = 0;
  for (const std::string& header : *headers) length += header.size();
  require(length <= size, "names are no longer than the trace");
  require(std::unordered_set<std::string>(headers->begin(), headers->end()).size() == headers->size(),
          "each header once");
  require(parse_header_trace(trace_of(*headers)) == headers, "the names of a trace make a trace of the same names");
  return 0;
}
