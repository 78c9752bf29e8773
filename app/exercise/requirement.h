#pragma once
// What must hold for a launch, as a lecturer writes it:
//   out is right
//   no findings
//   shared.bank_conflicts == 0
//   global_load.sectors <= rows * columns / 8
//   barriers per phase <= 2
//   lanes on >= 90 %
//   at least 4 x fewer global_load.sectors than handed out
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// Numbers by name: counters, or the sizes of a launch.
using NamedNumbers = std::map<std::string, double, std::less<>>;

enum class Comparison : std::uint8_t { kEqual, kAtMost, kBelow, kAtLeast, kAbove };
[[nodiscard]] bool holds(double value, Comparison comparison, double limit);
// "should be 0", "should be at most 4,096"
[[nodiscard]] std::string wanted_text(Comparison comparison, double limit);

struct Requirement {
    enum class Kind : std::uint8_t {
        kRight,       // the array `name` has the right values
        kNoFindings,  // neither errors nor warnings
        kNoErrors,
        kCounter,  // the counter `name` against `limit`
        kFewer,    // the counter `name`, at least `factor` times fewer than what was handed out
    };
    Kind kind = Kind::kCounter;
    std::string words;  // as written
    int line = 0;       // in the exercise's file
    std::string name{};
    Comparison comparison = Comparison::kEqual;
    std::string limit{};  // an expression of numbers and sizes
    double factor = 1;
    int points = 1;  // that it is worth; 0: a condition, which earns nothing
};

// The counters that a requirement can name: those of lessons, and a few of a whole launch.
[[nodiscard]] const std::vector<std::string>& counter_names();

// `outputs`: names of arrays that the launch writes; `sizes`: names that a limit may use.
// kWrongCall says what can be written.
[[nodiscard]] Result<Requirement> requirement_of_words(const std::string& words,
                                                       const std::vector<std::string>& outputs,
                                                       const std::vector<std::string>& sizes);

// Numbers and names joined by + - * / and parentheses, as in C; `/` gives fractions. kWrongCall if
// it is none, or names something else.
[[nodiscard]] Result<double> value_of_expression(std::string_view text, const NamedNumbers& names);

}  // namespace tilereel
