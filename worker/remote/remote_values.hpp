// Signatures of values that remotes store.
#pragma once

#include "compile/jobs/worker_job.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Verifies (open) and signs (seal) values of remotes by the keys of one configuration. For one thread.
class RemoteValues {
 public:
  /// Throws Error for keys that cannot be read.
  explicit RemoteValues(const RemotePlace& place);
  ~RemoteValues();
  RemoteValues(const RemoteValues&) = delete;
  RemoteValues& operator=(const RemoteValues&) = delete;

  /// The content that was signed for that name; nothing where it was not, or not by a trusted key.
  std::optional<std::string> open(const RemoteAddress& address, const RemoteName& name, std::string_view value) const;
  /// Why open() rejected that value.
  std::string why_refused(const RemoteAddress& address, EntryKind kind, std::string_view value) const;
  /// Whether a value that begins so would be replaced by one that says the same: nobody's, or of somebody whom neither
  /// this process trusts nor is.
  bool is_outdated(const RemoteAddress& address, EntryKind kind, std::string_view front) const;
  bool can_seal(const RemoteAddress& address) const;
  std::string seal(const RemoteName& name, std::string_view content) const;

 private:
  struct Keys;
  std::unique_ptr<const Keys> keys_;
};

}  // namespace kiln
