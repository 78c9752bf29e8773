#pragma once
// The registers that a function of PTX declares (PTX ISA, ".reg").
#include <map>
#include <string>

#include "instrumentation/gpu/ptx/module/ptx_text.h"

namespace tilereel::gpu {

// Registers of a function and their widths, by declared name ("%rd<13>": "%rd").
class PtxRegisters {
  public:
    void clear() { bits_.clear(); }
    void declare(const PtxStatement& directive);
    [[nodiscard]] unsigned bits_of(const std::string& name) const;  // 0: not declared

  private:
    std::map<std::string, unsigned> bits_;
};

}  // namespace tilereel::gpu
