#include "worker/nvrtc/reference_headers.hpp"

#include "compile/compiler/inform.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvrtc/give_stand_in.hpp"

#include <algorithm>
#include <string>

namespace kiln {

namespace {

std::string pre_include(const char* header) { return std::string("--pre-include=") + header; }

bool mentions_references(const std::string& source) {
  return source.find("texture") != std::string::npos || source.find("surface") != std::string::npos;
}

}  // namespace

void ReferenceHeaders::give_declared() {
  const CompilerJob& job = request_.job;
  if (request_.context.plain || job.preprocess_only || !mentions_references(job.source)) return;
  const SourceScan scan = scan_source(job.source);
  if (scan.declares_texture) declared_ |= give(texture_header);
  if (scan.declares_surface) declared_ |= give(surface_header);
  if (declared_ && scan.uses_reference_words) annotate();
}

void ReferenceHeaders::annotate() {
  plain_source_ = request_.job.source;
  request_.job.source = annotate_references(request_.job.source);
  request_.job.arguments.push_back(std::string("-D") + annotated_references);
}

bool ReferenceHeaders::give_missing(const Diagnosis& diagnosis) {
  if (request_.context.plain || before_taking_back_) return false;
  bool given = false;
  if (diagnosis.textures) given |= give(texture_header);
  if (diagnosis.surfaces) given |= give(surface_header);
  if (given)
    inform(request_.job.name, "compiled again with stand-ins for texture or surface references, which CUDA 12 removed");
  return given;
}

bool ReferenceHeaders::leave_out_annotation(const Diagnosis& diagnosis) {
  if (!diagnosis.reference_parameters || !(is_given(texture_header) || is_given(surface_header))) return false;
  std::vector<std::string>& arguments = request_.job.arguments;
  const std::string macro = std::string("-D") + unannotated_references;
  if (std::find(arguments.begin(), arguments.end(), macro) != arguments.end()) return false;
  inform(request_.job.name, "compiled again with -default-device, for texture or surface references among parameters");
  arguments.insert(arguments.end(), {macro, "-default-device"});
  return true;
}

bool ReferenceHeaders::take_back(const CompileError& refusal) {
  if (!declared_ || before_taking_back_) return false;
  before_taking_back_ = refusal;
  std::vector<std::string>& arguments = request_.job.arguments;
  for (const char* header : {texture_header, surface_header}) std::erase(arguments, pre_include(header));
  if (plain_source_) request_.job.source = *plain_source_;
  inform(request_.job.name, "compiled again without stand-ins for texture or surface references");
  return true;
}

const CompileError& ReferenceHeaders::original_error(const CompileError& latest, const Diagnosis& diagnosis) const {
  return before_taking_back_ && (diagnosis.textures || diagnosis.surfaces) ? *before_taking_back_ : latest;
}

bool ReferenceHeaders::give(const char* header) {
  if (is_given(header)) return false;
  if (request_.job.headers.count(header) == 0 && !give_stand_in(request_, header)) return false;
  request_.job.arguments.push_back(pre_include(header));
  return true;
}

bool ReferenceHeaders::is_given(const char* header) const {
  const std::vector<std::string>& arguments = request_.job.arguments;
  return std::find(arguments.begin(), arguments.end(), pre_include(header)) != arguments.end();
}

}  // namespace kiln
