// An environment that names no cache folder, or one that must not be used: compiled all the same.
#include "one_process.hpp"

#include "base/environment.hpp"
#include "environment_guard.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

Report compile_with(const EnvironmentGuard&, const fs::path& working_folder) {
  return in_process([&](Report& report) {
    fs::current_path(working_folder);
    const CompileOptions options = CompileOptions{}.with_arch("sm_80");
    for (const char* source : {"__global__ void one() {}", "__global__ void two() {}"})
      report.wrong += compile(source, options).bytes().substr(1, 3) != "ELF";
  });
}

}  // namespace

TEST_CASE("an environment that names no folder, or one that cannot be: compiled all the same") {
  const ScratchFolder folder;
  fs::create_directory(folder / "work");
  const std::optional<std::string> unset;
  for (const std::optional<std::string>& standard : {unset, std::optional<std::string>("relative/cache")}) {
    const EnvironmentGuard guard(
        {{"KILN_CACHE_DIR", unset}, {"PYCUDA_CACHE_DIR", unset}, {"HOME", unset}, {"XDG_CACHE_HOME", standard}});
    const Report report = compile_with(guard, folder / "work");
    CHECK(report.wrong == 0);
    CHECK(report.warnings == 1);
    CHECK(report.says("XDG_CACHE_HOME and HOME"));
    CHECK(report.says("KILN_DISABLE_CACHE=1"));
    CHECK(fs::is_empty(folder / "work"));
  }
  const fs::path file = folder.write("file", "mine");
  const EnvironmentGuard guard({{"KILN_CACHE_DIR", file.string()}, {"PYCUDA_CACHE_DIR", unset}});
  const Report report = compile_with(guard, folder / "work");
  CHECK(report.wrong == 0);
  CHECK(report.warnings == 1);
  CHECK(report.says(file.string() + " is no folder"));
  CHECK(report.says("KILN_CACHE_DIR"));
  CHECK(file_bytes(file) == "mine");
}

TEST_CASE("a limit on the size of files, as batch systems set it, is an error that names it; a hit needs no process") {
  const ScratchFolder folder;
  const fs::path cache = folder / "cache";
  const CompileOptions options = CompileOptions{}.with_arch("sm_80").with_caching({cache});
  const auto is_elf = [](const CodeObject& code) { return code.bytes().substr(1, 3) == "ELF"; };
  REQUIRE(is_elf(compile("__global__ void kept() {}", options)));
  for (const rlim_t limit : {0U, 1U, 300U, 3000U, 5000U, 100'000U}) {
    CAPTURE(limit);
    const Report report = in_process([&](Report& seen) {
      const rlimit bytes = {limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &bytes);
      seen.wrong += !is_elf(compile("__global__ void kept() {}", options));
      try {
        // The worker's image cannot be written under such a limit.
        (void)compile("__global__ void one() {}", options);
        ++seen.wrong;
      } catch (const WorkerError& error) {
        seen.wrong += std::string(error.what()).find("ulimit -f") == std::string::npos;
      }
      seen.wrong += Cache(cache).stats().compiles != 1;
    });
    CHECK(report.wrong == 0);
  }
}

namespace {

/// Runs the program as that user; what it printed.
std::string output_as(unsigned user, const fs::path& program, const std::vector<std::string>& environment) {
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  std::vector<char*> variables;
  for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    if (::setgid(user) == 0 && ::setuid(user) == 0) ::execve(program.c_str(), arguments, variables.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return output;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a set-user-id program heeds no environment and keeps nothing") {
  if (!is_root()) return leave_out("not root: cannot make such a program");
  constexpr unsigned user = 12345;
  const EnvironmentGuard on_disk({{"TMPDIR", std::nullopt}});
  const ScratchFolder folder;
  fs::permissions(folder.path(), static_cast<fs::perms>(0755));
  const fs::path program = folder / "program";
  fs::copy_file(KILN_PRIVILEGED_PROGRAM, program);
  fs::create_directory(folder / "home");
  const std::string cuda_home = environment("CUDA_HOME").value_or("");
  const std::vector<std::string> variables = {"HOME=" + (folder / "home").string(),
                                              "KILN_CACHE_DIR=" + (folder / "home/cache").string(),
                                              "KILN_CACHE_READ_ONLY_DIRS=" + (folder / "home/cache").string(),
                                              "KILN_LOG=info",
                                              "KILN_DEFAULT_OPTIONS=-DNEVER",
                                              "CUDA_HOME=" + cuda_home};
  const auto own = [&](unsigned owner, unsigned mode) {
    REQUIRE(::chown(program.c_str(), owner, owner) == 0);
    REQUIRE(::chmod(program.c_str(), mode) == 0);
    REQUIRE(::chown((folder / "home").c_str(), owner, owner) == 0);
  };
  own(user, 0755);  // by the way: without the bit the environment counts
  const std::string plain = output_as(user, program, variables);
  CAPTURE(plain);
  CHECK(plain.find("privileged: 0\ncompiled: ELF\n") != plain.npos);
  CHECK(plain.find("kiln: info") != plain.npos);
  CHECK(fs::exists(folder / "home/cache/v3/entries"));
  fs::remove_all(folder / "home/cache");

  own(nobody, 04755);
  const std::string output = output_as(user, program, variables);
  CAPTURE(output);
  if (output.find("privileged: 0") != output.npos) return leave_out("set-user-id means nothing here (nosuid?)");
  CHECK(output.find("privileged: 1\n") != output.npos);
  CHECK(fs::is_empty(folder / "home"));
  if (output.find("failed: no NVRTC") != output.npos) {
    REQUIRE_FALSE(cuda_home.empty());
    CHECK(output.find(cuda_home) == output.npos);
    return leave_out("the compile: nothing but CUDA_HOME leads to NVRTC here, and such a program does not read it");
  }
  CHECK(output.find("privileged: 1\ncompiled: ELF\n") != output.npos);
  CHECK(count_of(output, "kiln: ") == 1);
  CHECK(count_of(output, "kiln: warning: this process runs with more rights than its user") == 1);
}
