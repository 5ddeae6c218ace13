// Requests over the wire.
#pragma once

#include "compile/jobs/wire_dependencies.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/request/request.hpp"

namespace kiln {

template <>
inline constexpr Target last_of<Target> = Target::optixir;
template <>
inline constexpr Backend last_of<Backend> = Backend::driver;

template <class Archive, WireOf<CompilerJob> T>
void wire(Archive& archive, T& job) {
  auto& [source, prologue, epilogue, name, line_file, late_defines, arguments, users_arguments, arch, code, target,
         headers, header_folder, name_expressions, keep, keep_ptx, timing, verbatim, preprocess_only, stop] = job;
  archive(source, prologue, epilogue, name, line_file, late_defines, arguments, users_arguments, arch, code, target,
          headers, header_folder, name_expressions, keep, keep_ptx, timing, verbatim, preprocess_only);
  (void)stop;  // stays in the host
}

template <class Archive, WireOf<Arch> T>
void wire(Archive& archive, T& arch) {
  auto& [number, suffix, real] = arch;
  archive(number, suffix, real);
}

template <class Archive, WireOf<ChosenCompiler> T>
void wire(Archive& archive, T& compiler) {
  auto& [backend, identity, nvcc, is_here] = compiler;
  archive(backend, identity, nvcc, is_here);
}

template <class Archive, WireOf<CompileContext> T>
void wire(Archive& archive, T& context) {
  auto& [device_arch, loads_cubin, plain, waiting] = context;
  archive(device_arch, loads_cubin, plain, waiting);
}

template <class Archive, WireOf<HeaderSearchPaths> T>
void wire(Archive& archive, T& search) {
  auto& [dirs, toolkit, system, roots, own_roots, working_folder_roots, source_root, uses_own_path, working_folder,
         source_name, compiler_folder, source_dir, quotes_reach_source, memory, stand_ins, forced] = search;
  archive(dirs, toolkit, system, roots, own_roots, working_folder_roots, source_root, uses_own_path, working_folder,
          source_name, compiler_folder, source_dir, quotes_reach_source, memory, stand_ins, forced);
}

template <class Archive, WireOf<Request> T>
void wire(Archive& archive, T& request) {
  auto& [compiler, job, explicit_arch, context, search, may_include, may_need_nvcc, strict_headers, listed_archs,
         relocates_paths, embeds_paths, path_independent, option_files, refusal, key] = request;
  archive(compiler, job, explicit_arch, context, search, may_include, may_need_nvcc, strict_headers, listed_archs,
          relocates_paths, embeds_paths, path_independent, option_files, refusal);
  (void)key;  // for look-ups
}

/// Its IR goes apart: a view.
template <class Archive, WireOf<IrRequest> T>
void wire(Archive& archive, T& request) {
  auto& [ir, name, stop, inner, libdevice, wants_cubin] = request;
  archive(name, inner, libdevice, wants_cubin);
  (void)ir, (void)stop;
}

}  // namespace kiln
