#include "cache/signing/keygen.hpp"

#include "base/files.hpp"
#include "cache/signing/key_file.hpp"

#include <kiln/error.hpp>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/random.h>

namespace kiln {

namespace {

Ed25519Key random_key() {
  Ed25519Key key;
  ssize_t count = 0;
  while ((count = ::getrandom(key.bytes.data(), key.bytes.size(), 0)) < 0 && errno == EINTR) {
  }
  if (count != static_cast<ssize_t>(key.bytes.size())) throw Error("the kernel gives no random bytes for a key");
  return key;
}

/// A file that was not there before. 0 or -errno; after a failure there is none.
int create_file(FileSystem& files, const std::string& path, unsigned mode, std::string_view text) {
  const int descriptor = files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (descriptor < 0) return descriptor;
  int code = write_all(files, descriptor, text);
  if (code == 0) code = files.sync(descriptor);
  const int closed = files.close(descriptor);
  if (code == 0) code = closed;
  if (code != 0) files.remove(path);
  return code;
}

void check_created(const std::string& path, int code) {
  if (code == -EEXIST)
    throw Error(path + " is there already, and no key is ever overwritten: choose another name, or move it away");
  if (code != 0) throw Error("cannot write " + path + ": " + std::generic_category().message(-code));
}

}  // namespace

KeyFiles make_key_files(FileSystem& files, const std::string& name) {
  Ed25519Key key = random_key();
  const Ed25519Key public_key = ed25519_public_key(key);
  KeyFiles made = {name + ".key", name + ".pub", key_id(public_key)};
  std::string text = private_key_text(key);
  const int code = create_file(files, made.private_file, 0600, text);
  wipe(text);
  wipe(key);
  check_created(made.private_file, code);
  const int public_code = create_file(files, made.public_file, 0644, public_key_text(public_key));
  if (public_code != 0) files.remove(made.private_file);
  check_created(made.public_file, public_code);
  return made;
}

}  // namespace kiln
