// Full searches to be replayed: of each configuration of a space the time, or that it failed, and what it cost to know.
#pragma once

#include "tune/search_space.hpp"

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kiln::bench {

struct RecordedTime {
  std::optional<double> time;  // none: it failed
  double cost = 0;             // seconds of compiling, verifying and measuring; 0 where nobody did
};
using RecordedTimes = std::map<kiln::Configuration, RecordedTime>;

struct RecordedSearch {
  std::string name;
  std::vector<kiln::TuneParameter> parameters;
  std::shared_ptr<RecordedTimes> times = std::make_shared<RecordedTimes>();

  /// What was not recorded is not valid.
  kiln::SearchSpace space() const {
    return {parameters, {}, {}, {[times = times](const kiln::Configuration& one) { return times->count(one) != 0; }}};
  }

  double best() const {
    double best = 0;
    for (const auto& [configuration, recorded] : *times)
      if (const auto& time = recorded.time; time && (best == 0 || *time < best)) best = *time;
    return best;
  }

  /// How many are at most so much slower than the best, as a part.
  std::ptrdiff_t count_within(double part) const {
    const double limit = best() * (1 + part);
    return std::count_if(times->begin(), times->end(),
                         [&](const auto& one) { return one.second.time && *one.second.time <= limit; });
  }
};

/// None where there is no such field, or no number in it: a time that is a text says why the configuration failed.
inline std::optional<double> recorded_number(const boost::property_tree::ptree& entry, const char* field) {
  const auto text = entry.get<std::string>(field, "");
  double time = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return time;
}

inline RecordedTime recorded_time(const boost::property_tree::ptree& entry) {
  RecordedTime recorded{recorded_number(entry, "time")};
  for (const char* const field : {"compile_time", "verification_time", "benchmark_time"})
    recorded.cost += recorded_number(entry, field).value_or(0) / 1000;
  return recorded;
}

/// A closed cache file of Kernel Tuner, or of `kiln tune --kernel-tuner-cache`: {"tune_params_keys": [NAME...],
/// "tune_params": {NAME: [VALUE...]}, "cache": {KEY: {NAME: VALUE, "time": ...}}}. Values are texts here, which no
/// strategy minds.
inline RecordedSearch read_recorded_search(const std::string& path) {
  boost::property_tree::ptree root;
  boost::property_tree::read_json(path, root);
  RecordedSearch search;
  search.name = path.substr(path.rfind('/') + 1);
  for (const auto& key : root.get_child("tune_params_keys")) {
    kiln::TuneParameter& parameter = search.parameters.emplace_back();
    parameter.name = key.second.data();
    for (const auto& value : root.get_child("tune_params").find(parameter.name)->second)
      parameter.values.emplace_back(value.second.data());
  }
  for (const auto& [key, entry] : root.get_child("cache")) {
    kiln::Configuration configuration;
    for (const kiln::TuneParameter& parameter : search.parameters) {
      const std::string& text = entry.find(parameter.name)->second.data();
      const auto found = std::find(parameter.values.begin(), parameter.values.end(), kiln::TuneValue(text));
      if (found == parameter.values.end()) throw std::runtime_error(path + ": " + key + ": unknown value " + text);
      configuration.push_back(static_cast<std::uint32_t>(found - parameter.values.begin()));
    }
    (*search.times)[configuration] = recorded_time(entry);
  }
  return search;
}

}  // namespace kiln::bench
