#include "function_costs.h"

#include <map>

namespace tilereel::runtime {
namespace {

struct Costs {
    InstructionCounts single, twice;  // FP32, FP64
};

// A function of FP64 takes its bits apart on the ALU; its polynomials are on the FP64 pipe.
const std::map<std::string, Costs>& costs() {
    static const std::map<std::string, Costs> known = {
        // One instruction, after a product that brings the argument into its range: the intrinsics.
        {"__exp", {instructions(3, 0, 1, 1), {}}},
        {"__exp10", {instructions(3, 0, 1, 1), {}}},
        {"__log", {instructions(2, 0, 1, 1), {}}},
        {"__log2", {instructions(1, 0, 1, 1), {}}},
        {"__log10", {instructions(2, 0, 1, 1), {}}},
        {"__sin", {instructions(1, 0, 0, 1), {}}},
        {"__cos", {instructions(1, 0, 0, 1), {}}},
        {"__tan", {instructions(3, 0, 0, 3), {}}},
        {"__sincos", {instructions(1, 0, 0, 2), {}}},
        {"__pow", {instructions(3, 0, 2, 2), {}}},
        {"__tanh", {instructions(0, 0, 0, 1), {}}},
        {"__fdivide", {instructions(3, 0, 2, 1), {}}},
        {"fdivide", {instructions(3, 0, 2, 1), instructions(0, 0, 3, 1, 8, 3)}},
        {"rsqrt", {instructions(2, 0, 1, 1), instructions(0, 0, 2, 1, 6, 2)}},
        {"__frsqrt_rn", {instructions(5, 0, 2, 1, 0, 3), {}}},
        {"__frcp_rn", {instructions(2, 0, 3, 1, 0, 3), {}}},
        {"__saturate", {instructions(1), {}}},
        // Comparisons and signs; an absolute value is a modifier of an operand.
        {"fmax", {instructions(0, 0, 1), instructions(0, 0, 3, 0, 1)}},
        {"fmin", {instructions(0, 0, 1), instructions(0, 0, 3, 0, 1)}},
        {"max", {instructions(0, 0, 1), instructions(0, 0, 3, 0, 1)}},
        {"min", {instructions(0, 0, 1), instructions(0, 0, 3, 0, 1)}},
        {"fabs", {{}, {}}},
        {"abs", {instructions(0, 0, 1), {}}},
        {"copysign", {instructions(0, 0, 1), instructions(0, 0, 1)}},
        {"isnan", {instructions(0, 0, 1), instructions(0, 0, 0, 0, 1)}},
        {"isinf", {instructions(0, 0, 1), instructions(0, 0, 0, 0, 1)}},
        // Rounding.
        {"floor", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"ceil", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"trunc", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"rint", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"nearbyint", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"lrint", {instructions(0, 0, 0, 1), instructions(0, 0, 0, 1)}},
        {"round", {instructions(1, 0, 3, 1), instructions(0, 0, 3, 1, 1)}},
        {"fmod", {instructions(8, 0, 8, 1, 0, 4), instructions(0, 0, 8, 1, 8, 4)}},
        // Roots.
        {"sqrt", {instructions(4, 0, 2, 1, 0, 3), instructions(0, 0, 2, 1, 7, 3)}},
        {"cbrt", {instructions(5, 0, 2, 2), instructions(0, 0, 6, 3, 8)}},
        {"hypot", {instructions(6, 0, 6, 1, 0, 2), instructions(0, 0, 8, 1, 10, 2)}},
        // Exponentials: the exponent is split off by a sum, XU gives 2 to the rest.
        {"exp", {instructions(6, 0, 1, 1), instructions(0, 0, 6, 0, 15, 2)}},
        {"exp2", {instructions(2, 0, 1, 1), instructions(0, 0, 6, 0, 14, 2)}},
        {"exp10", {instructions(6, 0, 1, 1), instructions(0, 0, 6, 0, 16, 2)}},
        {"expm1", {instructions(9, 0, 5, 1), instructions(0, 0, 8, 0, 16, 2)}},
        {"log", {instructions(12, 0, 6, 1), instructions(0, 0, 10, 1, 20, 2)}},
        {"log2", {instructions(12, 0, 6, 1), instructions(0, 0, 10, 1, 22, 2)}},
        {"log10", {instructions(13, 0, 6, 1), instructions(0, 0, 10, 1, 21, 2)}},
        {"log1p", {instructions(13, 0, 7, 1), instructions(0, 0, 12, 1, 22, 2)}},
        {"pow", {instructions(26, 0, 14, 4, 0, 4), instructions(0, 0, 30, 2, 60, 6)}},
        {"tanh", {instructions(8, 0, 4, 2, 0, 2), instructions(0, 0, 12, 1, 24, 4)}},
        {"sinh", {instructions(10, 0, 4, 2), instructions(0, 0, 12, 1, 24, 4)}},
        {"cosh", {instructions(9, 0, 2, 2), instructions(0, 0, 8, 1, 20, 2)}},
        // Sines: the argument less the multiple of pi/2, in three steps, then a polynomial.
        {"sin", {instructions(9, 0, 7, 2, 0, 2), instructions(0, 0, 8, 2, 18, 2)}},
        {"cos", {instructions(9, 0, 8, 2, 0, 2), instructions(0, 0, 9, 2, 18, 2)}},
        {"sinpi", {instructions(8, 0, 7, 2), instructions(0, 0, 8, 2, 16, 2)}},
        {"cospi", {instructions(8, 0, 8, 2), instructions(0, 0, 9, 2, 16, 2)}},
        {"sincos", {instructions(13, 0, 12, 2, 0, 2), instructions(0, 0, 14, 2, 26, 2)}},
        {"sincospi", {instructions(13, 0, 12, 2), instructions(0, 0, 14, 2, 24, 2)}},
        {"tan", {instructions(11, 0, 6, 3, 0, 2), instructions(0, 0, 9, 3, 26, 2)}},
        {"asin", {instructions(8, 0, 5, 1), instructions(0, 0, 8, 1, 18, 2)}},
        {"acos", {instructions(8, 0, 5, 1), instructions(0, 0, 8, 1, 18, 2)}},
        {"atan", {instructions(9, 0, 4, 1), instructions(0, 0, 6, 1, 24, 2)}},
        {"atan2", {instructions(16, 0, 10, 1, 0, 3), instructions(0, 0, 14, 1, 30, 4)}},
        {"erf", {instructions(10, 0, 6, 1), instructions(0, 0, 10, 1, 26, 2)}},
        {"erfc", {instructions(20, 0, 5, 3), instructions(0, 0, 12, 1, 40, 2)}},
        {"normcdf", {instructions(23, 0, 6, 3), instructions(0, 0, 14, 1, 44, 2)}},
        // Integers: one instruction each, on XU those that the guide's table gives 16 a clock.
        {"__popc", {instructions(0, 0, 0, 1), {}}},
        {"__popcll", {instructions(0, 0, 1, 2), {}}},
        {"__clz", {instructions(0, 0, 1, 1), {}}},
        {"__clzll", {instructions(0, 0, 3, 2), {}}},
        {"__ffs", {instructions(0, 0, 2, 1), {}}},
        {"__brev", {instructions(0, 0, 0, 1), {}}},
        {"__mulhi", {instructions(0, 1), {}}},
        {"__umulhi", {instructions(0, 1), {}}},
        {"__mul24", {instructions(0, 1), {}}},
        {"__dp4a", {instructions(0, 1), {}}},
        {"__byte_perm", {instructions(0, 0, 1), {}}},
        {"__funnelshift_l", {instructions(0, 0, 1), {}}},
        {"__funnelshift_r", {instructions(0, 0, 1), {}}},
        {"__float2int_rn", {instructions(0, 0, 0, 1), {}}},
        {"__float2int_rd", {instructions(0, 0, 0, 1), {}}},
        {"__float2int_rz", {instructions(0, 0, 0, 1), {}}},
        {"__int2float_rn", {instructions(0, 0, 1), {}}},
        {"__float2half", {instructions(0, 0, 1), {}}},
        {"__half2float", {instructions(1), {}}},
    };
    return known;
}

}  // namespace

bool instructions_of_function(const std::string& name, bool is_double, InstructionCounts& counts) {
    const auto found = costs().find(name);
    if (found == costs().end()) return false;
    counts = is_double && found->second.twice.any() ? found->second.twice : found->second.single;
    return true;
}

InstructionCounts instructions_of_division(bool is_double) {
    return is_double ? instructions(0, 0, 3, 1, 8, 3) : instructions(7, 0, 1, 1, 0, 3);
}

InstructionCounts instructions_of_integer_division(bool is_remainder, bool is_signed,
                                                   bool is_wide) {
    InstructionCounts counts = instructions(0, 4, 6, 3);
    if (is_signed) counts += instructions(0, 0, 6);
    if (is_remainder) counts += instructions(0, 0, 1);
    // Of 64 bits: a call of a function that repeats it for both halves.
    if (is_wide) counts += instructions(0, 16, 40, 2, 0, 4);
    return counts;
}

}  // namespace tilereel::runtime
