#include "base/argument_error.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/code_tables.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

namespace kiln {

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
const std::string& CodeObject::log() const noexcept { return data_->log; }
Backend CodeObject::backend() const noexcept { return data_->backend; }

const std::vector<KernelInfo>& CodeObject::kernels() const {
  // LTO-IR and OptiX-IR may begin with any bytes, and list no kernels.
  static const std::vector<KernelInfo> none;
  return data_->target == Target::ltoir || data_->target == Target::optixir ? none : data_->info().kernels;
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
