#pragma once
// The largest value of a linear function under linear limits, by the simplex method.
#include <cstddef>
#include <utility>
#include <vector>

namespace tilereel {

struct LinearProgram {
    // Sum of factor * variable <= limit; limit >= 0. Variables are 0 or more.
    struct Row {
        std::vector<std::pair<std::size_t, double>> factors;
        double limit = 0;
    };
    std::vector<double> gains;  // of the variables
    std::vector<Row> rows;
};
// The variables; empty if there is no largest value, or it is not found in many steps.
[[nodiscard]] std::vector<double> solution_of(const LinearProgram& program);

}  // namespace tilereel
