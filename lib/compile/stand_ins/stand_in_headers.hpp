// Headers that NVRTC lacks, for sources written for nvcc. stand_ins/README.md says how they are made.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kiln {

/// Names as sources include them ("stdint.h", "cmath", "pycuda-complex.hpp") and texts. To be given all or none, as
/// they include each other; NVRTC prefers them to files of the same name. For nvcc only those that nvcc_has() denies.
const std::map<std::string, std::string>& stand_in_headers();

/// The same, read anew (embed_stand_ins.py).
std::map<std::string, std::string> stand_in_texts();

/// Whether nvcc finds a header of that name by itself; false for Kiln's own, such as pycuda-complex.hpp.
bool nvcc_has(std::string_view stand_in);

/// The stand-in for what nvcc includes before every source: to be named in --pre-include, beside stand_in_headers().
/// Gives uint, ushort, uint32_t, M_PI, INT_MAX, INFINITY, std::sqrt, pow(float, double) and the like.
inline constexpr const char* legacy_header = "kiln_legacy.h";

/// Whether that header may declare the name, so that a compile which lacked it is worth another try.
bool is_legacy_name(std::string_view name);

/// The same for names of std that nvcc's own headers bring, such as std::is_same and std::numeric_limits: apart, as few
/// sources need them and they take longer to read.
inline constexpr const char* legacy_std_header = "kiln_legacy_std.h";
bool is_legacy_std_name(std::string_view name);

/// Whether legacy_header defines a macro of that name.
bool is_legacy_macro(std::string_view name);

/// The text of kiln_host_macros.h and of this architecture's header, which NVRTC reads before every source, without the
/// macros of those names.
inline constexpr const char* host_macros_header = "kiln_host_macros.h";
std::string host_macros(const std::set<std::string>& left_out);

/// The macro that makes the stand-in for <stdint.h> declare int64_t as libcu++ does for NVRTC: long long, not long.
inline constexpr const char* long_long_int64 = "KILN_INT64_IS_LONG_LONG";

/// Likewise for sources that use cuComplex, cuCadd and the like, whose own header they do not include.
inline constexpr const char* cucomplex_header = "kiln_cucomplex.h";
bool is_cucomplex_name(std::string_view name);

/// Likewise for sources that declare texture references, and for those that declare surface references.
inline constexpr const char* texture_header = "kiln_texture.h";
inline constexpr const char* surface_header = "kiln_surface.h";
/// The macro that makes them leave out `__constant__`, for -default-device.
inline constexpr const char* unannotated_references = "KILN_UNANNOTATED_REFERENCES";
/// The macro for a source that says `__constant__` by itself: they name class templates then, and no macros.
inline constexpr const char* annotated_references = "KILN_ANNOTATED_REFERENCES";

/// In the keys of compiles that may use any of this; changes whenever a text does.
std::string_view stand_in_version();

}  // namespace kiln
