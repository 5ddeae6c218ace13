// A request and its answers as bytes, for another process of the same build.
#pragma once

#include "compile/code/code_data.hpp"
#include "compile/code/made_code.hpp"
#include "compile/identity/compile_context.hpp"
#include "compile/store/memory_code.hpp"

#include <kiln/compile_all.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What another process of the node is to compile as this one would.
struct PackedRequest {
  Recipe recipe;
  CompileContext context;
};

/// 16 bytes, by which the processes of a node compare requests.
std::string id_of(const PackedRequest& request);
std::string pack_request(const PackedRequest& request);
/// Nothing where the bytes are those of another build.
std::optional<PackedRequest> unpack_request(std::string_view bytes);

// Answers. The first byte is the kind.

/// The request's own process is to compile it.
std::string own_answer();
std::string failure_answer(const std::exception_ptr& failure);
/// For a process of this node, with what the memory here knows of the code's dependencies, so that it is in memory
/// there too.
std::string node_answer(const CodeObject& code, const std::optional<RememberedCode>& remembered);
std::string portable_answer(const PortableCode& code, bool from_cache);

/// What the bytes say of these; nothing where they are another kind, or damaged.
std::exception_ptr failure_in(std::string_view answer);
struct NodeAnswer {
  std::shared_ptr<CodeData> code;
  bool from_cache = false;
  std::optional<Dependencies> dependencies;
  Roots roots;
};
std::optional<NodeAnswer> node_code_in(std::string_view answer);
struct PortableAnswer {
  PortableCode code;
  bool from_cache = false;
};
std::optional<PortableAnswer> portable_code_in(std::string_view answer);

}  // namespace kiln
