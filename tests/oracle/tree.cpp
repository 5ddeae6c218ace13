#include "tree.hpp"

#include "scratch_folder.hpp"

#include <chrono>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

namespace kiln::oracle {

namespace fs = std::filesystem;

namespace {

void write_into(const fs::path& path, const std::string& bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return;
  test::write_file(path, bytes);
}

void rewrite(const fs::path& path, std::string bytes) {
  struct stat before {};
  if (::stat(path.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return;
  const auto size = static_cast<std::size_t>(before.st_size);
  if (bytes.size() < size) bytes += std::string(size - bytes.size(), '\n');
  write_into(path, bytes);
  const timespec times[] = {before.st_atim, before.st_mtim};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

/// Links are copied as links, as `cp -a` does.
void copy_with_times(const fs::path& from, const fs::path& to) {
  struct stat status {};
  if (::lstat(from.c_str(), &status) != 0) return;
  if (S_ISLNK(status.st_mode)) {
    fs::remove_all(to);
    return fs::copy_symlink(from, to);
  }
  if (S_ISDIR(status.st_mode)) {
    fs::create_directories(to);
    for (const auto& item : fs::directory_iterator(from)) copy_with_times(item.path(), to / item.path().filename());
  } else {
    fs::create_directories(to.parent_path());
    fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  }
  ::chmod(to.c_str(), status.st_mode & 07777);
  const timespec times[] = {status.st_atim, status.st_mtim};
  ::utimensat(AT_FDCWD, to.c_str(), times, 0);
}

void set_time(const fs::path& path, Step::Kind kind) {
  const timespec then = {kind == Step::Kind::future ? 4'000'000'000 : 1'000'000'000, 123'456'789};
  const timespec times[] = {then, then};
  ::utimensat(AT_FDCWD, path.c_str(), kind == Step::Kind::touch ? nullptr : times, 0);
}

}  // namespace

std::string Tree::checkout(const std::string& letter) const {
  return (root_ / (letter == "A" ? "first" : "second checkout")).string();
}

fs::path Tree::place(const std::string& path) const {
  const fs::path folder = checkout(path.substr(0, 1));
  return path.size() > 2 ? folder / path.substr(2) : folder;
}

std::string Tree::expanded(std::string text, const std::string& letter) const {
  const std::string mark = "$ROOT";
  const std::string folder = checkout(letter);
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += folder.size())
    text.replace(at, mark.size(), folder);
  return text;
}

void Tree::apply(const Step& step) const try {
  using Kind = Step::Kind;
  const auto text = [&] {
    std::string whole;
    for (const std::string& piece : step.text) whole += piece;
    return expanded(std::move(whole), step.path.substr(0, 1));
  };
  const auto path = [&] { return place(step.path); };
  const auto to = [&] {
    fs::path there = place(step.to);
    fs::create_directories(there.parent_path());
    return there;
  };
  switch (step.kind) {
    case Kind::write:
      return write_into(path(), text());
    case Kind::replace: {
      const fs::path other = root_ / "new file";
      write_into(other, text());
      fs::create_directories(path().parent_path());
      return fs::rename(other, path());
    }
    case Kind::rewrite:
      return rewrite(path(), text());
    case Kind::remove:
      fs::remove_all(path());
      return;
    case Kind::folder:
      fs::remove_all(path());
      fs::create_directories(path());
      return;
    case Kind::copy:
      return copy_with_times(path(), to());
    case Kind::hard_link:
      if (!fs::is_regular_file(path())) return;
      fs::remove(to());
      return fs::create_hard_link(path(), to());
    case Kind::symlink:
      fs::remove_all(path());
      fs::create_directories(path().parent_path());
      return fs::create_symlink(step.to, path());
    case Kind::rename:
      return fs::rename(path(), to());
    case Kind::exchange:
    case Kind::meanwhile:
      ::renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, to().c_str(), RENAME_EXCHANGE);
      return;
    case Kind::permissions:
      ::chmod(path().c_str(), static_cast<mode_t>(std::strtoul(step.to.c_str(), nullptr, 8)));
      return;
    case Kind::touch:
    case Kind::date:
    case Kind::future:
      return set_time(path(), step.kind);
    default:
      return;  // not the disk's
  }
} catch (const std::exception&) {  // a step that does not apply
}

}  // namespace kiln::oracle
