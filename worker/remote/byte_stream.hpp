// A connection to a server as a stream of bytes, plain or through TLS.
#pragma once

#include "base/owned_descriptor.hpp"
#include "cache/remote/remote_address.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

namespace kiln {

/// Nothing here waits but what has a deadline. Not to be shared between threads. All throw RemoteFault.
class ByteStream {
 public:
  using Clock = std::chrono::steady_clock;

  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;

  /// How many bytes came; 0 where none is there yet. The end of the stream is a fault.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
  /// How many bytes were taken from the front.
  virtual std::size_t write(std::string_view bytes) = 0;
  /// Goes on sending what was taken; whether all of it is sent.
  virtual bool flush() = 0;
  /// Waits until there is something to read or, where that is asked for, room to write. False: the time is over.
  virtual bool wait(bool to_write, Clock::time_point until) = 0;
};

/// A connection without TLS. Descriptors are not inherited by programs, and no signal is raised.
class SocketStream final : public ByteStream {
 public:
  /// Connects to the address's host or socket, within its connect_timeout and the deadline.
  SocketStream(const RemoteAddress& address, Clock::time_point deadline);

  std::size_t read(char* bytes, std::size_t size) override;
  std::size_t write(std::string_view bytes) override;
  bool flush() override { return true; }
  bool wait(bool to_write, Clock::time_point until) override;

 private:
  RemoteAddress address_;
  OwnedDescriptor socket_;
};

}  // namespace kiln
