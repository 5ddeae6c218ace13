// Wrong sources and requests: each error names the thing at fault, and the way out.
#pragma once

#include <doctest/doctest.h>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::test {

using Words = std::vector<std::string_view>;

/// One source that does not compile.
struct Wrong {
  const char* what;
  std::string source;
  Words words;  // the thing at fault, and the way out
  CompileOptions options = {};
};

inline std::string kernel(const std::string& body) { return "__global__ void k(int* o) {\n" + body + "\n}\n"; }

/// What Kiln says of it.
inline std::string refusal(const std::function<void()>& request) {
  try {
    request();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

inline std::string refusal(const Wrong& wrong) {
  CompileOptions options = wrong.options;
  options.cache = false;
  if (options.name.empty()) options.name = "k.cu";
  const bool has_arch = !options.arch.empty() || !options.options.empty() || !options.nvcc.code.empty();
  if (!has_arch) options.arch = "sm_90";
  return refusal([&] { compile(wrong.source, options); });
}

inline void check_words(const char* what, const std::string& text, const Words& words) {
  CAPTURE(what);
  for (const std::string_view word : words)
    CHECK_MESSAGE(text.find(word) != std::string::npos, text << "\n lacks " << std::string(word));
}

inline void check(const std::vector<Wrong>& all) {
  for (const Wrong& wrong : all) check_words(wrong.what, refusal(wrong), wrong.words);
}

}  // namespace kiln::test
