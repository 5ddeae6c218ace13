#include "cache/signing/key_file.hpp"

#include "base/base64.hpp"
#include "base/files.hpp"
#include "base/text_parts.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <string.h>

namespace kiln {

namespace {

constexpr std::uint64_t max_key_file_size = 65536;

/// One kind of key file. Its DER is the same for every key but for the 32 bytes at the end (RFC 8410).
struct KeyForm {
  std::string_view label;
  std::string_view der_front;
  std::string_view what;
};
using namespace std::string_view_literals;
constexpr KeyForm private_form = {"PRIVATE KEY", "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"sv,
                                  "private"};
constexpr KeyForm public_form = {"PUBLIC KEY", "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"sv, "public"};

[[noreturn]] void refuse_key(const KeyForm& form, const std::string& path, const std::string& fault) {
  throw Error("the " + std::string(form.what) + " key " + path + " " + fault);
}

[[noreturn]] void refuse_other_content(const KeyForm& form, const std::string& path, const std::string& content) {
  refuse_key(form, path,
             "holds " + content + ", and no Ed25519 " + std::string(form.what) +
                 " key: kiln cache keygen NAME makes NAME.key and NAME.pub");
}

/// As all labels are. What else stands there may be a key whose lines were joined, which no error may show.
bool is_label(std::string_view text) {
  return text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") == std::string_view::npos;
}

/// The label of a line "-----BEGIN label-----"; of others nothing.
std::optional<std::string_view> begun_label(std::string_view line) {
  constexpr std::string_view front = "-----BEGIN ";
  constexpr std::string_view back = "-----";
  line = trimmed(line);
  if (!line.starts_with(front) || !line.ends_with(back) || line.size() < front.size() + back.size())
    return std::nullopt;
  line = line.substr(front.size(), line.size() - front.size() - back.size());
  return is_label(line) ? std::optional(line) : std::nullopt;
}

/// Takes off the text up to the first such line.
std::optional<std::string_view> next_label(std::string_view& text) {
  while (!text.empty())
    if (const auto label = begun_label(next_line(text))) return label;
  return std::nullopt;
}

/// The Base64 between the lines around it; takes it off. Nothing where its end is missing.
std::optional<std::string> take_body(std::string_view& text, std::string_view label) {
  const std::string end = "-----END " + std::string(label) + "-----";
  std::string body;
  body.reserve(text.size());  // so that no copy of a secret stays behind
  while (!text.empty()) {
    const std::string_view line = trimmed(next_line(text));
    if (line == end) return body;
    body += line;
  }
  return std::nullopt;
}

Ed25519Key key_in(const KeyForm& form, const std::string& path, std::string_view text) {
  const auto label = next_label(text);
  if (!label) refuse_other_content(form, path, "no PEM text");
  if (*label == "ENCRYPTED PRIVATE KEY")
    refuse_key(form, path,
               "is encrypted, and Kiln asks for no passphrase: openssl pkey -in FILE -out PLAIN writes it without one");
  if (*label != form.label) refuse_other_content(form, path, "a \"" + std::string(*label) + "\"");
  std::optional<std::string> body = take_body(text, *label);
  std::optional<std::string> der = body ? base64_bytes(*body) : std::nullopt;
  if (body) wipe(*body);
  if (!der) refuse_other_content(form, path, "a damaged PEM text");
  Ed25519Key key;
  const bool fits = der->size() == form.der_front.size() + key.bytes.size() && der->starts_with(form.der_front);
  if (fits) der->copy(reinterpret_cast<char*>(key.bytes.data()), key.bytes.size(), form.der_front.size());
  wipe(*der);
  if (!fits) refuse_other_content(form, path, "a key of another algorithm or form");
  if (next_label(text)) refuse_key(form, path, "holds more than one key: give each a file of its own");
  return key;
}

std::string mode_text(std::uint32_t mode) {
  std::array<char, 16> text = {};
  std::snprintf(text.data(), text.size(), "%04o", mode & 07777U);
  return text.data();
}

/// The text of a file whose owner and mode, in `status`, are still to be checked.
std::string checked_text(FileSystem& files, const KeyForm& form, const std::string& path, FileStatus& status) {
  std::string text;
  const int code = read_file(files, path, text, status, {O_NOFOLLOW, max_key_file_size});
  if (code == -ELOOP) refuse_key(form, path, "is a symbolic link, which can be led elsewhere: name the file itself");
  if (code == -EFBIG) refuse_other_content(form, path, "more than " + std::to_string(max_key_file_size) + " bytes");
  if (code == -EINVAL) refuse_key(form, path, "is no regular file");
  if (code != 0) refuse_key(form, path, "cannot be read: " + std::generic_category().message(-code));
  return text;
}

std::string pem_text(const KeyForm& form, const Ed25519Key& key) {
  const std::string label(form.label);
  return "-----BEGIN " + label + "-----\n" + base64_text(std::string(form.der_front).append(key.view())) +
         "\n-----END " + label + "-----\n";
}

}  // namespace

void wipe(std::string& secret) noexcept { ::explicit_bzero(secret.data(), secret.size()); }
void wipe(Ed25519Key& secret) noexcept { ::explicit_bzero(secret.bytes.data(), secret.bytes.size()); }

std::string key_owner_objection(FileSystem& files, const FileStatus& status) {
  if (status.owner == files.user() || status.owner == 0) return {};
  return "belongs to user " + std::to_string(status.owner) + ", and this process runs as user " +
         std::to_string(files.user()) + ": keys are taken from files of that user and of root";
}

Ed25519Key read_private_key(FileSystem& files, const std::string& path) {
  FileStatus status;
  std::string text = checked_text(files, private_form, path, status);
  if (const std::string objection = key_owner_objection(files, status); !objection.empty())
    refuse_key(private_form, path, objection);
  if ((status.mode & 077U) != 0)
    refuse_key(private_form, path,
               "is of mode " + mode_text(status.mode) + ", so that others may use it: chmod 600 " + path);
  const Ed25519Key key = key_in(private_form, path, text);
  wipe(text);
  return key;
}

Ed25519Key read_public_key(FileSystem& files, const std::string& path) {
  FileStatus status;
  const std::string text = checked_text(files, public_form, path, status);
  if (const std::string objection = key_owner_objection(files, status); !objection.empty())
    refuse_key(public_form, path, objection);
  if ((status.mode & 022U) != 0)
    refuse_key(public_form, path,
               "is of mode " + mode_text(status.mode) + ", so that others may replace it: chmod go-w " + path);
  return key_in(public_form, path, text);
}

std::string private_key_text(const Ed25519Key& key) { return pem_text(private_form, key); }
std::string public_key_text(const Ed25519Key& key) { return pem_text(public_form, key); }

}  // namespace kiln
