#include <kiln/detail/node_compile.hpp>

#include "base/passkey.hpp"
#include "base/signal_masked_thread.hpp"
#include "compile/batch.hpp"
#include "compile/compile_contexts.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/request/request.hpp"
#include "compile/shared_request.hpp"

#include <kiln/error.hpp>

#include <sched.h>

#include <cstring>
#include <utility>

namespace kiln::detail {

namespace {

/// For what a process asks; nothing where no other one is to answer.
std::optional<CompileContext> shared_context(const CompileOptions& options) {
  if (!is_cacheable(options) || options.timing) return std::nullopt;
  if (!is_for_device(options)) return CompileContext();
  if (const auto device = initialised_device_arch()) return context_for_device("sm_" + std::to_string(*device));
  const std::vector<std::string> archs = options.arch.empty() ? archs_of_environment() : std::vector<std::string>();
  if (archs.size() > 1) return std::nullopt;
  CompileContext context;
  if (!archs.empty()) context.device_arch = parse_arch(archs.front()).text();
  return context;
}

/// Whether a compile in this process would be what the request means in its own.
bool means_the_same_here(const PackedRequest& request, std::string_view id) {
  const CompileContext& context = request.context;
  const bool is_without_device = is_for_device(request.recipe.options) && context.device_arch.empty();
  if (is_without_device && initialised_device_arch()) return false;
  return context_for_device(context.device_arch).loads_cubin == context.loads_cubin && id_of(request) == id;
}

/// What a compiler says of a source it would say on each machine with these headers. What a machine lacks, and what
/// went wrong on it, says nothing of others.
bool is_for_others(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const CompileError&) {
    return true;
  } catch (const ArgumentError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

struct SharedRequest::State {
  PackedRequest request;
  std::string id;
};

SharedRequest::SharedRequest(const CompileRequest& request) {
  const CalledOptions called(request.source, request.options);
  auto state = std::make_shared<State>();
  state->request.recipe = {request.source, called.get()};
  if (auto context = shared_context(called.get())) {
    state->request.context = *std::move(context);
    state->id = id_of(state->request);
  }
  state_ = std::move(state);
}

const std::string& SharedRequest::id() const noexcept { return state_->id; }

std::string SharedRequest::pack() const { return pack_request(state_->request); }

std::optional<CompileResult> SharedRequest::unpack(std::string_view answer) const {
  if (std::exception_ptr failure = failure_in(answer)) return CompileResult(std::move(failure));
  auto found = node_code_in(answer);
  if (!found) return std::nullopt;
  const auto& [recipe, context] = state_->request;
  found->code->recipe = std::make_shared<const Recipe>(recipe);
  found->code->name = recipe.options.name.empty() ? default_source_name : recipe.options.name;
  // Counted in no folder: this process leaves that alone.
  if (found->dependencies)
    store_in_memory(request_identity(recipe.source, recipe.options, context), found->code,
                    *std::move(found->dependencies), std::move(found->roots), nullptr);
  return CompileResult(CodeObject(passkey, std::move(found->code), found->from_cache));
}

std::string usable_cpus() {
  std::string bits(sizeof(cpu_set_t), '\0');
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (::sched_getaffinity(0, sizeof cpus, &cpus) == 0) std::memcpy(bits.data(), &cpus, sizeof cpus);
  return bits;
}

struct NodeCompile::Request {
  std::optional<PackedRequest> packed;  // nothing where its own process is to compile it
  std::string key;
  std::optional<CompileResult> result;

  std::string_view source() const { return packed->recipe.source; }
  const CompileOptions& options() const { return packed->recipe.options; }
  const CompileContext& context() const { return packed->context; }
  /// What `work` returns or, where that is nothing, no result; what it throws is one.
  template <class Work>
  void try_for_result(const Work& work) {
    try {
      if (auto code = work()) result = CompileResult(*std::move(code));
    } catch (...) {
      result = CompileResult(std::current_exception());
    }
  }
};

NodeCompile::NodeCompile() = default;
NodeCompile::~NodeCompile() = default;

void NodeCompile::add(std::string_view id, std::string_view packed) {
  Request& request = requests_.emplace_back();
  request.packed = unpack_request(packed);
  if (request.packed && !means_the_same_here(*request.packed, id)) request.packed.reset();
}

void NodeCompile::look_up() {
  for (Request& request : requests_) {
    if (!request.packed) continue;
    request.try_for_result([&] { return find_code_for(request.source(), request.options(), request.context()); });
    if (request.result && !request.result->ok()) continue;
    try {
      const auto key = portable_key(request.source(), request.options(), request.context());
      if (key) request.key = digest_of(*key).view();
    } catch (const std::exception&) {  // this node finds out by itself
    }
  }
}

const std::string& NodeCompile::key(std::size_t index) const { return requests_.at(index).key; }

bool NodeCompile::is_done(std::size_t index) const {
  return !requests_.at(index).packed || requests_[index].result.has_value();
}

void NodeCompile::compile(const std::vector<std::size_t>& indices, std::string_view cpus) {
  std::vector<CompileRequest> requests;
  std::vector<std::string> archs;
  for (const std::size_t index : indices) {
    requests.push_back({std::string(requests_.at(index).source()), requests_[index].options()});
    archs.push_back(requests_[index].context().device_arch);
  }
  if (requests.empty()) return;
  Batch batch(requests, std::move(archs));
  std::exception_ptr failure;
  const auto work = [&] {
    cpu_set_t set;
    // Where the system allows fewer, these are used; the caller's own thread is left alone.
    if (cpus.size() == sizeof set) {
      std::memcpy(&set, cpus.data(), sizeof set);
      ::sched_setaffinity(0, sizeof set, &set);
    }
    try {
      batch.run(default_jobs(), {});
    } catch (...) {
      failure = std::current_exception();
    }
  };
  std::thread thread;
  try {
    thread = start_signal_masked_thread(work);
  } catch (const Error&) {  // then on this thread, and where that may run
    try {
      batch.run(1, {});
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (thread.joinable()) thread.join();
  std::vector<CompileResult> results =
      failure ? std::vector<CompileResult>(indices.size(), CompileResult(failure)) : batch.take();
  for (std::size_t i = 0; i < indices.size(); ++i) requests_[indices[i]].result = std::move(results[i]);
}

std::string NodeCompile::answer_for_others(std::size_t index) const try {
  const Request& request = requests_.at(index);
  if (!request.result) return {};
  if (!request.result->ok())
    return is_for_others(request.result->error()) ? failure_answer(request.result->error()) : std::string();
  const CodeObject& code = request.result->get();
  const auto portable = find_portable_code(request.source(), request.options(), request.context(), code.backend());
  return portable ? portable_answer(*portable, code.from_cache()) : std::string();
} catch (const Error&) {
  return {};
}

void NodeCompile::accept(std::size_t index, std::string_view answer) {
  Request& request = requests_.at(index);
  if (std::exception_ptr failure = failure_in(answer)) {
    request.result = CompileResult(std::move(failure));
    return;
  }
  auto found = portable_code_in(answer);
  if (!found) return;
  try {
    if (auto code = accept_portable_code(request.source(), request.options(), request.context(), std::move(found->code),
                                         found->from_cache))
      request.result = CompileResult(*std::move(code));
  } catch (const std::exception&) {  // this node compiles for itself
  }
}

std::string NodeCompile::answer(std::size_t index) const {
  const Request& request = requests_.at(index);
  if (!request.packed || !request.result) return own_answer();
  if (!request.result->ok()) return failure_answer(request.result->error());
  const std::string identity = request_identity(request.source(), request.options(), request.context());
  return node_answer(request.result->get(), remembered_code(identity));
}

std::optional<CompileResult> NodeCompile::result(std::size_t index) const { return requests_.at(index).result; }

}  // namespace kiln::detail
