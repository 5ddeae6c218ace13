// What all copies of a PreparedFunction share.
#pragma once

#include "launch/argument_code.hpp"
#include "launch/kernel.hpp"

#include <kiln/dim3.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kiln {

/// Thread-safe: nothing changes but the notes of what fitted.
struct PreparedPlan {
  /// Throws ArgumentError where the codes do not fit the kernel. A null block is none.
  PreparedPlan(std::shared_ptr<Kernel> prepared_kernel, std::vector<ArgumentCode> argument_codes,
               const Dim3* prepared_block, const TextureReferences& prepared_texrefs = {});

  /// Makes the arguments fit: those that need it are converted into their places in `converted`, and `arguments` points
  /// there. Throws ArgumentError. Costs a compare where the last call that needed no conversion had this signature.
  void fit(void** arguments, std::uint64_t* converted, const detail::Signature& signature) const {
    if (exact_signature.load(std::memory_order_relaxed) != &signature) fit_each(arguments, converted, signature);
  }

  /// Of the views among the arguments, those that are passed by value, by their codes.
  void place_views(void** arguments, const detail::Signature& signature) const noexcept;

  /// What every launch reads, in one cache line, as Kernel.
  alignas(64) mutable std::atomic<const detail::Signature*> exact_signature{nullptr};
  std::shared_ptr<Kernel> kernel;
  bool has_block = false;
  bool has_texrefs = false;
  Dim3 block;
  std::vector<ArgumentCode> codes;
  std::vector<TextureReference> texrefs;

 private:
  void fit_each(void** arguments, std::uint64_t* converted, const detail::Signature& signature) const;
  void convert_one(std::size_t index, void** arguments, std::uint64_t* converted,
                   const detail::Signature& signature) const;
  /// Keeps a signature that needs conversions, the first one only, so that its calls convert without looking at fits.
  void keep_conversions(const detail::Signature& signature, std::uint64_t which) const;
  [[noreturn]] void throw_count(const detail::Signature& signature) const;

  mutable std::atomic<bool> conversions_taken_{false};
  mutable std::uint64_t conversions_ = 0;  // bit i is argument i; written before the signature, and never again
  mutable std::atomic<const detail::Signature*> converting_signature_{nullptr};
};

}  // namespace kiln
