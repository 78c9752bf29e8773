#pragma once
// The instructions of a warp that nvcc makes of the statements of a basic block.
//
// Which operation is which instruction on which pipe: CUDA C++ Programming Guide, "Arithmetic
// Instructions", column 9.0, and Nsight Compute's "Kernel Profiling Guide", "Pipelines". A product
// that is added becomes a multiply-add (nvcc's default, -fmad=true). Those of floating-point
// numbers are records of their own, and count nothing here.
#include <map>
#include <vector>

#include "instruction_counts.h"
#include "value_flow.h"

namespace tilereel::runtime {

// By statement, those that are no instruction are missing.
using StatementCosts = std::map<gimple*, InstructionCounts>;

StatementCosts costs_of_statements(function* function, const std::vector<basic_block>& blocks,
                                   const ValueFlow& flow);

}  // namespace tilereel::runtime
