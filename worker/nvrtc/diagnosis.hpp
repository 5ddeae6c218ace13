// What a failed NVRTC compile lacked, as far as another attempt can have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct Diagnosis {
  /// A header that no include folder has, as the source spells it.
  std::optional<std::string> missing_header;
  /// A name that legacy_header declares, or one of std that legacy_std_header declares.
  bool legacy_names = false;
  bool legacy_std_names = false;
  /// A name of cuComplex.h, which the source does not include.
  bool cucomplex_names = false;
  /// The text is no C++, though NVRTC takes what it then sees for code of the host, too: nothing helps, unless it is
  /// only that a missing member of std made it so.
  bool is_syntax_error = false;
  /// Functions or variables without __device__, which -default-device takes.
  bool default_device = false;
  /// `texture` or `surface`, used as the class template that CUDA 12 removed.
  bool textures = false;
  bool surfaces = false;
  /// One of them in a function's parameters, where NVRTC takes no `__constant__`.
  bool reference_parameters = false;
  /// A header begins with a byte order mark, which NVRTC takes for text and a host compiler leaves out.
  bool byte_order_mark = false;
  /// Something of the C++ library that no stand-in has: nvcc's host compiler may.
  bool lacks_std = false;
  /// An #error, or a static_assert that failed: the program's own refusal, with nvcc, too.
  bool is_meant = false;
  /// What nvcc takes and NVRTC refuses, as in refused_extension(); empty if there is none.
  std::string extension = {};
};

/// From NVRTC's log (12.2 to 13.0 say the same words). Errors only: a warning that mentions the like is not meant.
Diagnosis diagnose(std::string_view nvrtc_log);

/// Only `textures`, `surfaces` and `cucomplex_names`, of nvcc's log.
Diagnosis diagnose_nvcc(std::string_view nvcc_log);

/// A header of the C, C++ or POSIX library, such as vector, iostream, unistd.h, sys/time.h: a host compiler has it.
bool is_standard_header(std::string_view name);

}  // namespace kiln
