// One request to one compiler on its way: disk, turn, compiler, and back onto disk and into memory.
#pragma once

#include "base/stop.hpp"
#include "compile/code_cache.hpp"
#include "compile/code_data.hpp"
#include "compile/request.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What is asked for, whichever compiler makes it. The references are the caller's, for the time of the call.
struct Ask {
  std::string_view source;
  const CompileOptions& options;
  CompileWish wish;
  Stop stop;
  std::string identity;  // request_identity

  /// For the code that comes of it. Not made before, because memory serves most.
  std::shared_ptr<const Recipe> recipe() const {
    return std::make_shared<const Recipe>(Recipe{std::string(source), options});
  }
};

class Search {
 public:
  /// `may_need_nvcc`: NvccWanted is thrown for what NVRTC refuses and nvcc may take.
  Search(const Ask& ask, const ChosenCompiler& compiler, CodeCache& cache, bool may_need_nvcc);

  /// What must not be kept is to be made by make_unkept.
  bool is_refused() const noexcept { return !request_.refusal.empty(); }

  /// Only what the caches hold.
  std::optional<CodeObject> find();
  /// The entry of the own cache that find() would read.
  std::optional<Digest> find_key();
  /// After find() found nothing: waits for the turn, and compiles unless another did; what may be kept is kept. Where
  /// somebody finds meanwhile that the source needs nvcc, `by_nvcc` makes it; where this one finds it, later searches
  /// learn it from a note, and NvccWanted is thrown.
  CodeObject make(const std::function<CodeObject(const std::string& reason)>& by_nvcc);
  CodeObject make_unkept();
  /// Nothing is looked up or stored.
  CodeObject make_uncached();

  /// Whether an earlier compile of this request found that it needs nvcc.
  bool is_known_to_need_nvcc();

 private:
  CodeObject remember(FoundCode found);
  void remember_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const;
  CodeObject make_and_keep();
  CodeObject refuse(std::shared_ptr<CodeData> code, const Refusal& why);
  void explain() const;
  void throw_if_stopped() const;

  const Ask& ask_;
  Request request_;
  CodeCache& cache_;
  bool kept_ = false;  // on disk, by this search
};

}  // namespace kiln
