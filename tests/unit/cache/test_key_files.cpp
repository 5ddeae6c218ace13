// Key files: what openssl writes is read, and what cannot be trusted or is no such key is refused by name.
#include "cache/signing/key_file.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include <kiln/error.hpp>

#include "base/digest.hpp"
#include "environment_guard.hpp"
#include "fault_file_system.hpp"
#include "key_pair.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace key_files_test {

using namespace kiln;
using kiln::test::FaultFileSystem;
using kiln::test::KeyPair;
using kiln::test::ScratchFolder;
using kiln::test::write_key_pair;

namespace {

// Made by openssl genpkey and openssl pkey for this test alone.
constexpr const char* openssl_private =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIIw0+hRu2x2hii3rUZS0akf8K1XRL4eeMcln6TVRRuOV\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* openssl_public =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAIG8YuJD/cZs+Hzh5Ei5LVnRuTJmiqh6wFwn5sht6esU=\n"
    "-----END PUBLIC KEY-----\n";
constexpr const char* x25519_private =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VuBCIEIIBnQOU0SUoRHedxvBZYfykT+wmzTC9+233Sar7x0MJf\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* rsa_public =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAOVO6Zdizp6hzMOS9DSq90dXTYu8FZFY\n"
    "NYTqZIVW5YAiJhN/7ZNNKCEdlOTbw0dIOwN7Hg95A39t9Op7pdAjV5sCAwEAAQ==\n"
    "-----END PUBLIC KEY-----\n";
constexpr const char* encrypted_private =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgXVuv5b7XFOwICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEGQ2XWepLrnHg/AzAW1DPvEEQFKL\n"
    "1VnFL1GZEiHeegnggWPRtR6mfL3qhZ/hn4jbw8cCeGjrOWxACV8fZoBehXV0kNt7\n"
    "VGma1pYP41SCbBSrTl8=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

struct Files {
  std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    const std::string path = folder.write(name, text).string();
    ::chmod(path.c_str(), mode);
    return path;
  }
  /// What reading the file as a private key, or as a public one, is answered with; it names the file.
  std::string private_fault(const std::string& path) {
    return fault(path, [&] { SigningKey(files, path); });
  }
  std::string public_fault(const std::string& path) {
    return fault(path, [&] { PublicKeys(files, {path}); });
  }
  std::string fault(const std::string& path, const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(text.find(path) != std::string::npos, text);
      CHECK_MESSAGE(text.find("MC4C") == std::string::npos, text);  // no part of a key
      return text;
    }
    return "(none)";
  }
  bool fails(const std::string& text, const std::string& words) const {
    CAPTURE(text);
    CAPTURE(words);
    const bool found = text.find(words) != std::string::npos;
    CHECK(found);
    return found;
  }

  ScratchFolder folder;
  FaultFileSystem files;
};

}  // namespace

TEST_CASE("the keys that openssl makes fit each other, and have the id that openssl and sha256sum tell") {
  Files f;
  const SigningKey key(f.files, f.write("a.key", openssl_private, 0400));
  const PublicKeys keys(f.files, {f.write("a.pub", openssl_public, 0644)});
  CHECK(keys.verify("text", key.sign("text"), key.id()));
  CHECK_FALSE(keys.verify("texts", key.sign("text"), key.id()));
  CHECK_FALSE(keys.verify("text", key.sign("text"), KeyId{}));
  CHECK(hex_text(key.id().view()) == "eb2b7a5909b04ab8");
}

TEST_CASE("the texts of keys are those of openssl") {
  Files f;
  CHECK(private_key_text(read_private_key(f.files, f.write("a.key", openssl_private))) == openssl_private);
  CHECK(public_key_text(read_public_key(f.files, f.write("a.pub", openssl_public))) == openssl_public);
}

TEST_CASE("a text around the key, and line ends of another system, do not matter") {
  Files f;
  std::string text = "Bag Attributes\n" + std::string(openssl_public) + "end\n";
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  CHECK(f.public_fault(f.write("a.pub", text)) == "(none)");
}

TEST_CASE("a private key that others may use is refused") {
  Files f;
  for (const mode_t mode : {mode_t{0644}, mode_t{0640}, mode_t{0604}, mode_t{0620}, mode_t{0601}}) {
    CAPTURE(mode);
    const std::string path = f.write("a.key", openssl_private, mode);
    const std::string text = f.private_fault(path);
    f.fails(text, "chmod 600 " + path);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%04o", mode);
    f.fails(text, std::string("mode ") + digits);
  }
}

TEST_CASE("a public key that others may replace is refused, in a file and in a folder that they may change") {
  Files f;
  const std::string path = f.write("keys/a.pub", openssl_public, 0664);
  f.fails(f.public_fault(path), "chmod go-w");
  ::chmod(path.c_str(), 0644);
  const std::string folder = (f.folder / "keys").string();
  CHECK(f.public_fault(folder) == "(none)");
  ::chmod(folder.c_str(), 0777);
  f.fails(f.public_fault(folder), "chmod go-w");
}

TEST_CASE("keys of another user are refused, root's are not") {
  Files f;
  const std::string private_file = f.write("a.key", openssl_private), public_file = f.write("a.pub", openssl_public);
  const std::string keys = (f.folder / "keys").string();
  f.write("keys/a.pub", openssl_public);
  f.files.set_user(FileSystem::real().user() + 1);
  if (FileSystem::real().user() == 0) {
    CHECK(f.private_fault(private_file) == "(none)");
    CHECK(f.public_fault(public_file) == "(none)");
    for (const std::string& path : {private_file, public_file, keys}) REQUIRE(::chown(path.c_str(), 4711, 0) == 0);
  }
  for (const std::string& text : {f.private_fault(private_file), f.public_fault(public_file), f.public_fault(keys)})
    f.fails(text, "belongs to user ");
}

TEST_CASE("a link to a key is refused") {
  Files f;
  f.write("a.key", openssl_private);
  f.write("a.pub", openssl_public);
  f.write("keys/b.pub", openssl_public);
  const auto link = [&](const std::string& from, const std::string& to) {
    std::filesystem::create_symlink(f.folder / to, f.folder / from);
    return (f.folder / from).string();
  };
  f.fails(f.private_fault(link("l.key", "a.key")), "is a symbolic link");
  f.fails(f.public_fault(link("l.pub", "a.pub")), "is a symbolic link");
  f.fails(f.public_fault(link("l", "keys")), "is a symbolic link");
}

TEST_CASE("a key whose lines were joined is refused, and the text does not show it") {
  Files f;
  std::string joined = openssl_private;
  std::erase(joined, '\n');
  f.fails(f.private_fault(f.write("a.key", joined)), "holds no PEM text");
  f.fails(f.public_fault(f.write("a.pub", joined)), "holds no PEM text");
}

TEST_CASE("what is no Ed25519 key is refused, and the text says what it is") {
  Files f;
  f.fails(f.private_fault(f.write("e.key", encrypted_private)), "is encrypted");
  f.fails(f.private_fault(f.write("p.key", openssl_public)), "holds a \"PUBLIC KEY\"");
  f.fails(f.public_fault(f.write("p.pub", openssl_private)), "holds a \"PRIVATE KEY\"");
  f.fails(f.public_fault(f.write("r.pub", rsa_public)), "of another algorithm");
  f.fails(f.private_fault(f.write("x.key", x25519_private)), "of another algorithm");
  f.fails(f.private_fault(f.write("n.key", "")), "no PEM text");
  f.fails(f.public_fault(f.write("g.pub", "garbage \xff\n")), "no PEM text");
  f.fails(f.public_fault(f.write("l.pub", std::string(100'000, 'x'))), "more than 65536 bytes");
  f.fails(f.public_fault(f.write("2.pub", std::string(openssl_public) + openssl_public)), "more than one key");
  f.fails(f.private_fault((f.folder / "none.key").string()), "No such file");
  f.fails(f.public_fault((f.folder / "none.pub").string()), "No such file");
  f.fails(f.private_fault(f.folder.path().string()), "Is a directory");
  const std::string pipe = (f.folder / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  f.fails(f.private_fault(pipe), "is no regular file");
  f.fails(f.public_fault(pipe), "is no regular file");
  f.files.fail_always("open", EACCES);
  f.fails(f.private_fault(f.write("a.key", openssl_private)), "Permission denied");
}

TEST_CASE("of a key's text every cut is refused, and every changed byte is refused or another key") {
  Files f;
  const std::string text = openssl_public;
  const std::string end = "-----END PUBLIC KEY-----";
  for (std::size_t size = 0; size < text.find(end) + end.size(); ++size)
    CHECK(f.public_fault(f.write("a.pub", text.substr(0, size))) != "(none)");
  const Ed25519Key key = read_public_key(f.files, f.write("a.pub", text));
  const std::size_t first = text.find("\nM") + 1, last = text.find('=');
  for (std::size_t i = first; i < last; ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'B' ? 'C' : 'B';
    bool is_same = false;
    try {
      is_same = read_public_key(f.files, f.write("a.pub", changed)) == key;
    } catch (const Error&) {
    }
    CHECK_FALSE(is_same);
  }
}

TEST_CASE("a folder gives the keys of all its files *.pub, and must have one") {
  Files f;
  const std::string folder = (f.folder / "keys").string();
  const KeyPair one = write_key_pair(folder, "one", 1), two = write_key_pair(folder, "two", 2);
  f.write("keys/README", "none of ours");
  f.write("keys/.hidden.pub", "none of ours");
  const PublicKeys keys(f.files, {folder});
  for (const KeyPair& pair : {one, two}) {
    const SigningKey key(f.files, pair.private_file);
    CHECK(keys.verify("text", key.sign("text"), key.id()));
  }
  const SigningKey other(f.files, write_key_pair(f.folder.path(), "other", 3).private_file);
  CHECK_FALSE(keys.verify("text", other.sign("text"), other.id()));
  f.write("keys/bad.pub", "garbage");
  CHECK_THROWS_WITH_AS(PublicKeys(f.files, {folder}), doctest::Contains("bad.pub"), Error);
  const std::string empty = (f.folder / "empty").string();
  std::filesystem::create_directory(empty);
  f.fails(f.public_fault(empty), "no file *.pub");
  CHECK(PublicKeys().empty());
  CHECK_FALSE(keys.empty());
}

TEST_CASE("variables name keys from the root on") {
  using Guard = kiln::test::EnvironmentGuard;
  {
    Guard guard({{"KILN_CACHE_PUBLIC_KEYS", std::nullopt}, {"KILN_CACHE_SIGNING_KEY", std::nullopt}});
    CHECK(public_key_paths().empty());
    CHECK_FALSE(signing_key_path());
  }
  {
    Guard guard({{"KILN_CACHE_PUBLIC_KEYS", "/a b/c.pub:/keys"}, {"KILN_CACHE_SIGNING_KEY", "/a b/c.key"}});
    CHECK(public_key_paths() == std::vector<std::string>{"/a b/c.pub", "/keys"});
    CHECK(signing_key_path() == "/a b/c.key");
  }
  Guard guard({{"KILN_CACHE_PUBLIC_KEYS", "/keys:c.pub"}, {"KILN_CACHE_SIGNING_KEY", "c.key"}});
  CHECK_THROWS_WITH_AS(public_key_paths(), doctest::Contains("\"c.pub\" is no path from the root on"), Error);
  CHECK_THROWS_WITH_AS(signing_key_path(), doctest::Contains("\"c.key\" is no path from the root on"), Error);
  guard.set("KILN_CACHE_PUBLIC_KEYS", ":");
  CHECK_THROWS_WITH_AS(public_key_paths(), doctest::Contains("names no file"), Error);
}

}  // namespace key_files_test
