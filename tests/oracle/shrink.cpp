#include "shrink.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kiln::oracle {

namespace {

class Shrinker {
 public:
  Shrinker(Scenario scenario, std::chrono::seconds time)
      : scenario_(std::move(scenario)), end_(std::chrono::steady_clock::now() + time) {}

  Scenario run() {
    for (std::size_t before = 0; before != size() && !is_over();) {
      before = size();
      thin(scenario_.steps);
      thin(scenario_.source);
      for (std::size_t i = 0; i < scenario_.steps.size(); ++i) thin(scenario_.steps[i].text);
      thin(scenario_.setup.options);
      settle();
    }
    return std::move(scenario_);
  }

 private:
  bool is_over() const { return std::chrono::steady_clock::now() > end_; }

  std::size_t size() const {
    std::size_t size = scenario_.steps.size() + scenario_.source.size();
    for (const Step& step : scenario_.steps) size += step.text.size();
    return size;
  }

  bool differs() const {
    Tally ignored;
    return replay(scenario_, ignored).has_value();
  }

  /// Halves, quarters and so on of a list of the scenario's, from its end, as what is made is used later.
  template <class Item>
  void thin(std::vector<Item>& list) {
    for (std::size_t part = std::max<std::size_t>(list.size() / 2, 1); part > 0; part /= 2) {
      for (std::size_t end = list.size(); end > 0 && !is_over();) {
        const std::size_t begin = end - std::min(part, end);
        std::vector<Item> all = list;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(begin), list.begin() + static_cast<std::ptrdiff_t>(end));
        if (!differs()) list = std::move(all);
        end = std::min(begin, list.size());
      }
    }
  }

  template <class Value>
  void set(Value Setup::*member, Value value) {
    const Value before = std::exchange(scenario_.setup.*member, value);
    if (before != value && !differs()) scenario_.setup.*member = before;
  }
  void settle() {
    set(&Setup::way, Setup::Way::here);
    set(&Setup::target, Target::ptx);
    set(&Setup::folders, Setup::Folders::members);
    set(&Setup::name, Setup::Name::none);
    set(&Setup::lines, std::string());
    for (auto member : {&Setup::strict, &Setup::extern_c, &Setup::for_emulator, &Setup::works_elsewhere})
      set(member, false);
  }

  Scenario scenario_;
  const std::chrono::steady_clock::time_point end_;
};

}  // namespace

Scenario shrink(const Scenario& scenario, const Difference& found, std::chrono::seconds time) {
  Scenario shorter = scenario;
  shorter.steps.resize(found.step + 1);
  return Shrinker(std::move(shorter), time).run();
}

}  // namespace kiln::oracle
