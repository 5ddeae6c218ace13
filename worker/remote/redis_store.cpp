// Values and leases (claims) on a Redis or Valkey server. A value's name there is "PREFIX:NAME"; what begins with
// "PREFIX:~" is Kiln's own: claims and trials.
#include "worker/remote/redis_connection.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_store.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <unordered_set>

namespace kiln {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// By a claim's owner alone: an owner whose claim has expired would otherwise remove another's.
constexpr std::string_view renew_script =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "return redis.call('pexpire', KEYS[1], ARGV[2])";
// A user without a right to channels releases the claim all the same.
constexpr std::string_view release_script =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "local gone = redis.call('del', KEYS[1]) "
    "redis.pcall('publish', ARGV[2], 'released') "
    "return gone";

/// A server that sends nothing for so long is checked for being alive.
constexpr seconds longest_silence{2};

const std::string& claim_milliseconds() {
  static const std::string text = std::to_string(milliseconds(RemoteStore::claim_time).count());
  return text;
}

/// Whether what PTTL says is of a claim. Kiln gives each an expiry, of claim_time at most: any other value is invalid.
/// A user who can write to the server needs no key for it, and could stop every machine for as long.
bool is_of_claim(long long left) { return left >= 0 && milliseconds(left) <= RemoteStore::claim_time; }

std::string_view text_of(const redisReply& reply) {
  return reply.str != nullptr ? std::string_view(reply.str, reply.len) : std::string_view();
}

bool is_ok(const redisReply& reply) { return reply.type == REDIS_REPLY_STATUS && text_of(reply) == "OK"; }

/// What stands after "NAME:" in the lines of INFO; empty where that is not there.
std::string info_line(std::string_view info, const std::string& name) {
  const std::string beginning = "\n" + name + ":";
  const std::size_t found = info.find(beginning);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = info.substr(found + beginning.size());
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

/// As a pattern of SCAN that means the text itself.
std::string pattern_of(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("*?[]^\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

class RedisStore final : public RemoteStore {
 public:
  explicit RedisStore(const RemoteAddress& address) : address_(address) {}

  std::vector<std::optional<std::string>> get(const std::vector<std::string>& names,
                                              Clock::time_point deadline) override;
  void put(const std::vector<std::pair<std::string, std::string>>& values, Clock::time_point deadline) override;
  RemoteReport report(Clock::time_point deadline) override;
  std::optional<std::vector<std::string>> list(Clock::time_point deadline) override;
  std::vector<RemoteFront> fronts(const std::vector<std::string>& names, std::size_t bytes,
                                  Clock::time_point deadline) override;
  std::vector<std::optional<seconds>> idle_times(const std::vector<std::string>& names,
                                                 Clock::time_point deadline) override;

  bool has_claims() const noexcept override { return true; }
  Claimed claim(const std::string& name, const std::string& owner, Clock::time_point deadline) override;
  bool renew(const std::string& name, const std::string& owner, Clock::time_point deadline) override;
  void release(const std::string& name, const std::string& owner, Clock::time_point deadline) override;
  bool wait_for_claim(const std::string& name, Clock::time_point deadline) override;

 private:
  /// Calls with the connection, which is made where there is none; after a fault there is none.
  template <class Call>
  auto with_connection(Clock::time_point deadline, Call call);
  /// The replies, none of which is an error.
  std::vector<RedisReply> ask(const std::vector<RedisCommand>& commands, Clock::time_point deadline);
  /// The only reply, which must be of this type.
  RedisReply ask_for(int type, const RedisCommand& command, Clock::time_point deadline);
  [[noreturn]] void refuse_form() const {
    throw_remote_fault(address_, "the server's answer has another form than asked for");
  }

  std::string full_name(const std::string& name) const { return address_.key_prefix + ":" + name; }
  std::vector<std::string> full_names(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    all.reserve(names.size());
    for (const std::string& name : names) all.push_back(full_name(name));
    return all;
  }
  std::string claim_name(const std::string& name) const { return full_name("~claim:" + name); }
  /// Databases share channels.
  std::string channel_name(const std::string& name) const {
    return claim_name(name) + "@" + std::to_string(address_.database);
  }

  std::string server_name(Clock::time_point deadline);
  void try_to_write(Clock::time_point deadline);

  RemoteAddress address_;
  std::optional<RedisConnection> connection_;
};

template <class Call>
auto RedisStore::with_connection(Clock::time_point deadline, Call call) {
  try {
    if (connection_ && connection_->is_stale()) connection_.reset();
    if (!connection_) connection_.emplace(address_, deadline);
    return call(*connection_);
  } catch (...) {
    connection_.reset();
    throw;
  }
}

std::vector<RedisReply> RedisStore::ask(const std::vector<RedisCommand>& commands, Clock::time_point deadline) {
  return with_connection(deadline, [&](RedisConnection& connection) {
    std::vector<RedisReply> replies = connection.ask(commands, deadline);
    for (const RedisReply& reply : replies) check_redis_reply(address_, *reply);
    return replies;
  });
}

RedisReply RedisStore::ask_for(int type, const RedisCommand& command, Clock::time_point deadline) {
  RedisReply reply = std::move(ask({command}, deadline).front());
  if (reply->type != type) refuse_form();
  return reply;
}

std::vector<std::optional<std::string>> RedisStore::get(const std::vector<std::string>& names,
                                                        Clock::time_point deadline) {
  if (names.empty()) return {};
  const std::vector<std::string> all = full_names(names);
  RedisCommand command = {"MGET"};
  command.insert(command.end(), all.begin(), all.end());

  const RedisReply reply = ask_for(REDIS_REPLY_ARRAY, command, deadline);
  if (reply->elements != names.size()) refuse_form();
  std::vector<std::optional<std::string>> values;
  for (std::size_t i = 0; i < reply->elements; ++i) {
    const redisReply& element = *reply->element[i];
    if (element.type == REDIS_REPLY_STRING) {
      values.emplace_back(text_of(element));
    } else if (element.type == REDIS_REPLY_NIL) {
      values.emplace_back();
    } else {
      check_redis_reply(address_, element);
      refuse_form();
    }
  }
  return values;
}

void RedisStore::put(const std::vector<std::pair<std::string, std::string>>& values, Clock::time_point deadline) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const auto& [name, value] : values) names.push_back(full_name(name));
  const std::string lifetime = std::to_string(address_.ttl.count());
  std::vector<RedisCommand> commands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].second.size() > most_bytes) continue;
    commands.push_back({"SET", names[i], values[i].second});
    if (address_.ttl.count() > 0) commands.back().insert(commands.back().end(), {"EX", lifetime});
  }
  if (commands.empty()) return;
  for (const RedisReply& reply : ask(commands, deadline))
    if (!is_ok(*reply)) refuse_form();
}

RemoteStore::Claimed RedisStore::claim(const std::string& name, const std::string& owner, Clock::time_point deadline) {
  const std::string claimed = claim_name(name);
  const std::vector<RedisCommand> commands = {
      {"SET", claimed, owner, "NX", "PX", claim_milliseconds()}, {"GET", claimed}, {"PTTL", claimed}};
  const auto replies =
      with_connection(deadline, [&](RedisConnection& connection) { return connection.ask(commands, deadline); });
  if (is_refused_write(*replies[0])) return Claimed::refused;
  for (const RedisReply& reply : replies) check_redis_reply(address_, *reply);
  const bool is_new = is_ok(*replies[0]);
  const bool is_own = replies[1]->type == REDIS_REPLY_STRING && text_of(*replies[1]) == owner;
  if ((!is_new && replies[0]->type != REDIS_REPLY_NIL) || (is_new && !is_own)) refuse_form();
  if (replies[2]->type != REDIS_REPLY_INTEGER) refuse_form();
  constexpr long long is_gone = -2;
  if (is_own) return Claimed::own;
  if (replies[2]->integer == is_gone || is_of_claim(replies[2]->integer)) return Claimed::of_other;
  if (!is_ok(*ask_for(REDIS_REPLY_STATUS, {"SET", claimed, owner, "PX", claim_milliseconds()}, deadline)))
    refuse_form();
  return Claimed::own;
}

bool RedisStore::renew(const std::string& name, const std::string& owner, Clock::time_point deadline) {
  const std::string claimed = claim_name(name);
  return ask_for(REDIS_REPLY_INTEGER, {"EVAL", renew_script, "1", claimed, owner, claim_milliseconds()}, deadline)
             ->integer == 1;
}

void RedisStore::release(const std::string& name, const std::string& owner, Clock::time_point deadline) {
  const std::string claimed = claim_name(name);
  ask_for(REDIS_REPLY_INTEGER, {"EVAL", release_script, "1", claimed, owner, channel_name(name)}, deadline);
}

bool RedisStore::wait_for_claim(const std::string& name, Clock::time_point deadline) {
  const std::string claimed = claim_name(name);
  const std::string channel = channel_name(name);
  return with_connection(deadline, [&](RedisConnection& connection) {
    // Once, and again when the claim should have expired, or when the server may have died.
    for (auto now = Clock::now(); now < deadline; now = Clock::now()) {
      const RedisReply left =
          connection.subscribe(channel, {"PTTL", claimed}, std::min(deadline, now + address_.request_timeout));
      if (left->type != REDIS_REPLY_INTEGER) refuse_form();
      if (!is_of_claim(left->integer)) return true;
      const milliseconds time = std::min<milliseconds>(longest_silence, milliseconds(left->integer + 1));
      if (connection.wait_for_message(std::min(Clock::now() + time, deadline))) return true;
    }
    return false;
  });
}

std::optional<std::vector<std::string>> RedisStore::list(Clock::time_point deadline) {
  const std::string beginning = full_name("");
  const std::string pattern = pattern_of(beginning) + "[^~]*";
  std::unordered_set<std::string> names;  // a name may come twice
  std::string cursor = "0";
  do {
    const RedisReply reply = ask_for(REDIS_REPLY_ARRAY, {"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"}, deadline);
    if (reply->elements != 2 || reply->element[0]->type != REDIS_REPLY_STRING ||
        reply->element[1]->type != REDIS_REPLY_ARRAY)
      refuse_form();
    cursor = text_of(*reply->element[0]);
    for (std::size_t i = 0; i < reply->element[1]->elements; ++i) {
      const std::string_view name = text_of(*reply->element[1]->element[i]);
      if (name.substr(0, beginning.size()) != beginning) refuse_form();
      names.emplace(name.substr(beginning.size()));
    }
  } while (cursor != "0");
  return std::vector<std::string>(names.begin(), names.end());
}

std::vector<RemoteFront> RedisStore::fronts(const std::vector<std::string>& names, std::size_t bytes,
                                            Clock::time_point deadline) {
  if (names.empty()) return {};
  const std::vector<std::string> all = full_names(names);
  const std::string last = std::to_string(bytes - 1);
  std::vector<RedisCommand> commands;
  for (const std::string& name : all) {
    commands.push_back({"STRLEN", name});
    if (bytes > 0) commands.push_back({"GETRANGE", name, "0", last});
  }
  const std::vector<RedisReply> replies = ask(commands, deadline);
  std::vector<RemoteFront> fronts;
  for (auto reply = replies.begin(); reply != replies.end(); ++reply) {
    if ((*reply)->type != REDIS_REPLY_INTEGER || (*reply)->integer < 0) refuse_form();
    RemoteFront& front = fronts.emplace_back();
    front.size = static_cast<std::uint64_t>((*reply)->integer);
    if (bytes > 0) front.bytes = text_of(**++reply);
  }
  return fronts;
}

std::vector<std::optional<seconds>> RedisStore::idle_times(const std::vector<std::string>& names,
                                                           Clock::time_point deadline) {
  if (names.empty()) return {};
  const std::vector<std::string> all = full_names(names);
  std::vector<RedisCommand> commands;
  commands.reserve(all.size());
  for (const std::string& name : all) commands.push_back({"OBJECT", "IDLETIME", name});
  std::vector<std::optional<seconds>> times;
  for (const RedisReply& reply : ask(commands, deadline))
    times.push_back(reply->type == REDIS_REPLY_INTEGER ? std::optional(seconds(reply->integer)) : std::nullopt);
  return times;
}

RemoteReport RedisStore::report(Clock::time_point deadline) {
  RemoteReport report;
  report.server = server_name(deadline);
  std::array<microseconds, 5> latencies{};
  for (microseconds& latency : latencies) {
    const auto start = Clock::now();
    ask_for(REDIS_REPLY_STATUS, {"PING"}, deadline);
    latency = duration_cast<microseconds>(Clock::now() - start);
  }
  std::nth_element(latencies.begin(), latencies.begin() + 2, latencies.end());
  report.latency = latencies[2];

  const RedisReply time = ask_for(REDIS_REPLY_ARRAY, {"TIME"}, deadline);
  const auto here = duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch());
  if (time->elements == 0) refuse_form();
  const std::string_view there = text_of(*time->element[0]);
  std::int64_t count = 0;
  if (std::from_chars(there.data(), there.data() + there.size(), count).ec != std::errc()) refuse_form();
  report.ahead_by = seconds(count) - here;

  if (!address_.read_only) report.write_fault = fault_in([&] { try_to_write(deadline); });
  try {
    report.values = list(deadline)->size();
  } catch (const RemoteFault&) {  // too many for the time, or not allowed
  }
  return report;
}

std::string RedisStore::server_name(Clock::time_point deadline) {
  const auto replies = with_connection(deadline, [&](RedisConnection& connection) {
    return connection.ask({{"INFO", "server"}}, deadline);
  });
  // A user may lack the right to ask for it, and no other.
  const redisReply& reply = *replies.front();
  if (reply.type == REDIS_REPLY_ERROR && text_of(reply).substr(0, 6) != "NOPERM") check_redis_reply(address_, reply);
  const std::string valkey = info_line(text_of(reply), "valkey_version");
  if (!valkey.empty()) return "Valkey " + server_words(address_, valkey);
  const std::string redis = info_line(text_of(reply), "redis_version");
  return redis.empty() ? "Redis" : "Redis " + server_words(address_, redis);
}

void RedisStore::try_to_write(Clock::time_point deadline) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof(number), 0) != static_cast<ssize_t>(sizeof(number)))
    throw_remote_fault(address_, "there is no random number for the name of a trial");
  const std::string trial = full_name("~trial:" + std::to_string(number));
  const auto replies = with_connection(deadline, [&](RedisConnection& connection) {
    return connection.ask({{"SET", trial, "trial", "EX", "10"}, {"GET", trial}, {"DEL", trial}}, deadline);
  });
  check_redis_reply(address_, *replies[0]);
  check_redis_reply(address_, *replies[1]);
  if (text_of(*replies[1]) != "trial") throw_remote_fault(address_, forgets_trial);
}

}  // namespace

std::unique_ptr<RemoteStore> open_redis(const RemoteAddress& address) { return std::make_unique<RedisStore>(address); }

}  // namespace kiln
