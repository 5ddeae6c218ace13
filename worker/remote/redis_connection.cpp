#include "worker/remote/redis_connection.hpp"

#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_store.hpp"
#include "worker/remote/tls_stream.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <new>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20U;

decltype(redisReplyObjectFunctions::createArray) create_any_array = nullptr;

/// hiredis makes room for as many elements as a server says: not before they are counted. (Their number is an int in
/// its version 0.14, and a size_t in 1.)
template <class Count>
void* create_limited_array(const redisReadTask* task, Count count) {
  std::size_t& left = *static_cast<std::size_t*>(task->privdata);
  if (static_cast<std::size_t>(count) > left) return nullptr;  // hiredis takes it for a lack of memory
  left -= static_cast<std::size_t>(count);
  return create_any_array(task, count);
}

redisReplyObjectFunctions* limited_functions() {
  static redisReplyObjectFunctions functions = [] {
    const std::unique_ptr<redisReader, FreeRedisReader> ordinary(::redisReaderCreate());
    if (!ordinary) throw std::bad_alloc();
    redisReplyObjectFunctions changed = *ordinary->fn;
    create_any_array = changed.createArray;
    changed.createArray = &create_limited_array;
    return changed;
  }();
  return &functions;
}

bool is_array_that_begins(const redisReply& reply, std::string_view word) {
  return reply.type == REDIS_REPLY_ARRAY && reply.elements == 3 && reply.element[0]->type == REDIS_REPLY_STRING &&
         std::string_view(reply.element[0]->str, reply.element[0]->len) == word;
}

struct KnownError {
  std::string_view beginning;
  const char* meaning;
};
constexpr KnownError known_errors[] = {
    {"WRONGPASS", "it does not know this user with this password"},
    {"ERR invalid password", "it does not know this password"},
    {"NOPERM", "this user lacks a right there"},
    {"READONLY", "it is a replica that takes no values: name the primary, or add read-only"},
    {"MISCONF", "it cannot save its data, and takes no values until it can"},
    {"NOREPLICAS", "it takes no values while it has too few replicas"},
    {"OOM", "its memory is full: give it a maxmemory-policy such as allkeys-lru, or more memory"},
    {"ERR An LFU", "by its maxmemory-policy it does not keep when a value was used, so that none can be chosen by age"},
    {"LOADING", "it is still loading its data"},
    {"MASTERDOWN", "it is a replica without its primary"},
    {"MOVED", "it is part of a Redis Cluster, which Kiln does not support: name a single server, or a proxy"},
    {"ASK", "it is part of a Redis Cluster, which Kiln does not support: name a single server, or a proxy"},
    {"CROSSSLOT", "it is part of a Redis Cluster, which Kiln does not support: name a single server, or a proxy"},
    {"CLUSTERDOWN", "it is part of a Redis Cluster, which Kiln does not support: name a single server, or a proxy"},
};

/// How a login is written in such an address.
std::string how_to_log_in(const RemoteAddress& address) {
  const std::string shown = address.shown();
  const std::string scheme = shown.substr(0, shown.find("://") + 3);
  const char* const place = address.scheme == RemoteAddress::Scheme::redis_unix ? "@localhost/PATH" : "@HOST";
  return "it wants a password: " + scheme + "USER:PASSWORD" + place + ", or " + scheme + "PASSWORD" + place;
}

}  // namespace

bool is_refused_write(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ERROR) return false;
  const std::string_view words(reply.str, reply.len);
  const std::string_view code = words.substr(0, words.find(' '));
  constexpr std::string_view codes[] = {"OOM", "NOPERM", "READONLY", "MISCONF", "NOREPLICAS"};
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

void check_redis_reply(const RemoteAddress& address, const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ERROR) return;
  const std::string_view words(reply.str, reply.len);
  std::string meaning = words.substr(0, 6) == "NOAUTH" ? how_to_log_in(address) : "it refuses";
  for (const KnownError& error : known_errors)
    if (words.substr(0, error.beginning.size()) == error.beginning) meaning = error.meaning;
  throw_remote_fault(address, meaning + (" (the server: " + server_words(address, words) + ")"));
}

RedisConnection::RedisConnection(const RemoteAddress& address, Clock::time_point deadline) : address_(address) {
  if (address.has_tls()) {
    stream_ = std::make_unique<TlsStream>(address, deadline);
  } else {
    stream_ = std::make_unique<SocketStream>(address, deadline);
  }
  reader_.reset(::redisReaderCreateWithFunctions(limited_functions()));
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = &elements_left_;
  log_in();
}

void RedisConnection::log_in() {
  const auto greet = [this](const RedisCommand& command) {
    queue(command);
    ++greetings_;
  };
  if (!address_.user.empty()) {
    greet({"AUTH", address_.user, address_.password});
  } else if (!address_.password.empty()) {
    greet({"AUTH", address_.password});
  }
  if (address_.database != 0) greet({"SELECT", std::to_string(address_.database)});
}

void RedisConnection::queue(const RedisCommand& command) {
  std::vector<const char*> words;
  std::vector<std::size_t> sizes;
  for (const std::string_view word : command) {
    words.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* text = nullptr;
  const auto size = ::redisFormatCommandArgv(&text, static_cast<int>(words.size()), words.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  const std::unique_ptr<char, decltype(&::redisFreeCommand)> owner(text, &::redisFreeCommand);
  unsent_.append(text, static_cast<std::size_t>(size));
}

bool RedisConnection::is_stale() {
  try {
    char byte;
    if (stream_->read(&byte, 1) == 0) return false;
    // A message of the channel is no reason to leave.
    return !is_subscribed_ || ::redisReaderFeed(reader_.get(), &byte, 1) != REDIS_OK;
  } catch (const RemoteFault&) {
    return true;
  }
}

std::vector<RedisReply> RedisConnection::ask(const std::vector<RedisCommand>& commands, Clock::time_point deadline) {
  std::vector<RedisReply> replies = exchange(commands, deadline);
  if (reader_->pos < reader_->len) throw_remote_fault(address_, "the server answered more than it was asked");
  return replies;
}

std::vector<RedisReply> RedisConnection::exchange(const std::vector<RedisCommand>& commands,
                                                  Clock::time_point deadline) {
  const bool was_subscribed = std::exchange(is_subscribed_, false);
  if (was_subscribed) queue({"UNSUBSCRIBE"});
  for (const RedisCommand& command : commands) queue(command);
  bytes_ = 0;
  for (; greetings_ > 0; --greetings_) check_redis_reply(address_, *next(deadline));
  // Messages of the channel may come first.
  while (was_subscribed && !is_array_that_begins(*next(deadline), "unsubscribe")) {
  }
  std::vector<RedisReply> replies;
  while (replies.size() < commands.size()) replies.push_back(next(deadline));
  return replies;
}

RedisReply RedisConnection::subscribe(std::string_view channel, const RedisCommand& command,
                                      Clock::time_point deadline) {
  // A connection with a channel takes no other commands, but a transaction may end with the beginning of one. So
  // nothing can come between the reply and the first message.
  const std::vector<RedisReply> replies = exchange({{"MULTI"}, command, {"SUBSCRIBE", channel}, {"EXEC"}}, deadline);
  for (const RedisReply& reply : replies) check_redis_reply(address_, *reply);
  redisReply& results = *replies.back();
  if (results.type != REDIS_REPLY_ARRAY || results.elements != 2 ||
      !is_array_that_begins(*results.element[1], "subscribe"))
    throw_remote_fault(address_, "the server's answer has another form than asked for");
  check_redis_reply(address_, *results.element[0]);
  is_subscribed_ = true;
  return RedisReply(std::exchange(results.element[0], nullptr));
}

bool RedisConnection::wait_for_message(Clock::time_point until) {
  bytes_ = 0;
  while (const std::optional<RedisReply> reply = next_until(until))
    if (is_array_that_begins(**reply, "message")) return true;
  return false;
}

RedisReply RedisConnection::next(Clock::time_point deadline) {
  std::optional<RedisReply> reply = next_until(deadline);
  if (!reply) throw_remote_fault(address_, "the server gave no answer in time");
  return *std::move(reply);
}

/// Reads before it writes: a server that refuses may say why, and close the connection before it has read all.
std::optional<RedisReply> RedisConnection::next_until(Clock::time_point until) {
  std::array<char, std::size_t{32} << 10U> buffer;
  for (;;) {
    if (RedisReply reply = parsed()) return reply;
    if (Clock::now() >= until) return std::nullopt;
    if (const std::size_t count = stream_->read(buffer.data(), buffer.size()); count > 0) {
      bytes_ += count;
      if (bytes_ > RemoteStore::most_bytes_at_once) throw_remote_fault(address_, "the server's answer is too large");
      if (::redisReaderFeed(reader_.get(), buffer.data(), count) != REDIS_OK) throw std::bad_alloc();
    } else if (!send_some()) {
      if (!stream_->wait(!stream_->flush() || !unsent_.empty(), until)) return std::nullopt;
    }
  }
}

bool RedisConnection::send_some() {
  if (unsent_.empty()) return false;
  const std::size_t count = stream_->write(std::string_view(unsent_).substr(sent_));
  sent_ += count;
  if (sent_ == unsent_.size()) {
    unsent_.clear();
    sent_ = 0;
  }
  return count > 0;
}

RedisReply RedisConnection::parsed() {
  // Whatever is left of a reply that is not complete yet counts on.
  if (reader_->ridx < 0) elements_left_ = most_elements;
  void* reply = nullptr;
  if (::redisReaderGetReply(reader_.get(), &reply) != REDIS_OK) {
    const bool is_large = reader_->err == REDIS_ERR_OOM;
    throw_remote_fault(address_,
                       is_large ? "the server's answer is too large" : "the server does not speak Redis's protocol");
  }
  if (reply == nullptr) check_unfinished();
  return RedisReply(static_cast<redisReply*>(reply));
}

/// hiredis waits for all bytes of a string that a server announces, however many.
void RedisConnection::check_unfinished() const {
  const std::string_view rest(reader_->buf + reader_->pos, reader_->len - reader_->pos);
  constexpr std::size_t longest_line = std::size_t{64} << 10U;
  const std::size_t line = rest.substr(0, longest_line).find("\r\n");
  if (line == std::string_view::npos) {
    if (rest.size() > longest_line) throw_remote_fault(address_, "the server does not speak Redis's protocol");
    return;
  }
  // Of other types a line is a whole, so this one has the length of a string.
  std::uint64_t announced = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + line, announced);
  if (error != std::errc() || end != rest.data() + line || announced > RemoteStore::most_bytes)
    throw_remote_fault(address_, "the server's answer is too large");
}

}  // namespace kiln
