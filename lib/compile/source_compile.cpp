#include "compile/source_compile.hpp"

#include "compile/jobs/worker_compile.hpp"
#include "compile/store/memory_code.hpp"

#include <utility>

namespace kiln {

SourceCompile::SourceCompile(const CompileInput& input, const ChosenCompiler& compiler, CodeCache& cache,
                             bool may_need_nvcc)
    : CachedCompile(cache),
      input_(input),
      request_(make_request(input.source, input.options, input.context, compiler, cache.own_folder())) {
  request_.job.stop = input.stop;
  request_.may_need_nvcc = may_need_nvcc;
}

// What must not be kept needs no list of what it depends on.
MadeCode SourceCompile::compile() {
  if (input_.timing != nullptr) input_.timing->begin_compile();
  MadeCode made = make_code_in_worker(request_, input_.is_kept() && !is_refused());
  if (input_.timing != nullptr) input_.timing->end_compile(made.times);
  if (is_refused()) made.headers.refusal = request_.refusal;
  return made;
}

void SourceCompile::complete(CodeData& code) const {
  code.name = input_.options.name.empty() ? default_source_name : input_.options.name;
  code.recipe = std::make_shared<const Recipe>(Recipe{std::string(input_.source), input_.options});
}

// On disk the content of options' files is in the key, which memory does without.
void SourceCompile::keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const {
  dependencies.files.insert(dependencies.files.end(), request_.option_files.begin(), request_.option_files.end());
  store_in_memory(input_.identity, code, std::move(dependencies), request_.search.roots, cache().own_folder());
}

}  // namespace kiln
