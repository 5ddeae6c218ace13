// How <kiln/mpi.hpp> compiles: the requests of each node are gathered, its first process looks them up and compiles its
// share, the nodes exchange what others want, and each node's processes get their answers.
#pragma once

#include <kiln/compile_all.hpp>
#include <kiln/detail/mpi_collectives.hpp>
#include <kiln/detail/node_compile.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::mpi::detail {

/// Which node compiles, or has, what others want. Made of the nodes' tables, so that it is the same in all of them.
class ExchangePlan {
 public:
  static constexpr std::size_t key_size = 32;
  /// A table has, for each of a node's requests, its key and a byte that is 1 where the node has an answer.
  explicit ExchangePlan(const std::vector<std::string>& tables) : load_(tables.size()) {
    for (std::size_t node = 0; node < tables.size(); ++node)
      for (std::size_t at = 0; at < tables[node].size(); at += key_size + 1)
        note(static_cast<int>(node), tables[node].substr(at, key_size), tables[node][at + key_size] == 1);
    for (const std::string& key : order_) choose(keys_[key]);
  }
  static std::string row(const std::string& key, bool is_done) { return key + (is_done ? '\1' : '\0'); }

  /// The node that is to have the answer for the others.
  int provider(const std::string& key) const { return keys_.at(key).provider; }
  /// The keys that a node gives others, by node, in one order.
  std::map<int, std::vector<std::string>> exports() const {
    std::map<int, std::vector<std::string>> all;
    for (const std::string& key : order_)
      if (keys_.at(key).is_wanted) all[keys_.at(key).provider].push_back(key);
    return all;
  }

 private:
  struct Key {
    std::vector<int> having, lacking;  // nodes
    int provider = -1;
    bool is_wanted = false;  // by another node
  };
  void note(int node, const std::string& name, bool has) {
    const auto [found, is_new] = keys_.try_emplace(name);
    if (is_new) order_.push_back(name);
    std::vector<int>& nodes = has ? found->second.having : found->second.lacking;
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  }
  /// Of those that have it, else of those that need it, the one with the least to do.
  void choose(Key& key) {
    const std::vector<int>& from = key.having.empty() ? key.lacking : key.having;
    key.provider = *std::min_element(from.begin(), from.end(), [this](int a, int b) { return load(a) < load(b); });
    key.is_wanted = std::any_of(key.lacking.begin(), key.lacking.end(), [&](int node) { return node != key.provider; });
    if (key.having.empty() || key.is_wanted) ++load(key.provider);
  }
  std::size_t& load(int node) { return load_[static_cast<std::size_t>(node)]; }

  std::unordered_map<std::string, Key> keys_;
  std::vector<std::string> order_;  // of first appearance
  std::vector<std::size_t> load_;
};

/// One call of compile_all, in one process.
class CollectiveCompile {
 public:
  CollectiveCompile(MPI_Comm comm, MPI_Comm node, const std::vector<CompileRequest>& requests)
      : nodes_(comm, node), requests_(requests), results_(requests.size()) {}

  std::vector<CompileResult> run() {
    prepare();
    const std::vector<std::string> packed = gather();
    const std::string cpus = combine(nodes_.node, kiln::detail::usable_cpus());
    kiln::detail::NodeCompile compile;
    if (nodes_.is_leader()) {
      for (std::size_t i = 0; i < ids_.size(); ++i) compile.add(ids_[i], packed[i]);
      compile.look_up();
      exchange(compile, cpus);
    }
    wait_for_all(nodes_.node);
    take_answers(compile);
    compile_own();
    std::vector<CompileResult> results;
    for (std::optional<CompileResult>& result : results_) results.push_back(*std::move(result));
    return results;
  }

 private:
  using Shared = kiln::detail::SharedRequest;

  /// What is wrong with a request is its result.
  void prepare() {
    for (std::size_t i = 0; i < requests_.size(); ++i) try {
        shared_.emplace_back(requests_[i]);
      } catch (...) {
        shared_.emplace_back(std::nullopt);
        results_[i] = CompileResult(std::current_exception());
      }
  }

  /// Sets ids_, the distinct requests of the node, in all its processes. The leader gets these requests.
  std::vector<std::string> gather() {
    std::string mine;
    for (const auto& request : shared_)
      if (request) mine += request->id();
    std::unordered_map<std::string, int> owners;
    const std::vector<std::string> all = gather_in_all(nodes_.node, mine);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      for (std::size_t at = 0; at < all[rank].size(); at += ExchangePlan::key_size) {
        const std::string id = all[rank].substr(at, ExchangePlan::key_size);
        if (!owners.emplace(id, static_cast<int>(rank)).second) continue;
        index_.emplace(id, ids_.size());
        ids_.push_back(id);
      }
    return gather_requests(owners);
  }

  std::vector<std::string> gather_requests(const std::unordered_map<std::string, int>& owners) {
    std::unordered_map<std::string, const Shared*> own;
    for (const auto& request : shared_)
      if (request) own.emplace(request->id(), &*request);
    std::string mine;
    if (!nodes_.is_leader())
      for (const std::string& id : ids_)
        if (owners.at(id) == nodes_.node.rank()) append_framed(mine, own.at(id)->pack());
    const std::vector<std::string> all = gather_in_leader(nodes_.node, mine);
    std::vector<std::string> packed;
    std::vector<std::vector<std::string_view>> texts;
    texts.reserve(all.size());
    for (const std::string& of_rank : all) texts.push_back(framed_texts(of_rank));
    std::vector<std::size_t> next(texts.size());
    if (nodes_.is_leader())
      for (const std::string& id : ids_) {
        const auto owner = static_cast<std::size_t>(owners.at(id));
        packed.push_back(owner == 0 ? own.at(id)->pack() : std::string(texts[owner].at(next[owner]++)));
      }
    return packed;
  }

  /// In leaders: all requests get their answers, as far as this node's own leader can give them.
  void exchange(kiln::detail::NodeCompile& compile, const std::string& cpus) {
    std::string table;
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (!compile.key(i).empty()) table += ExchangePlan::row(compile.key(i), compile.is_done(i));
    const ExchangePlan plan(gather_in_all(nodes_.leaders, table));
    const int here = nodes_.leaders.rank();
    compile.compile(undone(compile, [&](const std::string& key) { return key.empty() || plan.provider(key) == here; }),
                    cpus);
    const auto exports = plan.exports();
    if (!exports.empty()) wait_for_all(nodes_.leaders);
    for (const auto& [provider, keys] : exports) {
      std::string answers = provider == here ? answers_for_others(compile, keys) : std::string();
      broadcast(nodes_.leaders, answers, provider);
      if (provider != here) accept(compile, keys, answers);
    }
    compile.compile(undone(compile, [](const std::string&) { return true; }), cpus);
  }

  template <class Wanted>
  std::vector<std::size_t> undone(const kiln::detail::NodeCompile& compile, const Wanted& wanted) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (!compile.is_done(i) && wanted(compile.key(i))) all.push_back(i);
    return all;
  }

  /// In the order of the keys. Of several requests of one key the first that has one.
  std::string answers_for_others(const kiln::detail::NodeCompile& compile, const std::vector<std::string>& keys) const {
    std::unordered_map<std::string, std::string> answers;
    for (const std::string& key : keys) answers[key];
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto answer = answers.find(compile.key(i));
      if (answer != answers.end() && answer->second.empty()) answer->second = compile.answer_for_others(i);
    }
    std::string all;
    for (const std::string& key : keys) append_framed(all, answers[key]);
    return all;
  }

  void accept(kiln::detail::NodeCompile& compile, const std::vector<std::string>& keys,
              const std::string& answers) const {
    const std::vector<std::string_view> texts = framed_texts(answers);
    std::unordered_map<std::string, std::string_view> by_key;
    for (std::size_t i = 0; i < keys.size() && i < texts.size(); ++i) by_key.emplace(keys[i], texts[i]);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto answer = by_key.find(compile.key(i));
      if (answer != by_key.end() && !compile.is_done(i)) compile.accept(i, answer->second);
    }
  }

  void take_answers(const kiln::detail::NodeCompile& compile) {
    std::string all;
    if (nodes_.is_leader() && nodes_.node.size() > 1)
      for (std::size_t i = 0; i < ids_.size(); ++i) append_framed(all, compile.answer(i));
    if (nodes_.node.size() > 1) broadcast(nodes_.node, all);
    const std::vector<std::string_view> answers = framed_texts(all);
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (results_[i] || shared_[i]->id().empty()) continue;
      const std::size_t index = index_.at(shared_[i]->id());
      results_[i] = nodes_.is_leader() ? compile.result(index) : shared_[i]->unpack(answers.at(index));
    }
  }

  /// What no other process could answer.
  void compile_own() {
    std::vector<CompileRequest> own;
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (!results_[i]) own.push_back(requests_[i]);
    if (own.empty()) return;
    auto compiled = kiln::compile_all(own);
    std::size_t next = 0;
    for (std::optional<CompileResult>& result : results_)
      if (!result) result = std::move(compiled[next++]);
  }

  Nodes nodes_;
  const std::vector<CompileRequest>& requests_;
  std::vector<std::optional<CompileResult>> results_;
  std::vector<std::optional<Shared>> shared_;           // nothing where a request is refused
  std::vector<std::string> ids_;                        // of the node's distinct requests
  std::unordered_map<std::string, std::size_t> index_;  // of an id among these
};

}  // namespace kiln::mpi::detail
