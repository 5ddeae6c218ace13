// kiln cache push and pull, against real servers: each cache folder here is a machine's.
#include "cache/notes.hpp"
#include "cache/open_stores.hpp"
#include "cache/signing/signing_key.hpp"

#include "nginx_server.hpp"
#include "old_file.hpp"
#include "redis_server.hpp"
#include "remote_commands.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace transfer_commands_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const bool no_redis = RedisServer::is_missing();
const bool no_nginx = !NginxServer::is_installed();

/// What programs ask for: with no header, with a toolkit's, with an own one.
struct Program {
  explicit Program(const std::string& value = "1") {
    std::ofstream(include / "own.h") << "#define VALUE " << value << "\n";
    wait_until_old(include / "own.h");
  }
  CodeObject compile(const CommandMachine& machine, const std::string& name, const std::string& arch) const {
    CompileOptions options;
    options.arch = arch;
    options.name = name;
    options.include_dirs = {include.path()};
    options.caching.dir = machine.folder();
    const std::string header = name == "half.cu"  ? "#include <cuda_fp16.h>\n"
                               : name == "own.cu" ? "#include \"own.h\"\n"
                                                  : "";
    return kiln::compile(header + "#ifndef VALUE\n#define VALUE 7\n#endif\n__global__ void k(int* p) { *p = VALUE; }\n",
                         options);
  }
  /// How many of the four are in the folder; all are behind that.
  int fill(const CommandMachine& machine) const {
    int known = 0;
    known += compile(machine, "plain.cu", "sm_80").from_cache() ? 1 : 0;
    known += compile(machine, "half.cu", "sm_80").from_cache() ? 1 : 0;
    known += compile(machine, "own.cu", "sm_80").from_cache() ? 1 : 0;
    known += compile(machine, "own.cu", "sm_90").from_cache() ? 1 : 0;
    return known;
  }
  ScratchFolder include;
};

std::string unsigned_at(const RedisServer& server) { return server.address() + " @unsigned"; }

std::size_t entries_in(const CommandMachine& machine) { return Cache(machine.folder()).entries().size(); }

/// The names of values of that kind.
std::vector<std::string> names_at(RedisServer& server, const std::string& kind) {
  const std::string pattern = "'kiln:" + std::string(64, '?') + "." + kind + "-v3'";
  const std::string all =
      server.command({"EVAL", "return table.concat(redis.call('keys', " + pattern + "), ' ')", "0"});
  std::vector<std::string> names;
  for (std::size_t at = 0; at < all.size(); at += names.back().size() + 1)
    names.push_back(all.substr(at, all.find(' ', at) - at));
  return names;
}

/// Code without headers, of a request of its own, which no compiler made.
void put_code(const CommandMachine& machine, const std::string& name, std::size_t bytes = 10) {
  Sections sections;
  for (const auto& [label, content] :
       std::vector<std::pair<std::string, std::string>>{{"name", name},
                                                        {"target", "cubin"},
                                                        {"arch", "sm_80"},
                                                        {"backend", "nvrtc"},
                                                        {"log", ""},
                                                        {"lowered names", ""},
                                                        {"code", std::string(bytes, 'x')}})
    sections.add(label, content);
  open_store(machine.folder().string()).put(CacheKey("request of " + name), false, {}, sections);
}

/// The command succeeded, and said this of the remote.
void check_said(const ProgramResult& result, const std::string& address, const std::string& counts, int status = 0) {
  CHECK(result.output == address + ": " + counts + "\n");
  CHECK(result.status == status);
}

/// And before it why values were refused.
void check_refused(const ProgramResult& result, const std::string& address, const std::vector<std::string>& why,
                   const std::string& counts) {
  std::string text;
  for (const std::string& one : why)
    text += "kiln: warning: the remote cache " + address + ": values are refused: " + one + "\n";
  CHECK(result.output == text + address + ": " + counts + "\n");
  CHECK(result.status == 1);
}

std::string id_of(const KeyPair& keys) {
  return hex_text(SigningKey(FileSystem::real(), keys.private_file).id().view());
}

void check_fault(const ProgramResult& result, const std::string& address, const std::string& fault) {
  INFO(result.output);
  CHECK(result.status == 1);
  CHECK(has(result.output, "kiln: the remote cache " + address + ": " + fault));
}

}  // namespace

TEST_SUITE_BEGIN("transfer commands");

TEST_CASE("what is pushed is pulled, and neither moves twice" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
  const Program program;
  CHECK(program.fill(first) == 0);
  check_said(first.cache({"push"}), server.address(), "pushed 4, already there 0, too large 0");
  const std::uint64_t puts = server.calls("set");
  check_said(first.cache({"push"}), server.address(), "pushed 0, already there 4, too large 0");
  CHECK(server.calls("set") == puts);

  const std::uint64_t asked = server.connections();
  check_said(second.cache({"pull"}), server.address(), "pulled 4, already there 0, too large 0");
  CHECK(server.connections() == asked + 1);
  check_said(second.cache({"pull"}), server.address(), "pulled 0, already there 4, too large 0");
  CHECK(program.fill(second) == 4);
  CHECK(second.cache({"verify"}).status == 0);
  // On their way on they are the same.
  check_said(second.cache({"push"}), server.address(), "pushed 0, already there 4, too large 0");
  // Headers are compared where the code is used.
  check_said(third.cache({"pull"}), server.address(), "pulled 4, already there 0, too large 0");
  CHECK(Program("2").fill(third) == 2);
}

TEST_CASE("variants of several machines stand in one manifest" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
  const Program one, two("2");
  one.compile(first, "own.cu", "sm_80");
  two.compile(second, "own.cu", "sm_80");
  check_said(first.cache({"push"}), server.address(), "pushed 1, already there 0, too large 0");
  check_said(second.cache({"push"}), server.address(), "pushed 1, already there 0, too large 0");
  CHECK(names_at(server, "manifest").size() == 1);
  check_said(third.cache({"pull"}), server.address(), "pulled 2, already there 0, too large 0");
  CHECK(one.compile(third, "own.cu", "sm_80").from_cache());
  CHECK(two.compile(third, "own.cu", "sm_80").from_cache());
}

TEST_CASE("what the server dropped is pushed again" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  const Program program;
  program.fill(first);
  first.cache({"push"});
  server.command({"DEL", names_at(server, "code").front()});
  check_said(first.cache({"push"}), server.address(), "pushed 1, already there 3, too large 0");
  // Code without its manifest, which nobody would find. What includes nothing needs none.
  const std::vector<std::string> manifests = names_at(server, "manifest");
  REQUIRE(manifests.size() == 3);
  for (const std::string& name : manifests) server.command({"DEL", name});
  check_said(second.cache({"pull"}), server.address(), "pulled 1, already there 0, too large 0, without a manifest 3");
  check_said(first.cache({"push"}), server.address(), "pushed 3, already there 1, too large 0");
  check_said(second.cache({"pull"}), server.address(), "pulled 3, already there 1, too large 0");
}

TEST_CASE("what a full server took before it was full is whole" * doctest::skip(no_redis)) {
  RedisServer server({.more = {"--maxmemory", "8mb", "--maxmemory-policy", "noeviction"}});
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  for (int i = 0; i < 20; ++i) put_code(first, "linked " + std::to_string(i), 1U << 20U);
  check_fault(first.cache({"push"}), server.address(), "its memory is full");
  const std::size_t there = names_at(server, "code").size();
  CHECK(there > 0);
  CHECK(there < 20);
  check_said(second.cache({"pull"}), server.address(),
             "pulled " + std::to_string(there) + ", already there 0, too large 0");
  CHECK(second.cache({"verify"}).status == 0);
  server.command({"CONFIG", "SET", "maxmemory", "100mb"});
  check_said(first.cache({"push"}), server.address(),
             "pushed " + std::to_string(20 - there) + ", already there " + std::to_string(there) + ", too large 0");
}

TEST_CASE("code without headers, and notes" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
  for (int i = 0; i < 600; ++i) put_code(first, "linked " + std::to_string(i));
  Sections note;
  note.add("backend", "nvcc");
  const CacheKey request(std::move(KeyBuilder().add("arch", "sm_80").add("name", "a/note.cu")).take());
  put_note(open_store(first.folder().string()).folder(), request, note);
  check_said(first.cache({"push"}), server.address(), "pushed 600, already there 0, too large 0");
  CHECK(server.connections() == 1);
  check_said(second.cache({"pull"}), server.address(), "pulled 600, already there 0, too large 0");
  CHECK(find_note(open_store(second.folder().string()).folder(), request));
  CHECK(third.cache({"pull", "other.cu"}).status == 1);
  CHECK_FALSE(find_note(open_store(third.folder().string()).folder(), request));
  check_said(third.cache({"pull", "note.cu", "--arch", "80"}), server.address(),
             "pulled 0, already there 0, too large 0");
  CHECK(find_note(open_store(third.folder().string()).folder(), request));
}

TEST_CASE("by name, architecture and age" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
  const Program program;
  program.fill(first);
  const auto push = [&](const std::vector<std::string>& selection) {
    std::vector<std::string> words = {"push"};
    words.insert(words.end(), selection.begin(), selection.end());
    return first.cache(words);
  };
  check_said(push({"own.cu", "--arch", "sm_90"}), server.address(), "pushed 1, already there 0, too large 0");
  check_said(push({"--arch", "sm_90,sm_100"}), server.address(), "pushed 0, already there 1, too large 0");
  check_said(push({"half.cu", "own.cu"}), server.address(), "pushed 2, already there 1, too large 0");
  for (const CacheEntry& entry : Cache(first.folder()).entries()) {
    if (entry.name == "own.cu") continue;
    const auto file = first.folder() / "v3/entries" / entry.key.substr(0, 2) / (entry.key.substr(2) + ".code");
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
  }
  check_said(push({"--newer-than", "1d"}), server.address(), "pushed 0, already there 2, too large 0");
  check_said(push({"--newer-than=3d"}), server.address(), "pushed 1, already there 3, too large 0");

  check_said(second.cache({"pull", "own.cu"}), server.address(), "pulled 2, already there 0, too large 0");
  check_said(second.cache({"pull", "--arch", "sm_80"}), server.address(), "pulled 2, already there 1, too large 0");
  CHECK(program.fill(second) == 4);
  // Half of them were not asked for, for two days.
  const std::vector<std::string> names = names_at(server, "code");
  REQUIRE(names.size() == 4);
  for (std::size_t i = 0; i < 2; ++i)
    server.command({"RESTORE", names[i], "0", server.command({"DUMP", names[i]}), "REPLACE", "IDLETIME", "172800"});
  check_said(third.cache({"pull", "--newer-than", "1d"}), server.address(), "pulled 2, already there 0, too large 0");
  check_said(third.cache({"pull", "--newer-than", "3d"}), server.address(), "pulled 2, already there 2, too large 0");

  CHECK(push({"--newer-than", "soon"}).status == 2);
  CHECK(push({"--arch", "large"}).status == 2);
}

TEST_CASE("a choice of nothing is an error, which names what there is" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  put_code(first, "one.cu");
  put_code(first, "two.cu");
  const auto check_nothing = [&](const ProgramResult& result, const std::string& where) {
    INFO(result.output);
    CHECK(result.status == 1);
    CHECK(result.output.find("kiln: nothing ") == 0);
    CHECK(has(result.output, where));
    CHECK(has(result.output, "one.cu for sm_80"));
    CHECK(has(result.output, "two.cu for sm_80"));
  };
  check_nothing(first.cache({"push", "none.cu"}), first.folder().string());
  check_nothing(first.cache({"push", "one.cu", "--arch", "sm_999"}), first.folder().string());
  CHECK(names_at(server, "code").empty());
  CHECK(first.cache({"push"}).status == 0);
  check_nothing(second.cache({"pull", "none.cu"}), server.address());
  check_nothing(second.cache({"pull", "--arch", "sm_999"}), server.address());
  CHECK(entries_in(second) == 0);
  // Nothing new is no mistake, and neither is an empty folder of which nothing was chosen.
  check_said(first.cache({"push", "one.cu"}), server.address(), "pushed 0, already there 1, too large 0");
  check_said(second.cache({"push"}), server.address(), "pushed 0, already there 0, too large 0");
  const ProgramResult empty = second.cache({"push", "one.cu"});
  CHECK(empty.status == 1);
  CHECK(has(empty.output, "there is no code at all"));
  for (int i = 0; i < 20; ++i) put_code(first, "more " + std::to_string(i));
  const std::string told = first.cache({"push", "none.cu"}).output;
  CHECK(std::count(told.begin(), told.end(), ',') == 4);  // five of them
}

TEST_CASE("of several remotes one has what is chosen" * doctest::skip(no_redis)) {
  RedisServer one, two;
  const CommandMachine first(unsigned_at(two)), second(unsigned_at(one) + " " + unsigned_at(two));
  put_code(first, "linked");
  first.cache({"push"});
  const ProgramResult pulled = second.cache({"pull", "linked"});
  CHECK(pulled.status == 0);
  CHECK(has(pulled.output, two.address() + ": pulled 1"));
}

TEST_CASE("sources without a name are chosen by what the list shows for them" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  put_code(first, "");
  put_code(first, "named.cu");
  check_said(first.cache({"push", "-"}), server.address(), "pushed 1, already there 0, too large 0");
  CHECK(has(first.cache({"push", "none.cu"}).output, "- for sm_80"));
  check_said(second.cache({"pull", "-"}), server.address(), "pulled 1, already there 0, too large 0");
}

TEST_CASE("a server that does not know ages says so" * doctest::skip(no_redis)) {
  RedisServer server({.more = {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lfu"}});
  const CommandMachine machine(unsigned_at(server));
  put_code(machine, "linked");
  check_said(machine.cache({"push", "--newer-than", "1d"}), server.address(), "pushed 1, already there 0, too large 0");
  check_fault(machine.cache({"pull", "--newer-than", "1d"}), server.address(),
              "by its maxmemory-policy it does not keep");
}

TEST_CASE("values beyond the limit stay where they are" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  put_code(first, "small");
  put_code(first, "large", std::size_t{64} << 20U);
  check_said(first.cache({"push"}), server.address(), "pushed 1, already there 0, too large 1");
  server.command({"SETRANGE", "kiln:" + std::string(64, 'a') + ".code-v3", "67108865", "x"});
  check_said(second.cache({"pull"}), server.address(), "pulled 1, already there 0, too large 1");
}

TEST_CASE("only what a trusted key signed is pulled" * doctest::skip(no_redis)) {
  RedisServer server;
  const ScratchFolder folder;
  const KeyPair site = write_key_pair(folder.path(), "site", 1);
  const KeyPair other = write_key_pair(folder.path(), "other", 2);
  const Program program;
  const CommandMachine first(server.address()), second(server.address()), third(server.address());
  program.fill(first);
  EnvironmentGuard guard;
  check_fault(first.cache({"push"}), server.address(), "compiled code is executed");
  check_fault(first.cache({"pull"}), server.address(), "compiled code is executed");
  guard.set("KILN_CACHE_PUBLIC_KEYS", site.public_file);
  check_fault(first.cache({"push"}), server.address(), "there is no key to sign with");
  CHECK(server.calls("set") == 0);
  guard.set("KILN_CACHE_SIGNING_KEY", site.private_file);
  check_said(first.cache({"push"}), server.address(), "pushed 4, already there 0, too large 0");
  guard.unset("KILN_CACHE_SIGNING_KEY");
  check_said(second.cache({"pull"}), server.address(), "pulled 4, already there 0, too large 0");
  CHECK(program.fill(second) == 4);

  guard.set("KILN_CACHE_PUBLIC_KEYS", other.public_file);
  // Three manifests, and all code, to which none led.
  check_refused(third.cache({"pull"}), server.address(),
                {"signed by the key " + id_of(site) + ", which is none of the public keys"},
                "pulled 0, already there 0, too large 0, refused 7");
  CHECK(entries_in(third) == 0);
  // Who has another key puts all anew.
  guard.set("KILN_CACHE_SIGNING_KEY", other.private_file);
  check_said(first.cache({"push"}), server.address(), "pushed 4, already there 0, too large 0");
  check_said(third.cache({"pull"}), server.address(), "pulled 4, already there 0, too large 0");
}

TEST_CASE("unsigned values are taken at an address that says so, and nowhere else" * doctest::skip(no_redis)) {
  RedisServer server;
  const ScratchFolder folder;
  const KeyPair site = write_key_pair(folder.path(), "site", 1);
  const CommandMachine first(unsigned_at(server)), second(server.address());
  put_code(first, "linked");
  check_said(first.cache({"push"}), server.address(), "pushed 1, already there 0, too large 0");
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_PUBLIC_KEYS", site.public_file);
  check_refused(second.cache({"pull"}), server.address(), {"not signed"},
                "pulled 0, already there 0, too large 0, refused 1");
  CHECK(entries_in(second) == 0);
}

TEST_CASE("damaged values, and values of other keys" * doctest::skip(no_redis)) {
  const ScratchFolder folder;
  const KeyPair site = write_key_pair(folder.path(), "site", 1);
  EnvironmentGuard guard;
  for (const bool is_signed : {false, true}) {
    RedisServer server;
    const std::string address = server.address() + (is_signed ? "" : " @unsigned");
    if (is_signed) {
      guard.set("KILN_CACHE_PUBLIC_KEYS", site.public_file);
      guard.set("KILN_CACHE_SIGNING_KEY", site.private_file);
    }
    const CommandMachine first(address), second(address);
    for (const char* name : {"one", "two", "three", "four"}) put_code(first, name);
    first.cache({"push"});
    const std::vector<std::string> names = names_at(server, "code");
    REQUIRE(names.size() == 4);
    std::string flipped = server.command({"GET", names[0]});
    flipped[flipped.size() / 2] ^= 1;
    server.command({"SET", names[0], flipped});
    server.command({"SET", names[1], server.command({"GET", names[2]})});
    std::vector<std::string> why;
    if (is_signed) why.push_back("damaged: the signature by the key " + id_of(site) + " is not valid");
    check_refused(second.cache({"pull"}), server.address(), why,
                  std::string("pulled 2, already there 0, too large 0, ") + (is_signed ? "refused 2" : "damaged 2"));
    CHECK(entries_in(second) == 2);
    CHECK(second.cache({"verify"}).status == 0);
  }
}

TEST_CASE("a remote that cannot be used is an error, which names it" * doctest::skip(no_redis)) {
  RedisServer server({.password = "s3secret"});
  const std::string host = server.address().substr(8);
  const RefusingPort nobody;
  const std::string dead = "redis://127.0.0.1:" + std::to_string(nobody.number());
  for (const char* command : {"push", "pull"}) {
    const auto run = [&](const std::string& remote) {
      const CommandMachine machine(remote);
      put_code(machine, "linked");
      ProgramResult result = machine.cache({command});
      CHECK_FALSE(has(result.output, "secret"));
      return result;
    };
    check_fault(run(dead + " @unsigned"), dead, "cannot connect (Connection refused)");
    check_fault(run(unsigned_at(server)), server.address(), "it wants a password");
    check_fault(run("redis://wrong-secret@" + host + " @unsigned"), server.address(), "it does not know");
    const ProgramResult none = run("");
    CHECK(none.status == 1);
    CHECK(has(none.output, "no remote cache is named"));
  }
}

TEST_CASE("of several remotes those that can be take part" * doctest::skip(no_redis)) {
  RedisServer one, two;
  const std::string read_only = one.address() + " @unsigned read-only";
  check_fault(CommandMachine(read_only).cache({"push"}), one.address(), "read-only stands behind its address");
  const CommandMachine first(read_only + " " + unsigned_at(two)), second(read_only + " " + unsigned_at(two));
  put_code(first, "linked");
  const ProgramResult pushed = first.cache({"push"});
  CHECK(pushed.status == 0);
  CHECK(pushed.output == one.address() + ": read-only stands behind its address\n" + two.address() +
                             ": pushed 1, already there 0, too large 0\n");
  CHECK(one.calls("set") == 0);
  const ProgramResult pulled = second.cache({"pull"});
  CHECK(pulled.status == 0);
  CHECK(pulled.output == one.address() + ": pulled 0, already there 0, too large 0\n" + two.address() +
                             ": pulled 1, already there 0, too large 0\n");
}

TEST_CASE("no compiler is needed" * doctest::skip(no_redis)) {
  RedisServer server;
  const CommandMachine first(unsigned_at(server)), second(unsigned_at(server));
  put_code(first, "linked");
  const ScratchFolder toolkit;
  for (const char* name : {"include/cuda.h", "include/nvrtc.h", "lib64/libnvrtc.so.13"}) {
    std::filesystem::create_directories((toolkit / name).parent_path());
    std::ofstream(toolkit / name) << "not what its name says";
  }
  EnvironmentGuard guard;
  guard.set("CUDA_HOME", toolkit.path());
  guard.set("CUDA_PATH", toolkit.path());
  CHECK(first.kiln({"compile", "/dev/null"}).status != 0);
  check_said(first.cache({"push"}), server.address(), "pushed 1, already there 0, too large 0");
  check_said(second.cache({"pull"}), server.address(), "pulled 1, already there 0, too large 0");
  CHECK(first.cache({"remote"}).status == 0);
}

TEST_CASE("to an HTTP server" * doctest::skip(no_nginx)) {
  EnvironmentGuard guard;
  guard.set("no_proxy", "*");
  const NginxServer server;
  const std::string remote = server.url() + " @unsigned";
  const CommandMachine first(remote), second(remote);
  const Program program;
  program.fill(first);
  check_said(first.cache({"push"}), server.url(), "pushed 4, already there 0, too large 0");
  check_said(first.cache({"push"}), server.url(), "pushed 0, already there 4, too large 0");
  check_fault(second.cache({"pull"}), server.url(), "an HTTP server does not list what it has");
  // It is there for programs.
  guard.set("KILN_CACHE_REMOTE", remote + " connect-timeout=60s request-timeout=60s");
  CHECK(program.compile(second, "half.cu", "sm_80").from_cache());
  guard.unset("KILN_CACHE_REMOTE");
  const NginxServer closed({.writing = ""});
  check_fault(first.cache({"push", "--remote", closed.url() + " @unsigned"}), closed.url(), "answers 405 to PUT");
}

TEST_SUITE_END();

}  // namespace transfer_commands_test
