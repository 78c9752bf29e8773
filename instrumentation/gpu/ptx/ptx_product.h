#pragma once
// Generates the PTX that records products of fragments: one instruction may be several products.
#include <cstddef>
#include <string>
#include <vector>

#include "instrumentation/gpu/ptx/ptx_kinds.h"
#include "instrumentation/trace/fragments/warp_fragments.h"

namespace tilereel::gpu {

class PtxProductHook {
  public:
    using Words = std::vector<std::string>;  // names of 32-bit registers

    explicit PtxProductHook(const PtxContext& context);
    // The registers of an operand of the instruction, copied before it and after it.
    [[nodiscard]] Words factor(std::size_t operand);
    [[nodiscard]] Words sums(std::size_t operand);
    // Adds a record of a product with a lane's registers of A, B and D. False: their number is not
    // that of its fragments.
    [[nodiscard]] bool add(const WarpProduct& product, const Words& words);
    [[nodiscard]] PtxWork take();

  private:
    static constexpr std::size_t kNarrowWords = 16,
                                 kWideWords = 32;  // of a function of recorder.cu
    static constexpr std::size_t kMostWords = 64;  // of an instruction
    [[nodiscard]] Words words_of(const std::vector<std::string>& registers, std::string& text);

    const PtxContext& context_;
    PtxHook text_;
    std::vector<PtxSite> sites_;
    std::size_t count_ = 0;  // words so far
};

}  // namespace tilereel::gpu
