// Makes an image of a parsed module: first places everything, then lowers the functions, which need the places.
#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/code_registry.hpp"
#include "emulator/lowering/function_lowering.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/lowering/image_contents.hpp"
#include "emulator/lowering/shared_layout.hpp"
#include "emulator/lowering/static_limits.hpp"
#include "emulator/lowering/target_rules.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/windows.hpp"
#include "emulator/ptx/module.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>

namespace kiln::emulator {

namespace {

// A variable of the module, or a static one of a function (the compiler gives those unique names).
const ptx::Variable* variable_named(const ptx::Module& module, std::string_view name) {
  if (const ptx::Variable* const found = module.variable(name)) return found;
  for (const ptx::Function& function : module.functions)
    for (const ptx::Variable& each : function.variables)
      if (each.name == name) return &each;
  return nullptr;
}

std::uint64_t address_of_symbol(const Image& image, const ImageSymbols& symbols, const ptx::Relocation& relocation) {
  if (const Code* const code = image.code(relocation.symbol)) return address_of(*code);
  const ptx::Variable* const variable = variable_named(image.module(), relocation.symbol);
  if (const auto place = symbols.addresses.find(variable); place != symbols.addresses.end()) return place->second;
  if (const auto offset = symbols.shared.offsets.find(variable); offset != symbols.shared.offsets.end())
    return offset->second + (relocation.generic ? shared_window : 0);
  throw CallError(CUDA_ERROR_INVALID_PTX,
                  "ptxas fatal   : Unresolved extern symbol '" + std::string(relocation.symbol) + "'");
}

// Initial values of variables.

/// Writes the initial value to memory: zeros where the text gives none, and addresses of the variables and functions
/// that it names. Throws CallError for an unresolved name.
void write_initial_data(const Image& image, const ImageSymbols& symbols, const ptx::Variable& variable,
                        std::byte* bytes) {
  std::memset(bytes, 0, variable.size);
  if (!variable.data.empty())
    std::memcpy(bytes, variable.data.data(), std::min<std::size_t>(variable.data.size(), variable.size));
  for (const ptx::Relocation& each : variable.relocations) {
    std::uint64_t address = address_of_symbol(image, symbols, each) + static_cast<std::uint64_t>(each.addend);
    const bool is_part = each.byte >= 0;
    if (is_part) address = address >> (8 * static_cast<unsigned>(each.byte)) & 0xFF;
    const std::uint64_t width = std::min<std::uint64_t>(each.width, sizeof(address));
    if (each.offset > variable.size || width > variable.size - each.offset) continue;
    std::memcpy(bytes + each.offset, &address, width);
  }
}

// One after the other, as in the driver's parameter buffers.
std::uint32_t lay_out_kernel_params(const std::deque<ptx::Variable>& variables, std::uint32_t offset,
                                    std::vector<ParamPlace>& places) {
  for (const ptx::Variable& each : variables) {
    ParamPlace place;
    place.alignment = alignment_of(each);
    place.offset = static_cast<std::uint32_t>(aligned(offset, place.alignment));
    place.size = static_cast<std::uint32_t>(each.size);
    offset = place.offset + place.size;
    places.push_back(place);
  }
  return offset;
}

std::uint32_t product(const std::uint32_t (&counts)[3]) {
  std::uint32_t all = 1;
  for (const std::uint32_t each : counts) all *= std::max(each, 1u);
  return all;
}

}  // namespace

class ImageLoader {
 public:
  ImageLoader(ptx::Module module, int device) : image_(new Image) {
    image_->contents_ = std::make_unique<Image::Contents>(std::move(module), device);
    contents_ = image_->contents_.get();
  }

  std::unique_ptr<Image> load(unsigned sm) {
    check_target(sm);
    check_directives();
    contents_->symbols.shared = lay_out_shared(contents_->module);
    check_static_limits(contents_->module, contents_->symbols.shared);
    make_codes();
    for_variables([this](const ptx::Variable& each, bool is_global) { place(each, is_global); });
    for_variables([this](const ptx::Variable& each, bool) { initialise(each); });
    FormCheck forms(contents_->module);
    for (Code& code : contents_->codes) lower_function(*image_, contents_->symbols, forms, code);
    for (Code& code : contents_->codes)
      if (code.source->is_entry) make_kernel(code);
    return std::move(image_);
  }

 private:
  void check_target(unsigned sm) const {
    const ptx::Module& module = contents_->module;
    // Code with the features of one architecture (sm_90a) runs on no other, that of a family (sm_100f) within it.
    const char suffix = module.target.empty() ? '\0' : module.target.back();
    const bool is_of_another =
        (suffix == 'a' && module.sm != sm) || (suffix == 'f' && module.sm / 10 != sm / 10 && module.sm < sm);
    // A driver hands such PTX to its compiler, which refuses it: that is no CUDA_ERROR_NO_BINARY_FOR_GPU.
    if (is_of_another)
      throw CallError(CUDA_ERROR_INVALID_PTX, "the PTX is for " + std::string(module.target) +
                                                  " alone, and the device is sm_" + std::to_string(sm));
    if (module.sm > sm)
      throw CallError(CUDA_ERROR_INVALID_PTX, "the PTX is for " + std::string(module.target) +
                                                  ", which is newer than the device's sm_" + std::to_string(sm));
  }

  void check_directives() const {
    for (const ptx::Function& function : contents_->module.functions) {
      if (function.directives.maxntid[0] != 0 && function.directives.reqntid[0] != 0)
        throw_line_error(contents_->module, function.line,
                         "Conflicting directives: .maxntid and .reqntid cannot both be specified");
      if (const std::string fault = target_fault(function.directives, contents_->module); !fault.empty())
        throw_line_error(contents_->module, function.line, fault);
    }
  }

  void make_codes() {
    for (const ptx::Function& function : contents_->module.functions) {
      if (!function.has_body) continue;
      Code& code = contents_->codes.emplace_back();
      code.source = &function;
      code.module = &contents_->module;
      code.device = contents_->device;
      register_code(code);
      code.param_bytes =
          lay_out_kernel_params(function.params, lay_out_kernel_params(function.returns, 0, code.returns), code.params);
      contents_->codes_by_name[function.name] = &code;
    }
    for (const auto& [alias, name] : contents_->module.aliases) {
      const auto code = contents_->codes_by_name.find(name);
      if (code == contents_->codes_by_name.end())
        throw CallError(CUDA_ERROR_INVALID_PTX, "the alias '" + std::string(alias) + "' is for '" + std::string(name) +
                                                    "', a function without a body");
      contents_->codes_by_name[alias] = code->second;
    }
  }

  // Calls f for the variables of the module and the static ones of functions.
  template <class F>
  void for_variables(F f) {
    for (const ptx::Variable& each : contents_->module.variables) f(each, true);
    for (const ptx::Function& function : contents_->module.functions)
      for (const ptx::Variable& each : function.variables) f(each, false);
  }

  static bool is_in_device_memory(const ptx::Variable& variable) {
    return variable.space == ptx::Space::global || variable.space == ptx::Space::constant ||
           variable.space == ptx::Space::tex;
  }

  void place(const ptx::Variable& variable, bool is_global) {
    if (!is_in_device_memory(variable) || variable.linkage == ptx::Linkage::external) return;
    Allocation::Kind kind = Allocation::Kind::variable;
    if (variable.space == ptx::Space::constant) kind = Allocation::Kind::constant;
    if (variable.managed) kind = Allocation::Kind::managed;
    const std::string name(variable.name);
    const std::uint64_t address = AddressSpace::get().allocate(variable.size, kind, contents_->device, name,
                                                               std::max<std::uint64_t>(alignment_of(variable), 256));
    if (address == 0)
      throw CallError(CUDA_ERROR_OUT_OF_MEMORY,
                      "no memory for the " + std::to_string(variable.size) + " bytes of the variable '" + name + "'");
    contents_->allocations.push_back(address);
    contents_->symbols.addresses[&variable] = address;
    if (is_global) contents_->variables[variable.name] = {address, variable.size, variable.managed};
  }

  void initialise(const ptx::Variable& variable) {
    const auto place = contents_->symbols.addresses.find(&variable);
    if (place == contents_->symbols.addresses.end()) return;
    write_initial_data(*image_, contents_->symbols, variable, reinterpret_cast<std::byte*>(place->second));
  }

  static const Code* largest_called_by(const Code& code) {
    const Code* largest = nullptr;
    std::set<const Code*> found = {&code};
    for (std::vector<const Code*> next = {&code}; !next.empty();) {
      const Code& caller = *next.back();
      next.pop_back();
      for (const Code* const callee : caller.callees) {
        if (!found.insert(callee).second) continue;
        next.push_back(callee);
        if (largest == nullptr || callee->local_bytes > largest->local_bytes) largest = callee;
      }
    }
    return largest;
  }

  void make_kernel(Code& code) {
    const ptx::Function& source = *code.source;
    Kernel& kernel = contents_->kernels.emplace_back();
    kernel.code = &code;
    code.kernel = &kernel;
    kernel.name = source.name;
    kernel.params = code.params;
    for (const ParamPlace& each : kernel.params) kernel.param_bytes = each.offset + each.size;
    const SharedLayout::KernelSize& shared = contents_->symbols.shared.kernels.at(&source);
    kernel.static_shared = static_cast<std::uint32_t>(shared.size);
    kernel.uses_dynamic_shared = shared.uses_dynamic;
    kernel.uses_reserved_shared = shared.uses_reserved;
    kernel.shared_alignment = static_cast<std::uint32_t>(shared.dynamic_alignment);
    for (const ptx::Variable* const each : shared.variables)
      kernel.shared_variables.push_back(
          {std::string(each->name), contents_->symbols.shared.offsets.at(each), each->size});
    for (const ptx::Variable& each : contents_->module.variables)
      if (each.space == ptx::Space::constant) kernel.constant_bytes += static_cast<std::uint32_t>(each.size);
    kernel.local_bytes = code.local_bytes;
    kernel.largest_called = largest_called_by(code);
    const ptx::Directives& limits = source.directives;
    if (limits.maxntid[0] != 0) kernel.max_threads = std::min(kernel.max_threads, product(limits.maxntid));
    if (limits.reqntid[0] != 0) kernel.max_threads = std::min(kernel.max_threads, product(limits.reqntid));
  }

  std::unique_ptr<Image> image_;
  Image::Contents* contents_;
};

std::unique_ptr<Image> Image::load(ptx::Module module, int device, unsigned sm) {
  return ImageLoader(std::move(module), device).load(sm);
}

}  // namespace kiln::emulator
