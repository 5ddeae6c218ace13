// CancelSource and CancelToken: a compile that somebody else may call off.
#pragma once

#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <utility>

namespace kiln {

class CancelState;

/// What a compile looks at. Copies look at the same source; one without a source is never cancelled. Every member may
/// be called from any thread. Counterpart: std::stop_token.
class KILN_EXPORT CancelToken {
 public:
  CancelToken() = default;
  bool is_cancelled() const noexcept;  ///< whether its source was cancelled

  /// For Kiln itself.
  CancelToken(detail::Passkey, std::shared_ptr<CancelState> state) noexcept : state_(std::move(state)) {}
  const std::shared_ptr<CancelState>& state() const noexcept { return state_; }  ///< for Kiln itself

 private:
  std::shared_ptr<CancelState> state_;
};

/// Calls compiles off: put token() into CompileOptions::cancel, then cancel() from any thread. Copies are one source.
/// A compile that is called off throws CompileStopped and stores nothing; the same request may be made again.
/// Counterpart: std::stop_source.
class KILN_EXPORT CancelSource {
 public:
  CancelSource();
  CancelToken token() const noexcept;  ///< a token of this source
  /// For good. Returns at once; who compiles notices it as soon as its compiler can be stopped.
  void cancel() const noexcept;
  bool is_cancelled() const noexcept { return token().is_cancelled(); }  ///< whether cancel() was called

 private:
  std::shared_ptr<CancelState> state_;
};

}  // namespace kiln
