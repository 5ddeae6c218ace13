// Two events for the time of a launch, kept for the next one.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/event.hpp>

#include <optional>

namespace kiln {

/// Two events of a context that is current and stays so. Made once and kept for later pairs of the same context, as
/// many as were in use at the same time: making two costs as much as the launch between them. Kept ones are never
/// destroyed, so that none is after its context, or while the process ends. Objects may be used in several threads,
/// each in one.
class EventPair {
 public:
  explicit EventPair(CUcontext context);
  ~EventPair();
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  Event& start() noexcept { return events_->start; }
  Event& end() noexcept { return events_->end; }

  struct Events {
    Event start;
    Event end;
  };

 private:
  // Contexts' addresses are used again, these numbers never. Nothing is stored where the driver does not return it.
  std::optional<unsigned long long> context_id_;
  std::optional<Events> events_;
};

}  // namespace kiln
