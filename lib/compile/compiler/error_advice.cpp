#include "compile/compiler/error_advice.hpp"

#include "base/identifier.hpp"
#include "base/library_version.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/advice.hpp"
#include "compile/compiler/declaring_header.hpp"
#include "compile/compiler/host_names.hpp"
#include "compile/compiler/line_advice.hpp"
#include "compile/compiler/line_words.hpp"
#include "compile/compiler/misspelt_name.hpp"
#include "compile/compiler/namespace_member.hpp"
#include "compile/compiler/odd_character.hpp"
#include "compile/compiler/undeclared_name.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace kiln {

namespace {

struct Advice {
  std::string_view words;  // of the error
  const char* text;
};

constexpr const char* to_be_linked =
    "What another source defines must be linked: define it here, or add both sources to a DynamicModule.";
constexpr const char* launches_kernels =
    "A kernel that launches kernels must be linked: make a DynamicSourceModule of the source, or add it to a "
    "DynamicModule.";
constexpr const char* tile_advice =
    "A tile has a power of two as its size: 1 to 32 threads, or 64 to 1024 of a block of several warps, for which "
    "older architectures need a cooperative_groups::block_tile_memory in shared memory.";

constexpr Advice advices[] = {
    {"uses too much shared data", shared_memory_advice},
    {"uses too much global constant data", constant_memory_advice},
    {"Formal parameter space overflowed", parameter_advice},
    {"Cannot store to pointer that points to constant memory space",
     "Kernels only read __constant__ variables: the compiler put a trap in the place of the store. Set the variable "
     "from "
     "the host (Module::get_global), or declare it as __device__."},
    {"Unresolved extern function", to_be_linked},
    {"Unresolved extern variable", to_be_linked},
    {"device-side kernel launch could not be processed", launches_kernels},
    {"requires separate compilation mode", launches_kernels},
    {"asm operand index requested is larger",
     "The operands of an asm statement are numbered from %0: its outputs, then its inputs."},
    {"excessive recursion at instantiation",
     "A template that instantiates itself needs a specialisation at which it ends; nvcc takes -ftemplate-depth=N."},
    {"does not match type/size implied by constraint",
     "Constraints of asm operands: \"h\" 16-bit, \"r\" 32-bit and \"l\" 64-bit integers, \"f\" float, \"d\" double."},
    {"incomplete type \"nvcuda::wmma::fragment<",
     "Fragments have few shapes (m, n, k): 16x16x16, 32x8x16 and 8x32x16 of half, __nv_bfloat16 and 8-bit integers, "
     "16x16x8 of precision::tf32, and 8x8x4 of double."},
    {"Size must be one of 1/2/4/8/16/32", tile_advice},
    {"Size must be one of 64/128/256/512", tile_advice},
    {"initializer not allowed for __shared__ variable",
     "A __shared__ variable begins with any value: let one thread set it (if (threadIdx.x == 0) ...), then "
     "__syncthreads()."},
    {"variable declaration is not allowed inside a device function body",
     "A variable of the device is declared outside of functions: move it above the kernel. Within one there is "
     "__shared__ memory, and what is neither is each thread's own."},
    {"does not support exception handling",
     "Kernels do not throw: write a status to memory, or end the grid by assert or __trap()."},
    {"exception handling disabled",
     "Kernels do not throw: write a status to memory, or end the grid by assert or __trap()."},
};

/// "sm_90" behind the words.
std::string arch_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + words.size());
  return std::string(text.substr(0, text.find_first_of("' ,.")));
}

/// ptxas' words for what another architecture has.
std::string advice_for_arch(std::string_view text) {
  if (const std::string wanted = arch_behind(text, " requires .target "); !wanted.empty())
    return "Compile for " + wanted + " or newer (arch), and run it on a device that is at least that.";
  if (contains(text, "requires PTX ISA .version"))
    return "Use a newer CUDA toolkit (CUDA_HOME), or leave the instruction to newer architectures.";
  const std::string target = arch_behind(text, " not supported on .target '");
  if (target.empty()) return {};
  int number = 0;  // 0 where a suffix stands behind it
  const std::string_view digits = std::string_view(target).substr(target.find('_') + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) number = 0;
  constexpr int oldest_with_own_features = 90;
  if (number < oldest_with_own_features)
    return "Another architecture has it: name that one (arch), or write the code without it for " + target + ".";
  return "Some instructions are of one architecture alone: ask for arch \"" + target +
         "a\", or \"native-a\" on the device itself; or write the code without it.";
}

/// " 3", "s 3 and 7" or "s 3, 7 and others": the lines of a source that have the word.
std::string lines_with(std::string_view word, std::string_view source) {
  constexpr int most = 2;
  std::string text;
  int count = 0;
  for (int number = 1; !source.empty(); ++number) {
    if (!has_word_in(next_line(source), word)) continue;
    if (++count <= most) text += (count == 1 ? " " : ", ") + std::to_string(number);
  }
  return count == 0 ? text : (count == 1 ? "" : "s") + text + (count > most ? " and others" : "");
}

/// The identifier that is there, with its namespaces, and what it is the namespace of.
std::string_view name_at(std::string_view line, std::size_t at) {
  const auto is_of_name = [line](std::size_t i) { return is_of_identifier(line[i]) || line[i] == ':'; };
  std::size_t begin = std::min(at, line.size());
  std::size_t end = begin;
  while (begin > 0 && is_of_name(begin - 1)) --begin;
  while (end < line.size() && is_of_name(end)) ++end;
  return trimmed(line.substr(begin, end - begin), ":");
}

/// Whether the error is about what stands before "::".
bool is_of_scope(std::string_view text) {
  return contains(text, "followed by \"::\" must be a class or namespace") ||
         contains(text, "must be a namespace name");
}

std::string_view first_scope(std::string_view name) { return name.substr(0, name.find("::")); }

/// The name that is not declared; empty where the error is another.
std::string undeclared_name(const Diagnostic& error, std::string_view source_line) {
  const std::string_view text = error.text;
  const auto words = quoted_words(text);
  if (text.ends_with("\" is undefined") && !words.empty()) return std::string(words.front());
  if (contains(text, "namespace \"") && contains(text, " has no member ") && words.size() > 1)
    return std::string(words[0]) + "::" + std::string(words[1]);
  const std::string_view first =
      error.column < 1 ? "" : name_at(source_line, static_cast<std::size_t>(error.column - 1));
  // Not the name of a function whose type was left out.
  const bool is_word_of_cuda =
      contains(text, "no storage class or type specifier") &&
      (first.starts_with('_') || has_word("global device shared constant host managed kernel", first));
  return is_of_scope(text) || is_word_of_cuda ? std::string(first) : std::string();
}

/// Of a namespace by the short name that NVIDIA's samples give it.
std::string usual_alias_advice(std::string_view name) {
  struct Alias {
    std::string_view name, declaration, header;
  };
  constexpr Alias aliases[] = {
      {"cg", "namespace cg = cooperative_groups;", "<cooperative_groups.h>"},
      {"wmma", "using namespace nvcuda;", "<mma.h>"},
      {"ptx", "namespace ptx = cuda::ptx;", "<cuda/ptx>"},
      {"cde", "namespace cde = cuda::device::experimental;", "<cuda/barrier>"},
  };
  for (const Alias& alias : aliases)
    if (alias.name == name)
      return "\"" + std::string(name) +
             "\" is a short name, which the source itself declares: " + std::string(alias.declaration) +
             " behind #include " + std::string(alias.header) + ".";
  return {};
}

/// Where in the source the line is; npos where it is one of another text.
std::size_t offset_of(const NumberedLines& lines, const FailedCompile& failed) {
  const bool is_of_source = lines.text.data() == failed.source.data() && !lines.text.empty();
  return is_of_source ? static_cast<std::size_t>(lines.marked.data() - lines.text.data()) : std::string_view::npos;
}

/// Of a name that the source declares behind its use, outside of all braces.
std::string declared_below(std::string_view name, std::string_view source, std::size_t at) {
  if (at == std::string_view::npos || contains(source, "#line")) return {};
  const auto tokens = code_tokens(source);
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    depth += has_word("{ (", tokens[i]) ? 1 : has_word("} )", tokens[i]) ? -1 : 0;
    const auto offset = static_cast<std::size_t>(tokens[i].data() - source.data());
    if (depth != 0 || tokens[i] != name || i == 0 || offset < at) continue;
    const bool has_type = begins_identifier(tokens[i - 1].front()) || has_word("* & >", tokens[i - 1]);
    if (!has_type || !has_word("( { ; = [ :", tokens[i + 1])) continue;
    const auto line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    return "\"" + std::string(name) + "\" is declared below, in line " + std::to_string(line) +
           ": move that above its use, or declare it there, too.";
  }
  return {};
}

/// What the line has behind the name at its place.
std::string_view behind_name(std::string_view name, const NumberedLines& lines) {
  const std::string_view rest = lines.marked.substr(std::min(lines.place, lines.marked.size()));
  const std::size_t at = rest.find(name);
  return at == std::string_view::npos ? std::string_view() : rest.substr(at + name.size());
}

std::string advice_for_name(std::string_view name, bool is_scope, const FailedCompile& failed,
                            const NumberedLines& lines) {
  if (name.empty()) return {};
  const std::size_t at = offset_of(lines, failed);
  const std::string_view behind = behind_name(name, lines);
  if (std::string of_numba = numba_advice(name, behind); !of_numba.empty()) return of_numba;
  if (std::string of_host = host_container_advice(name); !of_host.empty()) return of_host;
  // Where nothing of the namespace is there its own header comes first.
  const std::string of_member = is_scope ? member_header(name) : std::string();
  const bool is_of_other =
      is_of_no_namespace(name) || (!of_member.empty() && of_member != declaring_header(first_scope(name)));
  std::string of_library = !is_scope || is_of_other ? namespace_member_advice(name, failed.source, at) : std::string();
  if (!of_library.empty()) return of_library;
  if (is_scope) name = first_scope(name);
  if (std::string of_alias = is_scope ? usual_alias_advice(name) : std::string(); !of_alias.empty()) return of_alias;
  const std::string header = declaring_header(name);
  if (std::string of_header = missing_header(name, header, failed.source, at); !of_header.empty()) return of_header;
  if (std::string of_host = host_name_advice(name); !of_host.empty()) return of_host;
  if (std::string below = declared_below(name, failed.source, at); !below.empty()) return below;
  if (name.starts_with("std::")) name.remove_prefix(5);
  if (contains(name, "::")) return {};
  const bool is_of_loop = behind.starts_with(',') && has_word_in(lines.marked, "CUPY_FOR");  // its variable
  return undeclared_name_advice(is_of_loop ? "CUPY_FOR" : name, failed.source, failed.log, behind);
}

/// Of "T::zero()" where T is a type without members in the instance that is compiled.
std::string advice_for_instance(std::string_view scope, const Diagnostic& error, const FailedCompile& failed) {
  const std::string_view rows = rows_behind(error, failed.log);
  for (const std::string_view before : {"[with ", ", "}) {
    const std::string begin = std::string(before) + std::string(scope) + "=";
    const std::size_t at = rows.find(begin);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = rows.substr(at + begin.size());
    const std::string type(rest.substr(0, rest.find_first_of(",]\n")));
    const std::string name(scope);
    std::string advice = "\"" + name;
    advice.append("\" is ").append(type).append(" in this instance, and ").append(type);
    advice.append(" has no members: write ").append(name);
    advice.append("(0) or a function that is overloaded for the types, or a struct template, Traits<").append(name);
    return advice.append(">, that is specialised for ").append(type).append(".");
  }
  return {};
}

/// Of a class of NVIDIA's libraries that a header declares for others, and another one defines.
std::string advice_for_incomplete(std::string_view text, std::string_view source) {
  constexpr std::string_view before = "incomplete type \"";
  const std::string plain = without_library_versions(std::string(text));
  const std::size_t at = plain.find(before);
  if (at == std::string::npos) return {};
  const std::string type = plain.substr(at + before.size());
  return namespace_member_advice(type.substr(0, type.find_first_of("<\" ")), source);
}

/// Of a host's function or variable in a kernel.
std::string advice_for_host_only(std::string_view text) {
  const bool is_variable = contains(text, " is undefined in device code");
  if (!is_variable && !contains(text, "calling a __host__ function") &&
      !contains(text, "calling a constexpr __host__ function"))
    return {};
  const auto words = quoted_words(text);
  const std::string_view name = words.empty() ? std::string_view() : words.front();
  if (std::string of_host = host_name_advice(name); !of_host.empty()) return of_host;
  if (is_variable) return "Declare it with __device__ or __constant__: kernels do not see variables of the host.";
  if (is_of_std(name))
    return "It is of the host's C++ library: what kernels can use of that is in libcu++, under cuda::std.";
  return "Declare the function with __device__, or with __host__ __device__ where the host calls it, too.";
}

std::string advice_for_character(const Diagnostic& error, std::string_view source_line) {
  const std::string_view text = error.text;
  const bool is_of_character = contains(text, "unrecognized token") || contains(text, "extended character") ||
                               contains(text, "stray ") || contains(text, "\\u") || contains(text, "\\U");
  if (!is_of_character) return {};
  const std::size_t column = error.column > 0 ? static_cast<std::size_t>(error.column - 1) : 0;
  std::string found = odd_character_text(source_line, error.line, column);
  return found.empty() ? odd_character_text(source_line, error.line, 0) : found;
}

std::string name_of(const std::string& definition) { return definition.substr(0, definition.find_first_of("=(")); }

/// Where an error is in a header whose line has a macro of the options: that header means something else by the word.
std::string advice_for_macro(const Diagnostic& error, std::string_view source_line, const FailedCompile& failed) {
  if (error.file.empty() || error.file == failed.name) return {};
  // What the compiler shows: of a header that is no file, too, such as NVRTC's own.
  std::string_view rows = rows_behind(error, failed.log);
  const std::string_view shown = next_line(rows);
  for (std::size_t i = 0; i < failed.options.size(); ++i) {
    const std::string macro = name_of(definition_of(failed.options, i));
    if (!macro.empty() && (has_word_in(source_line, macro) || has_word_in(shown, macro)))
      return "The macro " + macro +
             " of the options replaces a word there, too. Where it is not meant for that header, define it behind the "
             "#include lines: by CompileOptions::late_defines, in the source, or in a generated kernel's preamble.";
  }
  return {};
}

}  // namespace

std::string advice_for_words(std::string_view error) {
  for (const Advice& advice : advices)
    if (contains(error, advice.words)) return advice.text;
  return {};
}

std::string advice_for_words(std::string_view error, std::string_view source) {
  for (const std::string_view before : {"Unresolved extern function '", "Unresolved extern variable '"}) {
    const std::size_t at = error.find(before);
    if (at == std::string_view::npos || contains(source, "#line")) continue;
    const std::string_view symbol = error.substr(at + before.size());
    const std::string name = demangle(std::string(symbol.substr(0, symbol.find('\''))));
    const std::string_view scoped = std::string_view(name).substr(0, name.find_first_of("<("));
    const std::string lines = lines_with(scoped.substr(scoped.rfind(':') + 1), source);
    if (!lines.empty())
      return std::string("Nothing defines ")
          .append(name)
          .append(", which the source has in line")
          .append(lines)
          .append(": define it here, or add both sources to a DynamicModule.");
  }
  return advice_for_words(error);
}

std::string error_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed) {
  if (std::string of_expression = misspelt_name(error, failed); !of_expression.empty()) return of_expression + "\n";
  const std::string_view source_line = lines.marked;
  std::string advice;
  const auto add = [&advice](const std::string& sentence) {
    if (!sentence.empty()) advice += sentence + "\n";
  };
  add(advice_for_words(error.text, failed.source));
  add(advice_for_arch(error.text));
  add(advice_for_incomplete(error.text, failed.source));
  add(header_advice(error, failed));
  add(advice_for_host_only(error.text));
  const std::string of_macro = macro_fault_advice(error, lines, failed);
  const std::string name = of_macro.empty() ? undeclared_name(error, source_line) : std::string();
  const bool is_scope = is_of_scope(error.text);
  std::string of_name =
      is_scope && !name.empty() ? advice_for_instance(first_scope(name), error, failed) : std::string();
  if (of_name.empty()) of_name = of_macro.empty() ? advice_for_name(name, is_scope, failed, lines) : of_macro;
  if (of_name.empty() && !name.empty() && is_scope)
    of_name = "No namespace or class \"" + std::string(first_scope(name)) +
              "\" is declared: #include its header, and name the header's folder by include_dirs (-I).";
  if (of_name.empty()) of_name = line_advice(error, lines, failed);
  if (of_name.empty() && !name.empty() && !is_scope) of_name = declaration_advice(name, behind_name(name, lines));
  add(of_name);
  add(advice_for_character(error, source_line));
  add(advice_for_macro(error, source_line, failed));
  return advice;
}

}  // namespace kiln
