// The compile of a source by one compiler.
#pragma once

#include "compile/jobs/worker_job.hpp"
#include "compile/request/request.hpp"
#include "compile/store/cached_compile.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What is to be compiled, whichever compiler makes it. The references are the caller's, for the time of the call.
struct CompileInput {
  std::string_view source;
  const CompileOptions& options;
  CompileContext context;
  Stop stop;
  std::string identity;          // request_identity; empty where code is neither looked up nor kept
  CallTiming* timing = nullptr;  // where steps are measured or have ranges

  bool is_kept() const noexcept { return !identity.empty(); }
};

class SourceCompile : public CachedCompile {
 public:
  /// `may_need_nvcc`: what NVRTC refuses and nvcc may take is NvccNeeded, and no error.
  SourceCompile(const CompileInput& input, const ChosenCompiler& compiler, CodeCache& cache, bool may_need_nvcc);

  /// Whether its code must not be kept, so that compile_only is to make it.
  bool is_refused() const noexcept { return !request_.refusal.empty(); }
  /// The entry of the own cache that find() would read.
  std::optional<Digest> find_key() { return cache().find_key(request()); }

 private:
  CacheRequest request() const override { return cache_request(request_); }
  const Stop& stop() const override { return input_.stop; }
  CallTiming* timing() const override { return input_.timing; }
  bool may_need_nvcc() const override { return request_.may_need_nvcc; }
  std::optional<WantedCode> wanted_from_cache() const override;
  MadeCode compile() override;
  PchPlace pch_place() const;
  MadeCode make_code(bool keep);
  void complete(CodeData& code) const override;
  std::optional<RememberedCode> remembered() const override { return remembered_code(input_.identity); }
  void keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const override;

  const CompileInput& input_;
  Request request_;
};

}  // namespace kiln
