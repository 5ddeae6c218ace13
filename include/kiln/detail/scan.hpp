// What the scan kernels are made of: the same for all types of values.
#pragma once

#include <kiln/detail/argument.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kiln {

struct ScanOptions;

namespace detail {

/// Copies share the code. Thread-safe.
class KILN_EXPORT Scan {
 public:
  /// Exclusive with a neutral element, else inclusive.
  Scan(std::string_view scan_expr, const std::string* neutral, const ScanOptions& options, const std::string& type,
       std::size_t size);
  void launch(CUstream stream, const void* input, std::size_t input_count, void* output, std::size_t output_count,
              const Signature& signature) const;
  const std::string& source() const noexcept;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace detail

}  // namespace kiln
