// What a compile depends on, over the wire.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/headers/header_search_paths.hpp"
#include "compile/headers/refusal.hpp"
#include "compile/worker/wire.hpp"

namespace kiln {

template <>
inline constexpr Counter last_of<Counter> = static_cast<Counter>(static_cast<int>(Counter::end) - 1);
template <>
inline constexpr ObstacleDependency::Kind last_of<ObstacleDependency::Kind> = ObstacleDependency::Kind::unreadable;

template <class Archive, WireOf<Digest> T>
void wire(Archive& archive, T& digest) {
  auto& [bytes] = digest;
  for (auto& byte : bytes) archive(byte);
}

template <class Archive, WireOf<FileStatus> T>
void wire(Archive& archive, T& status) {
  auto& [inode, size, mtime_ns, ctime_ns, device, mode, owner] = status;
  archive(inode, size, mtime_ns, ctime_ns, device, mode, owner);
}

template <class Archive, WireOf<Roots> T>
void wire(Archive& archive, T& roots) {
  auto& [paths, complete] = roots;
  archive(paths, complete);
}

template <class Archive, WireOf<RootedPath> T>
void wire(Archive& archive, T& rooted) {
  auto& [root, path] = rooted;
  archive(root, path);
}

template <class Archive, WireOf<FileDependency> T>
void wire(Archive& archive, T& file) {
  auto& [path, status, digest, reliable_times] = file;
  archive(path, status, digest, reliable_times);
}

template <class Archive, WireOf<FolderDependency::Header> T>
void wire(Archive& archive, T& header) {
  auto& [name, digest] = header;
  archive(name, digest);
}

template <class Archive, WireOf<FolderDependency> T>
void wire(Archive& archive, T& folder) {
  auto& [path, status, headers, reliable_times] = folder;
  archive(path, status, headers, reliable_times);
}

template <class Archive, WireOf<ObstacleDependency> T>
void wire(Archive& archive, T& obstacle) {
  auto& [path, kind] = obstacle;
  archive(path, kind);
}

template <class Archive, WireOf<AbsolutePathDependency> T>
void wire(Archive& archive, T& dependency) {
  auto& [root, path] = dependency;
  archive(root, path);
}

template <class Archive, WireOf<Dependencies> T>
void wire(Archive& archive, T& dependencies) {
  auto& [files, folders, absent, obstacles, absolute_paths, other_devices, headers_known] = dependencies;
  archive(files, folders, absent, obstacles, absolute_paths, other_devices, headers_known);
}

template <class Archive, WireOf<Refusal> T>
void wire(Archive& archive, T& refusal) {
  auto& [counter, text] = refusal;
  archive(counter, text);
}

template <class Archive, WireOf<HeaderReport> T>
void wire(Archive& archive, T& report) {
  auto& [dependencies, refusal] = report;
  archive(dependencies, refusal);
}

}  // namespace kiln
