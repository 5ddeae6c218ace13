// What <kiln/mpi.hpp> needs of the library: requests and code as bytes, and the compiles of one node.
#pragma once

#include <kiln/compile_all.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::detail {

/// One request of a process whose node compiles in another process. For one thread.
class KILN_EXPORT SharedRequest {
 public:
  /// Throws what the header callback throws, and ArgumentError for a timeout that makes no sense. Without an
  /// architecture it is for this thread's current device where the process uses the driver.
  explicit SharedRequest(const CompileRequest& request);

  /// 32 bytes, the same for requests that mean the same on one node, in whatever process. Empty for one that this
  /// process is to compile itself: it is not to be cached, is to be timed, or is for several architectures (KILN_ARCH).
  const std::string& id() const noexcept;
  /// All of it, for NodeCompile::add.
  std::string pack() const;
  /// What NodeCompile::answer gave. Code is kept in this process's memory, too, so that the same request is served from
  /// there. Nothing where this process is to compile it itself. The bytes are code: they must be from the same job.
  std::optional<CompileResult> unpack(std::string_view answer) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// The CPUs that this thread may use, as bits: those of several processes may be combined by "or".
KILN_EXPORT std::string usable_cpus();

/// The distinct requests of one node, in the process that looks them up and compiles them, which alone uses the cache.
/// Failures are answers. Not thread-safe.
class KILN_EXPORT NodeCompile {
 public:
  NodeCompile();
  ~NodeCompile();
  NodeCompile(const NodeCompile&) = delete;
  NodeCompile& operator=(const NodeCompile&) = delete;

  /// The next request, 0 being the first: what SharedRequest::id and pack gave in a process of this node. Where it
  /// means another thing in this one (another working folder, another environment), its own process is to compile it.
  void add(std::string_view id, std::string_view packed);
  /// Finds out what the caches have, and what other nodes call these requests.
  void look_up();
  /// 32 bytes, the same for requests that mean the same on two nodes, wherever their folders lie. Empty where only this
  /// node can answer, or need not.
  const std::string& key(std::size_t index) const;
  /// Whether there is an answer.
  bool is_done(std::size_t index) const;
  /// Through the caches, as compile_all: with threads and workers that use these CPUs.
  void compile(const std::vector<std::size_t>& indices, std::string_view cpus);
  /// An answer for the same request of another node; empty where that one must see for itself.
  std::string answer_for_others(std::size_t index) const;
  /// Takes such an answer. Code is taken, and kept in this node's cache, where all that its compile read has the same
  /// content here.
  void accept(std::size_t index, std::string_view answer);
  /// For the processes of this node, once it is done.
  std::string answer(std::size_t index) const;
  /// The same for this process itself. Nothing where the request's own process is to compile it.
  std::optional<CompileResult> result(std::size_t index) const;

 private:
  struct Request;
  std::vector<Request> requests_;
};

}  // namespace kiln::detail
