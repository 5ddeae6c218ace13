// The compile of a source, or of LLVM IR, by one compiler.
#pragma once

#include "compile/jobs/worker_job.hpp"
#include "compile/pipeline.hpp"
#include "compile/request/request.hpp"
#include "compile/stage.hpp"

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

/// Of code that is looked up.
inline CompileInput kept_input(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  CompileInput input{source, options, context, {}, {}};
  input.identity = request_identity(source, options, context);
  return input;
}

class SourceCompile : public CachedCompile {
 public:
  SourceCompile(const CompileInput& input, Request request, CodeCache& cache);

  /// Whether its code must not be kept, so that it is not looked up.
  bool is_refused() const noexcept { return !request_.refusal.empty(); }
  /// The entry of the own cache that find() would read.
  std::optional<Digest> find_key() { return cache().find_key(request()); }

 private:
  CacheRequest request() const override { return cache_request(request_); }
  const std::string& identity() const override { return input_.identity; }
  bool is_kept() const override { return input_.is_kept() && !is_refused(); }
  const Stop& stop() const override { return input_.stop; }
  CallTiming* timing() const override { return input_.timing; }
  bool may_need_nvcc() const override { return request_.may_need_nvcc; }
  std::optional<WantedCode> wanted_from_cache() const override;
  MadeCode compile() override;
  PchPlace pch_place() const;
  Stages stages();
  MadeCode run_front_end();
  void complete(CodeData& code) const override;
  void add_memory_dependencies(Dependencies& dependencies) const override;

  const CompileInput& input_;
  Request request_;
};

}  // namespace kiln
