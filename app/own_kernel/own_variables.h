#pragma once
// Variables of the user's file in device or constant memory, which main() fills and a race has to
// fill as well: their bytes are those before the recorded launch. A variable that the launch writes
// is left out, because its value would be another one in each launch.
//
// An integer that is one of the sizes follows it, as a parameter of the kernel does.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct OwnVariable {
    std::string name;       // "alpha"
    std::string qualified;  // "::scale::alpha"
    std::string cpp_type;   // of one integer: "int"; else empty
    std::vector<std::byte> bytes{};
    std::string value{};  // an expression in the sizes; empty: its bytes
};

[[nodiscard]] std::vector<OwnVariable> variables_of(const Trace& trace);
// The value of a variable that is one integer.
[[nodiscard]] std::optional<std::int64_t> integer_of(const OwnVariable& variable);

// A function tilereel_set(SIZES) for the text of a library, which fills the variables when a size
// has changed, so that no measured launch does; and the call of it, for the function that launches.
// Both are empty without variables. `sizes`: {"n"}, {"M", "N", "K"}.
[[nodiscard]] std::string setting_function(const std::vector<OwnVariable>& variables,
                                           const std::vector<std::string>& sizes);
[[nodiscard]] std::string setting_call(const std::vector<OwnVariable>& variables,
                                       const std::vector<std::string>& sizes);

}  // namespace tilereel
