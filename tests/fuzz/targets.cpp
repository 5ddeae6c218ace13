#include "targets.hpp"

#define KILN_TARGETS(target)                                                                                     \
  target(bundle) target(capture) target(code) target(constants) target(entry) target(history) target(key_file)   \
      target(leading_lines) target(link_input) target(manifest) target(npy) target(nvvm_ir) target(pch_record)   \
          target(ptx) target(recorded_request) target(remote_address) target(remote_manifest) target(saved_code) \
              target(signed_value) target(statistics) target(template) target(tree_list) target(tune_log)        \
                  target(wisdom) target(worker_message)

#define KILN_DECLARED(name)                              \
  namespace fuzz_##name {                                \
    int run(const std::uint8_t* data, std::size_t size); \
  }
KILN_TARGETS(KILN_DECLARED)

namespace kiln::fuzz {

TargetFunction target_named(std::string_view name) {
#define KILN_CHOSEN(each) \
  if (name == #each) return fuzz_##each::run;
  KILN_TARGETS(KILN_CHOSEN)
  return nullptr;
}

}  // namespace kiln::fuzz
