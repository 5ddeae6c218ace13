// What texture and surface references have in common: a variable, and what it is bound to on each device.
#pragma once

#include "module/reference_variable.hpp"

#include <kiln/array.hpp>
#include <kiln/error.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// A texture or surface object of the driver, and what keeps it and its array alive; none where the handle is 0.
struct BoundObject {
  std::uint64_t handle = 0;
  std::shared_ptr<const void> owner;
};

/// One reference of a module. Reading is safe from several threads.
class Reference {
 public:
  Reference(std::string name, std::string symbol, const ReferenceVariable& declared)
      : name_(std::move(name)), symbol_(std::move(symbol)), declared_(declared) {}
  virtual ~Reference() = default;
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  const std::string& name() const noexcept { return name_; }
  const std::string& symbol() const noexcept { return symbol_; }
  const ReferenceVariable& declared() const noexcept { return declared_; }
  /// Another one after each change.
  std::uint64_t version() const noexcept { return version_; }

  virtual bool is_bound(int device) const = 0;
  /// An object for the present binding on the current device, which is that one; none where there is no binding.
  virtual BoundObject make(int device) const = 0;

  /// Throws ArgumentError: "texture reference \"tex\", declared texture<...>: expected ..., given ...<advice>".
  [[noreturn]] void refuse(const std::string& expected, const std::string& given, const std::string& advice = {}) const;
  /// Throws unless the array has the declared dimensions.
  void check_type(const ArrayDescriptor& descriptor) const;

 protected:
  void note_change() noexcept { ++version_; }

 private:
  const std::string name_;
  const std::string symbol_;
  const ReferenceVariable declared_;
  std::uint64_t version_ = 1;
};

/// One value for each device that has one.
template <class Value>
class PerDevice {
 public:
  const Value* find(int device) const {
    for (const auto& entry : entries_)
      if (entry.first == device) return &entry.second;
    return nullptr;
  }
  void set(int device, Value value) {
    for (auto& entry : entries_)
      if (entry.first == device) return void(entry.second = std::move(value));
    entries_.emplace_back(device, std::move(value));
  }

 private:
  std::vector<std::pair<int, Value>> entries_;
};

/// The references of one module that were requested. They are added and never removed.
struct ReferenceTable {
  /// Held by every launch of the module's kernels, from the first write of a binding to the launch's last mark.
  std::mutex mutex;
  std::vector<std::shared_ptr<Reference>> references;

  /// Null where there is none of that symbol yet.
  std::shared_ptr<Reference> find(std::string_view symbol) const {
    for (const auto& reference : references)
      if (reference->symbol() == symbol) return reference;
    return nullptr;
  }
};

}  // namespace kiln
