#include "base/argument_error.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/code_tables.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

namespace kiln {

std::size_t CodeData::memory_size() const {
  std::size_t size = sizeof *this + made_.size() + read_.size() + log.size();
  if (ptx) size += ptx->size();
  if (!recipe) return size;
  size += sizeof *recipe + recipe->source.size();
  for (const auto& [header, text] : recipe->options.headers) size += header.size() + text.size();
  return size;
}

const CodeInfo& CodeData::info() const {
  const std::lock_guard lock(info_mutex_);
  if (!info_) info_ = read_info();
  return *info_;
}

CodeInfo CodeData::read_info() const {
  if (const auto tables = read_.find(tables_label))
    if (auto info = decode_tables(*tables)) return *std::move(info);
  CodeInfo info = read_code();
  add_kinds(info, parameter_kinds);
  return info;
}

CodeInfo CodeData::read_code() const {
  switch (code_kind(bytes)) {
    case CodeKind::cubin:
      return read_cubin(bytes);
    case CodeKind::ptx:
      return read_ptx(bytes);
    case CodeKind::fatbin:
      return read_fatbin(bytes);
    case CodeKind::unknown:
      break;
  }
  return {};
}

const CodeInfo* CodeData::listed_info() const {
  if (target != Target::fatbin) return &info();
  if (!recipe) return nullptr;
  try {
    return info().kernels.empty() && info().globals.empty() ? nullptr : &info();
  } catch (const Error&) {
    return nullptr;
  }
}

const ParameterKinds& CodeData::fatbin_kinds() const {
  const std::lock_guard lock(info_mutex_);
  if (!fatbin_kinds_) fatbin_kinds_ = parameter_kinds_of_fatbin(bytes);
  return *fatbin_kinds_;
}

std::string_view CodeObject::bytes() const noexcept { return data_->bytes; }
Target CodeObject::target() const noexcept { return data_->target; }
const std::string& CodeObject::arch() const noexcept { return data_->arch; }
const std::string& CodeObject::name() const noexcept { return data_->name; }
const std::vector<std::string>& CodeObject::effective_options() const noexcept { return data_->effective_options; }
const std::string& CodeObject::log() const noexcept { return data_->log; }
Backend CodeObject::backend() const noexcept { return data_->backend; }

const CompileOptions& CodeObject::options() const {
  if (data_->recipe) return data_->recipe->options;
  throw_argument_error("there are no CompileOptions of \"" + data_->name + "\": it was linked, or came as bytes",
                       "code that was compiled from a source", "linked code, or bytes");
}

std::string_view CodeObject::ptx() const {
  if (data_->target == Target::ptx) return data_->bytes;
  if (data_->ptx) return *data_->ptx;
  const bool may_keep = data_->recipe && data_->target == Target::cubin;
  const std::string advice = may_keep        ? "set CompileOptions::keep_ptx, or compile with target ptx"
                             : data_->recipe ? "compile with target ptx"
                                             : "link with LinkOptions::target ptx, or load PTX";
  throw_argument_error("no PTX was kept beside the code of \"" + data_->name + "\": " + advice, "code with PTX",
                       "code without");
}

const CompileTiming& CodeObject::timing() const {
  if (timing_) return *timing_;
  throw_argument_error("no times were measured for the code of \"" + data_->name +
                           "\": set CompileOptions::timing, and call compile() or compile_all()",
                       "code whose times were measured", "code without times");
}

const std::vector<KernelInfo>& CodeObject::kernels() const {
  // LTO-IR and OptiX-IR may begin with any bytes, and list no kernels.
  static const std::vector<KernelInfo> none;
  return facts_of(data_->target).is_loadable ? data_->info().kernels : none;
}

const std::string& CodeObject::lowered_name(std::string_view name_expression) const {
  const std::string wanted = canonical_spacing(name_expression);
  std::string known;
  for (const auto& lowered : data_->lowered_names) {
    if (lowered.first == wanted) return lowered.second;
    known += "\n  " + lowered.first;
  }
  throw_argument_error(
      "\"" + wanted + "\" was not among the name expressions of this compile" +
          (known.empty() ? ", which had none: add it to CompileOptions::name_expressions" : "; those were:" + known),
      known, wanted);
}

}  // namespace kiln
