#include <kiln/dynamic_source_module.hpp>

#include "compile/identity/chosen_compiler.hpp"
#include "compile/options/known_options.hpp"
#include "module/named_source.hpp"

#include <charconv>
#include <cstddef>

namespace kiln {

namespace {

/// Of a source's options those for machine code, where the linker makes that: of LTO-IR, and registers of PTX, too.
void add_code_options(LinkOptions& link, const std::vector<std::string>& words, Target target) {
  const bool is_ltoir = target == Target::ltoir;
  if (!is_ltoir && target != Target::ptx) return;
  for (std::size_t at = 0; at < words.size();) {
    const ReadOption option = read_option(words, at);
    at += option.words;
    const bool is_on = option.value == "true" || option.value == "1";
    if (is_option(option, "--maxrregcount")) {
      int registers = 0;
      std::from_chars(option.value.data(), option.value.data() + option.value.size(), registers);
      if (registers > 0) link.max_registers = registers;
    } else if (is_ltoir && is_option(option, "--ftz")) {
      link.ftz = is_on;
    } else if (is_ltoir && is_option(option, "--prec-div")) {
      link.prec_div = is_on;
    } else if (is_ltoir && is_option(option, "--prec-sqrt")) {
      link.prec_sqrt = is_on;
    } else if (is_ltoir && is_option(option, "--fmad")) {
      link.fma = is_on;
    } else if (is_ltoir && (option.text == "-use_fast_math" || option.text == "--use_fast_math")) {
      link.ftz = link.fma = true;
      link.prec_div = link.prec_sqrt = false;
    }
  }
}

/// The linked code is kept where the source's is, under its name.
LinkOptions link_options(const CompileOptions& options) {
  LinkOptions link{.name = options.name, .cache = options.cache && !options.keep, .caching = options.caching};
  add_code_options(link, all_options(options, {}, Backend::automatic), options.target);
  return link;
}

}  // namespace

DynamicSourceModule::DynamicSourceModule(std::string_view source, const CompileOptions& options)
    : DynamicModule(link_options(options)) {
  add_source(source, options).add_stdlib("cudadevrt").link();
}

DynamicSourceModule DynamicSourceModule::from_file(const std::filesystem::path& path, const CompileOptions& options) {
  const NamedSource file = read_source(path, options, "DynamicSourceModule::from_file");
  return DynamicSourceModule(file.text, file.options);
}

}  // namespace kiln
