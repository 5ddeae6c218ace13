// Pieces of device code to link: a kernel that calls a device function, and a plug-in that defines it.
#pragma once

#include "compile_bench.hpp"

#include <kiln/linker.hpp>

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <string>
#include <vector>

namespace kiln::test {

inline const char* const main_source =
    "namespace ns { __device__ float op(float); }\n"
    "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] = ns::op(p[threadIdx.x]); }\n";
inline const char* const plug_source = "namespace ns { __device__ float op(float x) { return 2 * x + 1; } }\n";

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct LinkBench : Bench {
  /// Relocatable code of a source.
  CodeObject code(const char* source, Target target, const std::string& name, const std::string& arch = "sm_90") const {
    return compile(source,
                   options().with_arch(arch).with_target(target).with_options({"-rdc=true"}).with_name(name + ".cu"));
  }
  CodeObject main_code(Target target = Target::ptx) const { return code(main_source, target, "main"); }
  CodeObject plug_code(Target target = Target::ptx) const { return code(plug_source, target, "plug"); }

  LinkOptions link_options() const { return {.caching = {scratch / "cache"}}; }
  /// A linker with main and plug in it.
  Linker linker(Target target, const LinkOptions& options) const {
    Linker linker(options);
    linker.add(main_code(target)).add(plug_code(target));
    return linker;
  }
};

/// A library of those members, as ar makes it.
inline std::string library_of(const std::vector<std::string>& members) {
  std::string bytes = "!<arch>\n";
  for (const std::string& member : members) {
    std::string header = "member.o/       0           0     0     100644  ";
    std::string size = std::to_string(member.size());
    header.resize(48, ' ');
    size.resize(10, ' ');
    bytes += header + size + "`\n" + member;
    if (member.size() % 2 != 0) bytes += '\n';
  }
  return bytes;
}

/// What a LinkError of that link says; empty where it links.
inline std::string link_error_of(const Linker& linker) {
  try {
    linker.link();
  } catch (const LinkError& error) {
    return error.what();
  }
  return {};
}

/// The link of those inputs fails with all of these words in its text, and the cache is as it was.
inline void check_fails(const LinkBench& bench, const Linker& linker, const std::vector<std::string>& words) {
  const CacheStats before = bench.stats();
  const std::string text = link_error_of(linker);
  REQUIRE_FALSE(text.empty());
  for (const std::string& word : words) CHECK_MESSAGE(contains(text, word), text << "\n lacks " << word);
  CHECK(bench.stats().entries == before.entries);
  CHECK(bench.stats().stores == before.stores);
  // Nobody is given a failure's code.
  CHECK_FALSE(link_error_of(linker).empty());
}

}  // namespace kiln::test
