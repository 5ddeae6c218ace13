// One connection to a Redis or Valkey server: commands out, replies in, as hiredis spells and reads them.
#pragma once

#include "worker/remote/byte_stream.hpp"

#include <hiredis/hiredis.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct FreeRedisReply {
  void operator()(redisReply* reply) const noexcept { ::freeReplyObject(reply); }
};
struct FreeRedisReader {
  void operator()(redisReader* reader) const noexcept { ::redisReaderFree(reader); }
};
using RedisReply = std::unique_ptr<redisReply, FreeRedisReply>;
using RedisCommand = std::vector<std::string_view>;

/// hiredis waits for each read anew and takes whatever is sent; here a deadline ends all of it, and what is kept of an
/// answer has a limit. Not to be shared between threads. All throw RemoteFault, and the connection is of no use then.
class RedisConnection {
 public:
  using Clock = ByteStream::Clock;

  /// Connects. The log-in and the choice of the database go out with the first command.
  RedisConnection(const RemoteAddress& address, Clock::time_point deadline);

  /// Whether the server closed it, or said something that nobody asked for, since the last reply. To be asked once
  /// before each use.
  bool is_stale();
  /// Sends the commands at once and takes a reply for each. An error among the replies is a reply.
  std::vector<RedisReply> ask(const std::vector<RedisCommand>& commands, Clock::time_point deadline);

  /// Has the server send the messages of a channel, from the end of this transaction on; its reply to `command`, which
  /// is asked in the same transaction. The next ask() ends it.
  RedisReply subscribe(std::string_view channel, const RedisCommand& command, Clock::time_point deadline);
  /// Whether a message came before that time.
  bool wait_for_message(Clock::time_point until);

 private:
  void queue(const RedisCommand& command);
  void log_in();
  std::vector<RedisReply> exchange(const std::vector<RedisCommand>& commands, Clock::time_point deadline);
  bool send_some();
  RedisReply next(Clock::time_point deadline);
  std::optional<RedisReply> next_until(Clock::time_point until);
  RedisReply parsed();
  void check_unfinished() const;

  RemoteAddress address_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<redisReader, FreeRedisReader> reader_;
  std::size_t elements_left_ = 0;  // of arrays in the current reply
  std::size_t bytes_ = 0;          // of the current answer, so far
  std::string unsent_;
  std::size_t sent_ = 0;       // of these bytes
  std::size_t greetings_ = 0;  // replies to the log-in that are to come
  bool is_subscribed_ = false;
};

/// Throws RemoteFault for a reply that is an error: what it means and the server's words.
void check_redis_reply(const RemoteAddress& address, const redisReply& reply);
/// Whether it is an error that says nothing of reads: no memory, no right, a replica.
bool is_refused_write(const redisReply& reply);

}  // namespace kiln
