// All members of CompileOptions and LinkOptions, each with what it is to the parts of Kiln that look at all of them.
// CONTRIBUTING.md has the steps for a new one.
#pragma once

#include "base/members.hpp"
#include "compile/compiler/compiler_job.hpp"

#include <kiln/compile_options.hpp>
#include <kiln/linker.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>

namespace kiln {

/// What a member is used for; `key` and the absence of all others are checked by test_option_members.cpp.
enum OptionUse : unsigned {
  in_identity = 1,    // another value is another request in this process's memory (request_identity)
  in_key = 2,         // and another entry on disk
  saved = 4,          // with code (saved_code.hpp), always: for members of saved code's first version
  saved_if_set = 8,   // where it is not the default, so that saved code keeps its version
  recorded = 16,      // in the lines of KILN_RECORD, where it is set
  to_compilers = 32,  // a bool that the compilers get: in CompilerJob
  of_nvjitlink = 64   // of a link: the driver's linker does not have it (driver_link.cpp)
};

/// The places of members in a recorded line.
inline constexpr int last_record_order = 3;

struct OptionText {
  const char* name;                      // in messages
  const char* recorded_as = name;        // in KILN_RECORD's lines, which are digested for tuning results: never changed
  int record_order = last_record_order;  // equal ones are in the order of this table
  bool CompilerJob::*in_job = nullptr;   // a bool that the compilers get: where they get it
  const char* key_label = nullptr;       // of such a bool in canonical bytes, where it is set
  const char* not_for_ir = nullptr;      // why it must not be set for NVVM IR
};

/// One row: what the member is used for, and the way to it: a member, or a group and its member.
template <unsigned all_uses, auto... steps>
struct OptionRow : OptionText {
  static constexpr unsigned uses = all_uses;
  /// The member of these options.
  template <class Options>
  static constexpr auto& of(Options& options) {
    return (options.*....*steps);
  }
};

template <unsigned uses, auto... steps>
constexpr OptionRow<uses, steps...> option_row(const OptionText& text) {
  return {text};
}

// In the order of the structs, which is the order of saved code.
inline constexpr std::tuple compile_option_rows{
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::options>({"options"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::include_dirs>(
        {.name = "include_dirs", .not_for_ir = "it includes nothing"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::defines>(
        {.name = "defines", .not_for_ir = "it has no macros"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::late_defines>(
        {.name = "late_defines", .not_for_ir = "it has no macros"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::arch>({.name = "arch", .record_order = 1}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::target>({.name = "target", .record_order = 1}),
    // In a key stands the identity of the compiler that was chosen.
    option_row<in_identity | saved | recorded, &CompileOptions::backend>({.name = "backend", .record_order = 1}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::name>({.name = "name", .record_order = 0}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::headers>(
        {.name = "headers",
         .not_for_ir = "it includes nothing; several modules are compiled together by kiln::nvvm::Program"}),
    // What it gives is in `headers` before anything is looked up or saved.
    option_row<0, &CompileOptions::header_callback>({.name = "header_callback", .not_for_ir = "it includes nothing"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::name_expressions>(
        {.name = "name_expressions",
         .not_for_ir = "it has no templates; get_function takes a kernel's name as the IR has it"}),
    // With another value of this one or of `keep` nothing is looked up.
    option_row<saved, &CompileOptions::cache>({"cache"}),
    // Where code is kept: not which it is.
    option_row<in_identity | saved, &CompileOptions::caching, &CacheOptions::dir>({"caching.dir"}),
    option_row<in_identity | saved, &CompileOptions::caching, &CacheOptions::read_only_dirs>(
        {"caching.read_only_dirs"}),
    option_row<in_identity | saved, &CompileOptions::caching, &CacheOptions::trusted_owners>(
        {"caching.trusted_owners"}),
    option_row<in_identity, &CompileOptions::caching, &CacheOptions::public_keys>({"caching.public_keys"}),
    // It fills `dir`, and may have a password.
    option_row<0, &CompileOptions::caching, &CacheOptions::remote>({"caching.remote"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::caching, &CacheOptions::strict_headers>(
        {.name = "caching.strict_headers", .recorded_as = "strict_headers"}),
    option_row<saved, &CompileOptions::caching, &CacheOptions::require_hit>({"caching.require_hit"}),
    option_row<saved, &CompileOptions::caching, &CacheOptions::durable>({"caching.durable"}),
    option_row<saved | to_compilers, &CompileOptions::keep>(
        {.name = "keep",
         .in_job = &CompilerJob::keep,
         .not_for_ir = "there is no working folder; what lies between, PTX, is had by target ptx"}),
    option_row<in_identity | in_key | saved | recorded | to_compilers, &CompileOptions::keep_ptx>(
        {.name = "keep_ptx", .in_job = &CompilerJob::keep_ptx, .key_label = "keeps PTX"}),
    // How long it takes, not what is made.
    option_row<to_compilers, &CompileOptions::timing>(
        {.name = "timing", .in_job = &CompilerJob::timing, .not_for_ir = "libnvvm tells no times"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::no_extern_c>(
        {.name = "no_extern_c", .not_for_ir = "its names are what they are"}),
    option_row<in_identity | saved | recorded, &CompileOptions::nvcc, &NvccOptions::path>(
        {.name = "nvcc.path", .recorded_as = "nvcc", .not_for_ir = "nvcc takes no LLVM IR"}),
    option_row<in_identity | in_key | saved | recorded, &CompileOptions::nvcc, &NvccOptions::code>(
        {.name = "nvcc.code",
         .recorded_as = "code",
         .not_for_ir = "it is compiled for one architecture, which arch names"}),
    // LLVM IR has a key of another form, ir_key.
    option_row<in_identity | saved | recorded, &CompileOptions::language>({.name = "language", .record_order = 2}),
    // When to stop, not what to make.
    option_row<saved, &CompileOptions::timeout>({"timeout"}),
    option_row<0, &CompileOptions::cancel>({"cancel"}),
};

inline constexpr std::tuple link_option_rows{
    // In messages, and not in code.
    option_row<recorded, &LinkOptions::name>({"name"}),
    // In a key stands what came of it, as of `lto`, and of `backend` the identity of the linker.
    option_row<recorded, &LinkOptions::arch>({"arch"}),
    option_row<in_key | recorded, &LinkOptions::target>({"target"}),
    option_row<recorded, &LinkOptions::backend>({"backend"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::options>({"options"}),
    option_row<0, &LinkOptions::cache>({"cache"}),
    option_row<0, &LinkOptions::caching>({"caching"}),
    option_row<recorded, &LinkOptions::lto>({"lto"}),
    option_row<in_key | recorded, &LinkOptions::optimization>({"optimization"}),
    option_row<in_key | recorded, &LinkOptions::max_registers>({"max_registers"}),
    option_row<in_key | recorded, &LinkOptions::debug>({"debug"}),
    option_row<in_key | recorded, &LinkOptions::lineinfo>({"lineinfo"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::ftz>({"ftz"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::prec_div>({"prec_div"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::prec_sqrt>({"prec_sqrt"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::fma>({"fma"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::kernels_used>({"kernels_used"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::variables_used>({"variables_used"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::optimize_unused_variables>(
        {"optimize_unused_variables"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::split_compile>({"split_compile"}),
    option_row<in_key | recorded | of_nvjitlink, &LinkOptions::ptxas_options>({"ptxas_options"}),
    option_row<in_key | recorded, &LinkOptions::verbose>({"verbose"}),
    // Hears of a link; what is found was none.
    option_row<0, &LinkOptions::message_handler>({"message_handler"}),
};

template <class... Rows>
constexpr bool are_distinct(const std::tuple<Rows...>&) {
  struct All : Rows... {};  // a member that stands twice is two equal bases, which does not build
  return sizeof(All) != 0;
}
static_assert(are_distinct(compile_option_rows) && are_distinct(link_option_rows));
static_assert(std::tuple_size_v<decltype(compile_option_rows)> + 2 ==
                  member_count<CompileOptions> + member_count<CacheOptions> + member_count<NvccOptions>,
              "each member has a row in compile_option_rows");
static_assert(std::tuple_size_v<decltype(link_option_rows)> == member_count<LinkOptions>,
              "each member has a row in link_option_rows");

/// Calls take(row) for each row that is used for one of `uses`.
template <unsigned uses, class... Rows, class Take>
constexpr void for_each_option(const std::tuple<Rows...>& rows, const Take& take) {
  const auto take_if_used = [&take]<class Row>(const Row& row) {
    if constexpr ((Row::uses & uses) != 0) take(row);
  };
  std::apply([&](const Rows&... row) { (take_if_used(row), ...); }, rows);
}

/// The same for all rows.
template <class... Rows, class Take>
constexpr void for_each_option(const std::tuple<Rows...>& rows, const Take& take) {
  std::apply([&](const Rows&... row) { (take(row), ...); }, rows);
}

/// Whether a member says anything: is not empty, false, unset or the first value of an enumeration.
template <class Value>
bool is_set(const Value& value) {
  if constexpr (requires { value.empty(); })
    return !value.empty();
  else if constexpr (requires { value.count(); })
    return value.count() != 0;
  else if constexpr (std::is_enum_v<Value>)
    return value != Value{};
  else if constexpr (std::is_constructible_v<bool, const Value&>)
    return static_cast<bool>(value);
  else
    return true;
}

/// Gives the compilers what they get as bools.
inline void set_job_options(CompilerJob& job, const CompileOptions& options) {
  for_each_option<to_compilers>(compile_option_rows, [&](const auto& row) { job.*row.in_job = row.of(options); });
}

/// Those of them that other code is made with, in canonical bytes.
template <class Key>
void add_job_options(Key& key, const CompilerJob& job) {
  for_each_option<to_compilers>(compile_option_rows, [&](const auto& row) {
    if (row.key_label != nullptr && job.*row.in_job) key.add(row.key_label, "1");
  });
}

}  // namespace kiln
