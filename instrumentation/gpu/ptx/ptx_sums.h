#pragma once
// Finds the multiply-adds in a function's PTX: fma, or an add or sub of the result of a mul in the
// same basic block, as the plugin does on the CPU (plugin/instrument.cpp). At -O1 nvcc keeps a sum
// either in a register, or in an element of a local array to which one of the next instructions
// stores it.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "instrumentation/gpu/ptx/module/ptx_text.h"
#include "instrumentation/gpu/ptx/ptx_hooks.h"

namespace tilereel::gpu {

struct PtxSum {
    std::size_t after = 0;  // index of the statement after which it is recorded
    std::string hook;
    std::uint32_t number = 0;  // with kSumInRegister if the sum is in a register; else 0
};

class PtxSums {
  public:
    void begin_function() { *this = {}; }
    void begin_basic_block() { products_.clear(); }
    // Returns the sum that statements[at] computes; nullopt if it computes none. Must be called for
    // each instruction for which ptx_work() has no site. `first`, `caller`: see ptx_work().
    std::optional<PtxSum> pass(std::span<const PtxStatement> statements, std::size_t at,
                               const PtxRegisters& registers, std::uint32_t first,
                               const std::string& caller);

  private:
    [[nodiscard]] std::string addend_of(const PtxInstruction& instruction) const;
    std::uint32_t number_of(const std::string& sum, const std::string& addend);

    std::set<std::string> products_;                // registers
    std::map<std::string, std::uint32_t> numbers_;  // of sums in registers, by register
};

}  // namespace tilereel::gpu
