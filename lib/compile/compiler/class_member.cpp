#include "compile/compiler/class_member.hpp"

#include "base/library_version.hpp"
#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/advice.hpp"
#include "compile/compiler/line_words.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

struct ClassMembers {
  std::string_view classes;  // without template arguments
  std::string_view names;    // "()" behind those of functions
};

constexpr ClassMembers known_classes[] = {
    {"cooperative_groups::thread_block",
     "sync() thread_rank() thread_index() num_threads() dim_threads() group_index() size() barrier_arrive() "
     "barrier_wait()"},
    {"cooperative_groups::grid_group",
     "sync() is_valid() thread_rank() num_threads() block_rank() num_blocks() block_index() dim_blocks() size() "
     "barrier_arrive() barrier_wait()"},
    {"cooperative_groups::cluster_group",
     "sync() thread_rank() num_threads() block_rank() num_blocks() block_index() dim_blocks() thread_index() "
     "dim_threads() map_shared_rank() query_shared_rank() barrier_arrive() barrier_wait()"},
    {"cooperative_groups::thread_block_tile",
     "sync() thread_rank() num_threads() size() meta_group_rank() meta_group_size() shfl() shfl_up() shfl_down() "
     "shfl_xor() any() all() ballot() match_any() match_all()"},
    {"cooperative_groups::coalesced_group",
     "sync() thread_rank() num_threads() size() meta_group_rank() meta_group_size() shfl() shfl_up() shfl_down() "
     "any() all() ballot() match_any() match_all()"},
    {"cuda::atomic cuda::atomic_ref",
     "load() store() exchange() compare_exchange_weak() compare_exchange_strong() fetch_add() fetch_sub() fetch_and() "
     "fetch_or() fetch_xor() fetch_min() fetch_max() wait() notify_one() notify_all()"},
    {"cuda::std::atomic cuda::std::atomic_ref",
     "load() store() exchange() compare_exchange_weak() compare_exchange_strong() fetch_add() fetch_sub() fetch_and() "
     "fetch_or() fetch_xor() wait() notify_one() notify_all()"},
    {"cuda::barrier cuda::std::barrier", "arrive() wait() arrive_and_wait() arrive_and_drop()"},
    {"cuda::std::array", "size() data() begin() end() front() back() fill() at() empty()"},
    {"cuda::std::numeric_limits", "max() min() lowest() epsilon() infinity() quiet_NaN() digits is_signed"},
    {"cuda::std::complex pycuda::complex thrust::complex", "real() imag()"},
    {"__half2 __nv_bfloat162", "x y"},
    {"cub::BlockReduce cub::WarpReduce", "Reduce() Sum()"},
    {"cub::BlockScan cub::WarpScan", "ExclusiveSum() InclusiveSum() ExclusiveScan() InclusiveScan()"},
    {"cub::BlockLoad cub::WarpLoad", "Load()"},
    {"cub::BlockStore cub::WarpStore", "Store()"},
    {"cub::BlockRadixSort", "Sort() SortDescending() SortBlockedToStriped() SortDescendingBlockedToStriped()"},
    {"cub::BlockMergeSort cub::WarpMergeSort", "Sort() StableSort()"},
    {"cub::BlockHistogram", "InitHistogram() Histogram() Composite()"},
};

/// Those of CUDA's vector types: "x y z" of float3 and dim3.
std::string_view vector_members(std::string_view type) {
  constexpr std::string_view components = "x y z w";
  const std::size_t count = type == "dim3" ? 3 : vector_size(type);
  return count == 0 ? "" : components.substr(0, 2 * count - 1);
}

std::string_view members_of(std::string_view type) {
  for (const ClassMembers& each : known_classes)
    if (has_word(each.classes, type)) return each.names;
  return vector_members(type);
}

/// "x, y and z".
std::string listed(std::string_view words) {
  const std::vector<std::string> names = split(words, ' ');
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string similar_member(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string similar = similar_name(name, candidates);
  return similar.empty() || similar == name ? std::string() : "Did you mean \"" + similar + "\"?";
}

std::string advice_for_member(const std::string& type, std::string_view name, std::string_view source) {
  const std::string_view members = members_of(type);
  if (!members.empty()) {
    std::vector<std::string> names = split(members, ' ');
    for (std::string& each : names) each = each.substr(0, each.find('('));
    const std::string similar = similar_member(name, names);
    return type + " has the member" + (names.size() == 1 ? " " : "s ") + listed(members) + "." +
           (similar.empty() ? "" : " " + similar);
  }
  std::vector<std::string> words;
  while (!source.empty())
    for (const std::string_view word : words_of_line(next_line(source))) words.emplace_back(word);
  std::erase(words, name);
  return similar_member(name, words);
}

}  // namespace

std::string class_member_advice(const Diagnostic& error, std::string_view source) {
  const std::string text = without_library_versions(error.text);
  const auto quoted = quoted_words(text);
  if (contains(text, "a pointer to a bound function may only be used to call the function"))
    return "This member is a function: call it, as in z.real().";
  if (quoted.empty()) return {};
  if (contains(text, "must have class type but it has type \"") && quoted.back().ends_with('*'))
    return "A pointer has no members and no size: of what it points to they have -> before them, or an element is "
           "named "
           "first, as in p[i].x; how many elements there are is an argument of its own.";
  if (contains(text, "must have pointer-to-class type but it has type \""))
    return "Members of a value have a dot before them: -> is for pointers.";
  const bool is_member = contains(text, "class \"") && contains(text, "\" has no member \"") && quoted.size() == 2;
  const std::string type(quoted.front().substr(0, quoted.front().find('<')));
  return is_member ? advice_for_member(type, quoted[1], source) : std::string();
}

}  // namespace kiln
