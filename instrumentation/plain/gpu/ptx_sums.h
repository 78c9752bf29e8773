#pragma once
// Finds the sums of products in a function's PTX: fma, or an add or sub that takes in the result of
// a mul of the same basic block, as the plugin finds them on the CPU (plugin/instrument.cpp). At
// -O1 nvcc keeps a sum either in a register or in an element of a thread's own array, to which it
// is stored right behind.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "instrumentation/plain/gpu/ptx_hooks.h"
#include "instrumentation/plain/gpu/ptx_text.h"

namespace tilereel::plain {

struct PtxSum {
    std::size_t behind = 0;  // of the statements: where it is recorded
    std::string hook;
    std::uint32_t number = 0;  // of a sum in a register, with kSumInRegister; else 0
};

class PtxSums {
  public:
    void begin_function() { *this = {}; }
    void begin_basic_block() { products_.clear(); }
    // `statements[at]` is an instruction without a record of its own. `first`, `caller`: as
    // ptx_work(). The site of the sum has the words of its value.
    std::optional<PtxSum> pass(std::span<const PtxStatement> statements, std::size_t at,
                               const PtxRegisters& registers, std::uint32_t first,
                               const std::string& caller);

  private:
    [[nodiscard]] std::string addend_of(const PtxInstruction& instruction) const;
    std::uint32_t number_of(const std::string& sum, const std::string& addend);

    std::set<std::string> products_;                // registers
    std::map<std::string, std::uint32_t> numbers_;  // of the sums that registers hold
};

}  // namespace tilereel::plain
