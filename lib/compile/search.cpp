#include "compile/search.hpp"

#include "base/log.hpp"
#include "compile/make_code.hpp"
#include "compile/memory_code.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/stopped.hpp"
#include "compile/worker_compile.hpp"

#include <utility>

namespace kiln {

Search::Search(const Ask& ask, const ChosenCompiler& compiler, CodeCache& cache, bool may_need_nvcc)
    : ask_(ask), request_(make_request(ask.source, ask.options, ask.wish, compiler, cache.own_store())), cache_(cache) {
  request_.job.stop = ask.stop;
  request_.may_need_nvcc = may_need_nvcc;
}

std::optional<CodeObject> Search::find() {
  if (auto found = cache_.find(request_)) return remember(std::move(*found));
  return std::nullopt;
}

std::optional<Digest> Search::find_key() { return cache_.find_key(request_); }

CodeObject Search::make(const std::function<CodeObject(const std::string&)>& by_nvcc) {
  const bool knew = is_known_to_need_nvcc();
  Turn turn(FileSystem::real());
  if (auto found = cache_.take_turn(request_, turn)) return remember(std::move(*found));
  throw_if_stopped();
  if (!knew && is_known_to_need_nvcc()) {
    turn.release();
    return by_nvcc("NVRTC refused it before");
  }
  cache_.count_miss();
  explain();
  try {
    CodeObject code = make_and_keep();
    if (!kept_) cache_.give_up(request_, turn);
    return code;
  } catch (const NvccWanted& wanted) {
    inform(request_, "going on with nvcc: " + wanted.reason());
    cache_.note_need_of_nvcc(request_);
    throw;
  } catch (...) {
    cache_.give_up(request_, turn);
    throw;
  }
}

// What must not be kept is compiled for each who asks.
CodeObject Search::make_unkept() {
  MadeCode made = make_code_in_worker(request_, false);
  cache_.count(Counter::compiles);
  return refuse(std::move(made.code), request_.refusal);
}

CodeObject Search::make_uncached() {
  MadeCode made = make_code_in_worker(request_, false);
  made.code->recipe = ask_.recipe();
  inform(request_, "compiled for " + made.code->arch);
  return CodeObject(std::move(made.code), false);
}

bool Search::is_known_to_need_nvcc() { return request_.may_need_nvcc && cache_.knows_need_of_nvcc(request_); }

CodeObject Search::remember(FoundCode found) {
  found.code->recipe = ask_.recipe();
  inform(request_, "found in the cache, for " + found.code->arch);
  remember_in_memory(found.code, std::move(found.dependencies));
  return CodeObject(std::move(found.code), true);
}

// On disk the content of options' files is in the key, which memory does without.
void Search::remember_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const {
  dependencies.files.insert(dependencies.files.end(), request_.option_files.begin(), request_.option_files.end());
  remember_code(ask_.identity, code, std::move(dependencies), request_.search.roots);
}

CodeObject Search::make_and_keep() {
  MadeCode made = make_code_in_worker(request_, true);
  cache_.count(Counter::compiles);
  if (!made.headers.refusal.empty()) return refuse(std::move(made.code), made.headers.refusal);
  made.code->recipe = ask_.recipe();
  inform(request_, "compiled for " + made.code->arch);
  kept_ = cache_.keep(request_, *made.code, made.headers.dependencies);
  remember_in_memory(made.code, std::move(made.headers.dependencies));
  return CodeObject(std::move(made.code), false);
}

CodeObject Search::refuse(std::shared_ptr<CodeData> code, const Refusal& why) {
  code->recipe = ask_.recipe();
  cache_.count(why.counter);
  cache_.count(Counter::refused);
  inform(request_, "compiled for " + code->arch + ", and not kept: " + why.text);
  return CodeObject(std::move(code), false);
}

void Search::explain() const {
  if (!log_enabled(LogLevel::info)) return;
  for (const std::string& reason : cache_.explain(request_)) inform(request_, "not in the cache: " + reason);
}

void Search::throw_if_stopped() const {
  if (ask_.stop.is_due()) throw_stopped(request_.job.name, ask_.stop);
}

}  // namespace kiln
