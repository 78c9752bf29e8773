#pragma once
// The instructions of divisions, roots and mathematical functions in device code.
//
// CUDA C++ Programming Guide, "Arithmetic Instructions": which functions are one instruction of the
// XU pipe, and which are several. The numbers of the others are those of the usual algorithms, not
// counted in NVIDIA's code; the path that usual arguments take counts, not that of denormal or very
// large ones.
#include <string>

#include "instruction_counts.h"

namespace tilereel::runtime {

// By the name without a trailing f ("exp"); `is_double`: of the result. False: not known.
bool instructions_of_function(const std::string& name, bool is_double, InstructionCounts& counts);

// IEEE division: the reciprocal, Newton's steps, the check of the range and the branch around the
// slow path.
InstructionCounts instructions_of_division(bool is_double);
// A division of integers by what is no constant. It takes the reciprocal in FP32.
InstructionCounts instructions_of_integer_division(bool is_remainder, bool is_signed, bool is_wide);

}  // namespace tilereel::runtime
