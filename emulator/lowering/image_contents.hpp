// The contents of an image.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/lowering/shared_layout.hpp"

#include <deque>
#include <map>
#include <string_view>
#include <vector>

namespace kiln::emulator {

struct Image::Contents {
  Contents(ptx::Module text, int device_number) : module(std::move(text)), device(device_number) {}
  ~Contents();
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  ptx::Module module;
  int device;
  ImageSymbols symbols;
  std::deque<Kernel> kernels;
  std::deque<Code> codes;
  std::map<std::string_view, Code*> codes_by_name;  // including aliases
  std::map<std::string_view, ImageVariable> variables;
  std::vector<std::uint64_t> allocations;
};

}  // namespace kiln::emulator
