#include "worker/nvcc/nvcc_command.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/memory_headers.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/target_name.hpp"
#include "worker/nvcc/name_marker.hpp"
#include "worker/nvcc/nvcc_preprocessing.hpp"
#include "worker/nvrtc/tile_kernels.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <string_view>

namespace kiln {

const char* const intermediate_folder = "intermediate";
const char* const memory_folder = "headers";
const char* const nvcc_source = "source/kernel.cu";

namespace {

void append(std::vector<std::string>& words, std::vector<std::string> more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void require_file_name(const std::string& name) {
  if (is_header_file_name(name)) return;
  throw_argument_error("nvcc cannot find an in-memory header of the name \"" + name +
                           "\": give it a relative name that stays in its folder, or compile with NVRTC",
                       "a relative name", name);
}

std::string number_of(const std::string& arch) {
  const std::size_t digit = arch.find_first_of("0123456789");
  return digit == std::string::npos ? arch : arch.substr(digit);
}

bool asks_for_link_time_code(const ReadOption& option) {
  return is_option(option, "--dlink-time-opt") || is_option(option, "--lto");
}

class Builder {
 public:
  Builder(const std::string& nvcc, const CompilerJob& job, const std::string& working_folder)
      : job_(job), working_folder_(working_folder) {
    command_.words.push_back(nvcc);
  }

  NvccCommand run() {
    add_texts();
    read_arguments();
    add_preprocessing();
    append(command_.words, std::move(others_));
    add_target();
    keep_intermediate();
    append(command_.words, {"-o", command_.output, nvcc_source});
    return std::move(command_);
  }

 private:
  void add_texts() {
    command_.files[nvcc_source] = tile_refusal_lines() + job_.prologue +
                                  named_text(job_.name, with_own_lines(job_, job_.source)) + job_.epilogue +
                                  name_markers(job_.name_expressions);
    for (const auto& header : job_.headers) {
      require_file_name(header.first);
      command_.files[std::string(memory_folder) + "/" + header.first] = named_text(header.first, header.second);
    }
  }

  void read_arguments() {
    const std::vector<std::string> options = job_.verbatim ? job_.arguments : options_for_nvcc(job_.arguments);
    // In-memory headers come before all that is on disk.
    if (!job_.headers.empty()) {
      preprocessing_.add_quote_folder(memory_folder);
      preprocessing_.add_folder(memory_folder);
    }
    for (std::size_t at = 0; at < options.size();) {
      const ReadOption option = read_option(options, at);
      if (job_.verbatim) {
        take_verbatim(options, at, option);
      } else if (!preprocessing_.take(option, working_folder_) &&
                 !(job_.target == Target::ltoir && asks_for_link_time_code(option))) {
        others_.push_back(with_absolute_path(option));
        compression_chosen_ |= is_option(option, "--no-compress") || is_option(option, "--compress-mode");
      }
      at += option.words;
    }
    if (!preprocessing_.skips_source_folder())
      preprocessing_.add_quote_folder(folder_of_name(job_.name, working_folder_));
  }

  /// nvcc works in another folder than the caller.
  std::string with_absolute_path(const ReadOption& option) const {
    const bool is_path = option.known != nullptr && option.known->path && !option.value.empty() &&
                         (!is_option(option, "--compiler-bindir") || option.value.find('/') != std::string::npos);
    if (!is_path || option.value == "-") return option.text;
    return std::string(option.known->long_name) + "=" + absolute_folder(option.value, working_folder_);
  }
  void take_verbatim(const std::vector<std::string>& options, std::size_t at, const ReadOption& option) {
    const std::string absolute = with_absolute_path(option);
    if (absolute != option.text) {
      others_.push_back(absolute);
    } else {
      for (std::size_t word = 0; word < option.words; ++word) others_.push_back(options[at + word]);
    }
  }

  void add_preprocessing() {
    if (preprocessing_.needs_file()) {
      command_.files["options"] = preprocessing_.file_text();
      append(command_.words, {"-Xcompiler", "@options"});
    } else {
      append(command_.words, preprocessing_.nvcc_words());
    }
    if (preprocessing_.first_includes().empty()) return;
    command_.files["first_includes.h"] = preprocessing_.first_includes();
    append(command_.words, {"-include", "first_includes.h"});
  }

  void add_target() {
    if (job_.preprocess_only) {
      append(command_.words, {"-Xcompiler", "-P"});
      return add_target("-E", "kernel.ii");
    }
    if (job_.target == Target::cubin) return add_target("-cubin", "kernel.cubin");
    if (job_.target == Target::ptx) return add_target("-ptx", "kernel.ptx");
    if (job_.target == Target::fatbin) return add_fatbin_target();
    if (job_.target == Target::optixir) return add_optixir_target();
    if (job_.target == Target::ltoir) return add_link_time_target();
    throw CompileError("nvcc makes no " + target_name(job_.target) + ": choose NVRTC", {}, {});
  }
  /// Not compressed: readers of the code need not know how NVIDIA compresses.
  void add_fatbin_target() {
    if (!compression_chosen_) command_.words.emplace_back("--no-compress");
    add_target("-fatbin", "kernel.fatbin");
  }
  void add_optixir_target() {
    if (!job_.name_expressions.empty())
      throw CompileError(
          "nvcc does not list the names of template instances in OptiX-IR: compile with NVRTC, or "
          "instantiate them in the source",
          {}, {});
    add_target("--optix-ir", "kernel.optixir");
  }
  void add_target(const char* option, const char* output) {
    command_.words.emplace_back(option);
    command_.output = output;
    add_arch();
  }
  void add_arch() {
    if (!job_.arch.empty()) command_.words.push_back("-arch=" + job_.arch);
    if (!job_.code.empty() && job_.arch.empty()) return add_each_code();
    if (!job_.code.empty()) command_.words.push_back("-code=" + job_.code);
  }
  /// Each by the way over its own virtual architecture.
  void add_each_code() {
    for (std::string_view rest = job_.code; !rest.empty();) {
      const std::string code(next_part(rest, ','));
      command_.words.push_back("-gencode=arch=compute_" + number_of(code) + ",code=" + code);
    }
  }
  /// With a virtual architecture nvcc 13.0 makes an empty file, so that lto_ it must be. PTX, which has the names, is
  /// made beside it by this way alone; the code is the same.
  void add_link_time_target() {
    const std::string number = number_of(job_.arch);
    if (job_.name_expressions.empty()) {
      append(command_.words, {"-dlto", "-ltoir"});
      if (!number.empty()) command_.words.push_back("-arch=lto_" + number);
      if (!job_.code.empty()) command_.words.push_back("-code=" + job_.code);
      command_.output = "kernel.ltoir";
    } else {
      append(command_.words, {"-fatbin", "-rdc=true", "-gencode",
                              "arch=compute_" + number + ",code=[lto_" + number + ",compute_" + number + "]"});
      command_.output = "kernel.fatbin";
    }
  }

  void keep_intermediate() {
    // PTX has what machine code lacks: names of instances, and kinds of parameters.
    const bool makes_ptx = facts_of(job_.target).is_machine_code;
    const bool is_looked_at = !job_.verbatim || job_.keep_ptx;
    const bool wants_ptx = (makes_ptx && is_looked_at && !job_.preprocess_only) ||
                           (!job_.name_expressions.empty() && job_.target != Target::ptx);
    command_.keeps_intermediate = job_.keep || wants_ptx;
    if (command_.keeps_intermediate) append(command_.words, {"--keep", "--keep-dir", intermediate_folder});
  }

  const CompilerJob& job_;
  const std::string& working_folder_;
  NvccPreprocessing preprocessing_;
  std::vector<std::string> others_;
  bool compression_chosen_ = false;
  NvccCommand command_;
};

}  // namespace

NvccCommand nvcc_command(const std::string& nvcc, const CompilerJob& job, const std::string& working_folder) {
  return Builder(nvcc, job, working_folder).run();
}

}  // namespace kiln
