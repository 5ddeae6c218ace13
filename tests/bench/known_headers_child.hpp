// What the processes do that bench_known_headers starts. Their arguments are the mode, the kernel, the source's number,
// and more.
#pragma once

#include "bare_nvrtc.hpp"
#include "known_headers_sources.hpp"
#include "measure.hpp"
#include "own_processes.hpp"

#include <kiln/kiln.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace kiln::bench {

inline int bare_child(const std::vector<std::string>& arguments) {
  const std::string text = source(std::stoul(arguments[1]), static_cast<unsigned>(std::stoul(arguments[2])));
  compile_bare(NvrtcLibrary::get(arguments[3]), text, {arguments.begin() + 4, arguments.end()});
  return send({Clock::now()});
}

inline void require_compiled(const CodeObject& code) {
  if (code.from_cache()) throw std::logic_error("a new source was served from the cache");
}

inline int kiln_child(const std::vector<std::string>& arguments) {
  const auto number = static_cast<unsigned>(std::stoul(arguments[2]));
  const CompileRequest what = request(std::stoul(arguments[1]), number, "text");
  require_compiled(kiln::compile(what.source, what.options));
  return send({Clock::now()});
}

inline int all_child(const std::vector<std::string>& arguments) {
  const auto first = static_cast<unsigned>(std::stoul(arguments[2]));
  const auto count = static_cast<unsigned>(std::stoul(arguments[3]));
  std::vector<CompileRequest> requests;
  for (unsigned i = 0; i < count; ++i)
    requests.push_back(request(std::stoul(arguments[1]), first + i, arguments.at(4)));
  std::vector<CompileResult> results;
  const double time = nanoseconds([&] { results = kiln::compile_all(requests); }) / 1e6;
  for (const CompileResult& result : results) require_compiled(result.get());
  return send({Clock::now(), time});
}

/// Two compiles of sources with the same headers, by NVRTC alone.
inline int twice_child(const std::vector<std::string>& arguments) {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get(arguments[3]);
  nvrtc.set_pch_heap_size(std::size_t{1} << 30U);  // as much as the headers may need; the default is less
  const auto number = static_cast<unsigned>(std::stoul(arguments[2]));
  const auto compile = [&](unsigned which) {
    const std::string text = source(std::stoul(arguments[1]), which);
    return nanoseconds([&] { compile_bare(nvrtc, text, {arguments.begin() + 4, arguments.end()}); }) / 1e6;
  };
  const double first = compile(number), second = compile(number + 1);
  return send({Clock::now(), first, second});
}

inline int child(const std::vector<std::string>& arguments) {
  if (arguments[0] == "--bare") return bare_child(arguments);
  if (arguments[0] == "--kiln") return kiln_child(arguments);
  if (arguments[0] == "--all") return all_child(arguments);
  if (arguments[0] == "--twice") return twice_child(arguments);
  std::fprintf(stderr, "known_headers: what is %s?\n", arguments[0].c_str());
  return 1;
}

}  // namespace kiln::bench
