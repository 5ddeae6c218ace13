#include "compile/request/request.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "cache/key.hpp"
#include "cache/source_copy.hpp"
#include "compile/compiler/odd_character.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/memory_headers.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/bundled_headers.hpp"
#include "compile/request/ptx_driver_code.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>

namespace kiln {

namespace {

void require_sense(std::string_view source, const CompileOptions& options, const ChosenCompiler& compiler) {
  if (compiler.backend == Backend::nvrtc && facts_of(options.target).nvrtc_option == nullptr)
    throw_argument_error(
        "target " + target_name(options.target) + ": NVRTC makes none; leave the backend to Kiln, or ask for nvcc",
        "another target or backend", target_name(options.target) + " by NVRTC");
  if (options.keep_ptx && options.target != Target::cubin && options.target != Target::ptx)
    throw_argument_error("keep_ptx: PTX lies on the way to a cubin, and target is " + target_name(options.target) +
                             "; compile another time with target ptx",
                         "target cubin, or no keep_ptx", target_name(options.target));
  if (source.find('\0') != std::string_view::npos)
    throw_argument_error(
        zero_byte_text("the source \"" + (options.name.empty() ? default_source_name : options.name) + "\"", source),
        "text", "a zero byte");
}

void require_no_output(const OptionList& list) {
  if (!list.asks_for.empty())
    throw_argument_error(
        "the option " + list.asks_for + " asks for a kind of output, which CompileOptions::target decides",
        "CompileOptions::target", list.asks_for);
}

void require_no_tile(const OptionList& list) {
  if (!list.asks_for_tile.empty())
    throw_argument_error("the option " + list.asks_for_tile +
                             ": Kiln does not support tile kernels (CUDA Tile C++) yet, and would lose them; leave it "
                             "out, and write __global__ kernels",
                         "no option of CUDA Tile C++", list.asks_for_tile);
}

void resolve_job(Request& request, std::string_view source, const CompileOptions& options) {
  CompilerJob& job = request.job;
  job.source = std::string(without_byte_order_mark(source));
  job.target = options.target;
  job.headers = normal_headers(options.headers);
  set_job_options(job, options);
  for (const std::string& expression : options.name_expressions)
    job.name_expressions.push_back(canonical_spacing(expression));
  std::sort(job.name_expressions.begin(), job.name_expressions.end());
  if (options.no_extern_c && !*options.no_extern_c) {
    job.prologue = "extern \"C\" {\n#line 1 " + line_name(job.name) + "\n";
    job.epilogue = "\n}\n";
  }
}

/// Whether the code will be PTX for the emulator, which contains the source's text.
bool will_have_source_text(const Request& request) {
  const CompilerJob& job = request.job;
  return is_for_ptx_driver(request.context, job.target) && job.target != Target::fatbin && job.code.empty() &&
         request.listed_archs.empty();
}

/// Line information that Kiln added is in PTX alone, where its paths can be changed.
void resolve_paths(Request& request, const OptionList& list) {
  if (request.embeds_paths || !list.embeds_working_folder) return;
  request.relocates_paths = will_have_source_text(request);
  request.embeds_paths = !request.relocates_paths;
}

/// A debugger looks for the file that the code names.
void keep_for_debuggers(Request& request, std::string_view source, const CompileOptions& options, CacheFolder& cache) {
  if (will_have_source_text(request)) return;
  if (!options.name.empty() && is_regular_file(joined(request.search.working_folder, request.job.name))) return;
  request.job.line_file = keep_source_copy(cache, source);
}

void require_macro_name(const Define& define) {
  if (is_macro_name(macro_word(define.name))) return;
  throw_argument_error("defines: \"" + define.name +
                           "\" is no name of a macro: a name has letters, digits and _, and begins with no digit; the "
                           "value is the other member, as in {\"TILE\", 16}",
                       "a name such as TILE, or SQUARE(x) with the macro's parameters", define.name);
}

/// Options, macros and folders, as the compiler is to get them.
void resolve_arguments(Request& request, OptionList& list, const CompileOptions& options) {
  CompilerJob& job = request.job;
  const bool is_nvcc = request.compiler.backend == Backend::nvcc;
  HeaderSearchPaths& search = request.search;
  search.dirs = std::move(list.include_dirs);
  search.forced = std::move(list.forced);
  request.path_independent = std::move(list.path_independent);
  for (const auto& folder : options.include_dirs) {
    search.dirs.push_back(absolute_folder(folder.string(), search.working_folder));
    list.arguments.push_back("-I" + search.dirs.back());
  }
  // nvcc's are translated when it is run.
  job.arguments = is_nvcc ? std::move(list.arguments) : options_for_nvrtc(list.arguments);
  for (const Define& define : options.defines) {
    require_macro_name(define);
    job.arguments.push_back("-D" + define.name + "=" + define.value);
    request.path_independent.push_back(job.arguments.back());
  }
  request.path_independent.insert(request.path_independent.end(), options.include_dirs.size(), "-I");
  job.users_arguments = job.arguments;
  if (request.relocates_paths) std::erase(job.users_arguments, "-lineinfo");
  resolve_late_defines(request, options);
}

/// Reads the arguments and late macros: `-DWHEN=__TIME__` counts as the same in the source. Returns whether the
/// source may ask for headers by what they define.
bool read_arguments(Request& request) {
  bool ask = false;
  const auto read = [&](std::string_view text) {
    const SourceScan scan = scan_source(text);
    if (scan.uses_time) request.refusal.add(Counter::refused_time, std::string(clock_refusal));
    ask |= scan.macro_has_include || !scan.has_includes.empty();
    request.search.uses_own_path |= may_use_own_path(text);
  };
  for (const std::string& argument : request.job.arguments)
    if (!argument.starts_with("-I")) read(argument);
  if (!request.job.late_defines.empty()) read(late_define_lines(request.job));
  return ask;
}

/// Why the result must not be kept, as far as options show it.
void read_refusals(Request& request, const OptionList& list) {
  if (!list.side_effect.empty())
    request.refusal.add(Counter::refused_option, "the option " + list.side_effect + " does more than make code");
  if (!list.hides_headers.empty())
    request.refusal.add(Counter::refused_unknown_headers,
                        "the option " + list.hides_headers + ": the headers that it brings in are not tracked");
}

}  // namespace

Request make_request(std::string_view source, const CompileOptions& options, const CompileContext& context,
                     const ChosenCompiler& compiler, CacheFolder* cache, bool may_need_nvcc) {
  require_sense(source, options, compiler);
  Request request;
  request.may_need_nvcc = may_need_nvcc;
  request.compiler = compiler;
  request.context = context;
  request.strict_headers = options.caching.strict_headers;
  request.search.working_folder = working_folder();
  OptionList list = read_options(all_options(options, context, compiler.backend), request.search.working_folder);
  require_no_output(list);
  require_no_tile(list);
  request.option_files = find_option_files(list.may_be_files, request.search.working_folder);
  request.job.name = options.name.empty() ? default_source_name : options.name;
  request.embeds_paths = list.embeds_working_folder;
  if (is_for_ptx_driver(context, options.target)) add_line_information(list);
  resolve_job(request, source, options);
  resolve_arch(request, list, options);
  if (request.embeds_paths && cache != nullptr) keep_for_debuggers(request, source, options, *cache);
  resolve_paths(request, list);
  read_refusals(request, list);
  resolve_arguments(request, list, options);

  // nvcc reads its own headers into every source.
  const bool arguments_ask = read_arguments(request);
  request.may_include =
      compiler.backend == Backend::nvcc || !request.search.forced.empty() || arguments_ask || may_include(source);
  const bool may_tell_time = contains(source, "__TIME") || contains(source, "__DATE__");
  SourceScan scan = request.may_include || may_tell_time ? scan_source(source) : SourceScan{};
  if (scan.uses_time) request.refusal.add(Counter::refused_time, std::string(clock_refusal));
  scan.macro_has_include |= arguments_ask;
  resolve_search(request, scan, list.system_dirs);
  request.key = CacheKey(canonical_key(request));
  find_bundled_headers(request, cache);
  return request;
}

CacheRequest cache_request(const Request& request) {
  return {request.job.name,     request.key,         request.compiler.identity, &request.search,
          &request.job.headers, request.may_include, request.relocates_paths};
}

}  // namespace kiln
