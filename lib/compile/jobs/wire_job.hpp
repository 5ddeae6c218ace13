// Jobs for workers, over the wire.
#pragma once

#include "compile/jobs/wire_remote.hpp"
#include "compile/jobs/wire_request.hpp"
#include "compile/jobs/worker_job.hpp"

namespace kiln {

template <>
inline constexpr JobKind last_of<JobKind> = JobKind::remote_push;
template <>
inline constexpr JobLibrary::Kind last_of<JobLibrary::Kind> = JobLibrary::Kind::nvjitlink;

template <class Archive, WireOf<JobLibrary> T>
void wire(Archive& archive, T& library) {
  auto& [kind, path, builtins, identity] = library;
  archive(kind, path, builtins, identity);
}

template <class Archive, WireOf<JobHead> T>
void wire(Archive& archive, T& head) {
  auto& [kind, library, environment, temporary_files, has_ranges] = head;
  archive(kind, library, environment, temporary_files, has_ranges);
}

template <class Archive, WireOf<PchPlace> T>
void wire(Archive& archive, T& place) {
  auto& [folder, size_limit, temporary_files, has_crashed] = place;
  archive(folder, size_limit, temporary_files, has_crashed);
}

template <class Archive, WireOf<MakeCodeJob> T>
void wire(Archive& archive, T& job) {
  auto& [request, keep, pch] = job;
  archive(request, keep, pch);
}

template <class Archive, WireOf<NvvmJob> T>
void wire(Archive& archive, T& job) {
  auto& [ir, request, libdevice] = job;
  archive(ir, request, libdevice);
}

template <class Archive, WireOf<PreprocessJob> T>
void wire(Archive& archive, T& job) {
  auto& [nvcc, inner] = job;
  archive(nvcc, inner);
}

template <class Archive, WireOf<NvccVersionJob> T>
void wire(Archive& archive, T& job) {
  auto& [nvcc] = job;
  archive(nvcc);
}

template <class Archive, WireOf<NvJitLinkVersionJob> T>
void wire(Archive&, T&) {}

template <class Archive, WireOf<UnpackHeadersJob> T>
void wire(Archive& archive, T& job) {
  auto& [folder] = job;
  archive(folder);
}

}  // namespace kiln
