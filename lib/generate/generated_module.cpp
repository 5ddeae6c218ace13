#include "generate/generated_module.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reserved_text.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/source_token.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kiln {

namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && begins_identifier(name.front()) && std::all_of(name.begin(), name.end(), is_of_identifier);
}

constexpr std::pair<std::string_view, std::string_view> type_headers[] = {
    {"__half", "cuda_fp16.h"},
    {"half", "cuda_fp16.h"},
    {"nv_bfloat16", "cuda_bf16.h"},
    {"cuda::std", "cuda/std/complex"},
    {"__nv_fp8", "cuda_fp8.h"},
    {"cuda::std::byte", "cuda/std/cstddef"},
    {"thrust::complex", "thrust/complex.h"},
    {"pycuda::", "pycuda-complex.hpp"},
};

/// CuPy's complex<float>, which it has without a namespace.
bool names_cupy_complex(std::string_view text) {
  constexpr std::string_view word = "complex<";
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (at == 0 || (text[at - 1] != ':' && !is_of_identifier(text[at - 1]))) return true;
  return false;
}

CompileOptions options_of(const GeneratorTexts& texts) {
  CompileOptions all = texts.compile;
  all.options.insert(all.options.end(), texts.options.begin(), texts.options.end());
  all.keep = all.keep || texts.keep;
  if (all.name.empty()) all.name = texts.name + ".cu";
  return all;
}

}  // namespace

void GeneratorTexts::check(const std::string& generator, const std::vector<std::string_view>& own_names) const {
  if (!is_identifier(name)) refuse(generator + ": name", "an identifier", '"' + name + '"');
  const std::string subject = generator + " " + name + ": ";
  refuse_reserved(name, subject + "name");
  check_text(preamble, subject + "preamble");
  const std::string own_defines = defines();
  refuse_reserved(own_defines, subject + "defines and options");
  const auto refuse_macro = [&](std::string_view macro, const char* meaning) {
    const bool is_in_preamble = macro_kind(preamble, macro) != MacroKind::none;
    refuse(subject + (is_in_preamble ? "preamble" : "defines and options"), "another name for a macro",
           '"' + std::string(macro) + '"', meaning);
  };
  const std::string all = own_defines + preamble;
  for (const std::string_view own : own_names)
    if (macro_kind(all, own) == MacroKind::plain)
      refuse_macro(own, ", which means something else in a generated kernel");
  if (macro_kind(all, name) != MacroKind::none) refuse_macro(name, ", which is the kernel's name");
}

std::string GeneratorTexts::defines() const {
  std::string text;
  const auto add = [&](const Define& define) { text += "#define " + define.name + ' ' + define.value + '\n'; };
  for (const auto* defines : {&compile.defines, &compile.late_defines})
    for (const Define& define : *defines) add(define);
  std::vector<std::string> given = compile.options;
  given.insert(given.end(), options.begin(), options.end());
  for (std::size_t k = 0; k < given.size(); ++k) {
    for (const std::string_view option : {"-D", "--define-macro=", "--define-macro"}) {
      if (given[k].compare(0, option.size(), option) != 0) continue;
      const std::string rest = given[k].substr(option.size());
      if (!rest.empty() || k + 1 < given.size()) add(rest.empty() ? given[k + 1] : rest);
      break;
    }
  }
  return text;
}

std::string lined_part(std::string_view text, const std::string& kernel, const char* part, const char* end) {
  if (text.empty()) return {};
  const std::string_view code = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  const auto line = [&kernel](auto number, const std::string& of, std::string_view mark = {}) {
    return "\n#line " + std::to_string(number) + " \"" + kernel + ": " + of + '"' + std::string(mark) + '\n';
  };
  return line(1, part) + std::string(text) +
         line(1 + std::count(code.begin(), code.end(), '\n'), part, not_shown_mark) + end + line(1, "generated");
}

std::string includes_for(const std::vector<std::string_view>& texts) {
  std::string includes;
  for (const auto& [type, header] : type_headers) {
    const std::string line = "#include <" + std::string(header) + ">\n";
    const bool is_named = std::any_of(texts.begin(), texts.end(), [&type = type](std::string_view text) {
      return text.find(type) != std::string_view::npos;
    });
    if (is_named && includes.find(line) == std::string::npos) includes += line;
  }
  if (std::any_of(texts.begin(), texts.end(), names_cupy_complex)) includes += "#include <cupy/complex.cuh>\n";
  return includes;
}

std::string complex_type_of(const std::string& type, std::string_view text) {
  constexpr std::string_view library = "cuda::std::";
  const std::string_view rest = std::string_view(type).substr(std::min(library.size(), type.size()));
  if (!std::string_view(type).starts_with(library) || !rest.starts_with("complex<")) return type;
  if (text.find("pycuda::complex<") != std::string_view::npos) return "pycuda::" + std::string(rest);
  return names_cupy_complex(text) ? std::string(rest) : type;
}

SourceModule compile_generated(const std::string& text, const std::string& short_text,
                               const GeneratorTexts& texts) try {
  return SourceModule(text, options_of(texts));
} catch (const CompileError&) {
  CompileOptions options = options_of(texts);
  options.keep = false;
  (void)SourceModule(short_text, options);
  throw;
}

}  // namespace kiln
