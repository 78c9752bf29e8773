#pragma once
// nvcc takes the operands of an asm statement without the commas between them, which g++ asks for:
// "r"(a) "r"(b).
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/cuda/text/host_branches.h"

namespace tilereel::program {

// Puts a comma between operands that have none. `mask`: masked_text(text).
void find_missing_commas(std::string_view text, std::string_view mask,
                         std::vector<TextChange>& changes);

}  // namespace tilereel::program
