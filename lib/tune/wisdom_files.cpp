#include "tune/wisdom_files.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/owned_descriptor.hpp"
#include "tune/wisdom_line.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>

namespace kiln {

namespace {

constexpr std::string_view extension = ".jsonl";
constexpr std::size_t longest_name = 150;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/// Whether what is appended begins a line; -errno where that cannot be found out.
int ends_with_line(FileSystem& files, int descriptor) {
  FileStatus status;
  if (const int code = files.status(descriptor, status); code != 0) return code;
  std::string last;
  if (status.size == 0) return 1;
  if (const int code = read_part(files, descriptor, status.size - 1, 1, last); code != 0) return code;
  return last == "\n" ? 1 : 0;
}

}  // namespace

std::string wisdom_file_name(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const bool is_hidden = name.empty() && c == '.';
    name += is_plain(c) && !is_hidden ? std::string(1, c) : "%" + hex_text(std::string_view(&c, 1));
  }
  if (name.size() > longest_name) name = name.substr(0, longest_name) + "-" + digest_of(key).hex();
  return name + std::string(extension);
}

void WisdomFiles::fail(const std::string& path, const char* what, int code) {
  throw Error("the wisdom in " + path + " " + what + ": " + std::generic_category().message(-code) +
              "; KILN_WISDOM_DIR names another folder");
}

std::vector<WisdomRecord> WisdomFiles::records(std::string_view key) {
  std::vector<WisdomRecord> records = read(wisdom_file_name(key));
  std::erase_if(records, [&](const WisdomRecord& record) { return record.key != key; });
  return records;
}

std::vector<WisdomRecord> WisdomFiles::all_records() {
  std::vector<WisdomRecord> all;
  for (const std::string& name : names()) {
    std::vector<WisdomRecord> records = read(name);
    all.insert(all.end(), std::make_move_iterator(records.begin()), std::make_move_iterator(records.end()));
  }
  return all;
}

std::vector<std::string> WisdomFiles::names() {
  std::vector<std::string> names;
  if (files_.list(folder_, names) != 0) return {};
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(extension); });
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<WisdomRecord> WisdomFiles::read(const std::string& name) {
  const std::string path = path_of(name);
  const std::lock_guard lock(mutex_);
  Known& known = known_[name];
  FileStatus status;
  if (files_.status(path, status) != 0) return {};
  if (status.state() == known.state) return known.records;
  std::string text;
  reads_.fetch_add(1, std::memory_order_relaxed);
  const int code = read_file(files_, path, text, status);
  WisdomLines lines = read_wisdom(text);
  if (code != 0)
    log_message(LogLevel::warn, "the wisdom in " + path + " cannot be read: " + std::generic_category().message(-code));
  else if (lines.skipped != 0)
    log_message(LogLevel::warn,
                "the wisdom in " + path + ": lines that cannot be read are skipped: " + lines.skipped_text());
  known = {status.state(), std::move(lines.records)};
  return known.records;
}

/// Nobody has the lock for longer than a file takes to be written.
void WisdomFiles::lock(FileLock& lock) {
  if (const int code = make_directories(files_, folder_); code != 0) fail(folder_, "cannot be made", code);
  const std::string path = path_of(".lock");
  if (const int code = lock.open(path); code != 0) fail(path, "cannot be opened", code);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  int code = lock.try_lock(0);
  for (; code == -EAGAIN && std::chrono::steady_clock::now() < end; code = lock.try_lock(0))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (code != 0 && !FileLock::has_no_locks(code)) fail(path, "cannot be locked", code);
}

void WisdomFiles::append(const WisdomRecord& record) {
  FileLock held(files_);
  lock(held);
  const std::string path = path_of(wisdom_file_name(record.key));
  const OwnedDescriptor file(files_.open(path, O_RDWR | O_APPEND | O_CREAT, 0666));
  if (file.get() < 0) fail(path, "cannot be written", file.get());
  const int is_whole = ends_with_line(files_, file.get());
  if (is_whole < 0) fail(path, "cannot be read", is_whole);
  const int code = write_all(files_, file.get(), (is_whole == 0 ? "\n" : "") + wisdom_line(record));
  if (code != 0) fail(path, "cannot be written", code);
}

std::size_t WisdomFiles::prune(const std::function<std::vector<WisdomRecord>(const std::vector<WisdomRecord>&)>& kept) {
  std::size_t removed = 0;
  FileLock held(files_);
  lock(held);
  for (const std::string& name : names()) {
    const std::vector<WisdomRecord> before = read(name);
    const std::vector<WisdomRecord> after = kept(before);
    if (after.size() == before.size()) continue;
    std::string text;
    for (const WisdomRecord& record : after) text += wisdom_line(record);
    if (const int code = publish_file(files_, folder_, path_of(name), text); code != 0)
      fail(path_of(name), "cannot be replaced", code);
    removed += before.size() - after.size();
  }
  return removed;
}

}  // namespace kiln
