#include "instrumentation/analysis/machine/linear_program.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr double kTiny = 1e-9;
constexpr std::size_t kMostSteps = 20'000;
// Many limits are 0, where steps could go round in circles. Each gets a small amount of its own.
constexpr double kApart = 1e-7;

class Tableau {
  public:
    explicit Tableau(const LinearProgram& program)
        : variables_(program.gains.size()),
          columns_(variables_ + program.rows.size()),
          gains_(program.gains) {
        gains_.resize(columns_);
        for (std::size_t row = 0; row < program.rows.size(); ++row) {
            std::vector<double> factors(columns_ + 1);
            for (const auto& [variable, factor] : program.rows[row].factors)
                factors[variable] += factor;
            factors[variables_ + row] = 1;
            factors[columns_] = program.rows[row].limit + kApart * static_cast<double>(row + 1);
            rows_.push_back(std::move(factors));
            basis_.push_back(variables_ + row);
        }
    }

    std::vector<double> solve() {
        for (std::size_t step = 0; step < kMostSteps; ++step) {
            const auto best = std::ranges::max_element(gains_);
            if (*best <= kTiny) return values();
            const auto entering = static_cast<std::size_t>(best - gains_.begin());
            const std::size_t leaving = row_that_limits(entering);
            if (leaving == rows_.size()) return {};
            pivot(leaving, entering);
        }
        return {};
    }

  private:
    [[nodiscard]] std::size_t row_that_limits(std::size_t column) const {
        std::size_t found = rows_.size();
        double least = 0;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            if (rows_[row][column] <= kTiny) continue;
            const double most = rows_[row][columns_] / rows_[row][column];
            if (found == rows_.size() || most < least) found = row, least = most;
        }
        return found;
    }
    void pivot(std::size_t row, std::size_t column) {
        std::vector<double>& from = rows_[row];
        const double by = from[column];
        for (double& factor : from) factor /= by;
        for (std::size_t other = 0; other < rows_.size(); ++other)
            if (other != row) subtract(from, rows_[other][column], rows_[other]);
        subtract(from, gains_[column], gains_);
        basis_[row] = column;
    }
    static void subtract(const std::vector<double>& from, double times, std::vector<double>& to) {
        if (times == 0) return;
        for (std::size_t i = 0; i < to.size(); ++i) to[i] -= times * from[i];
    }
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> found(variables_);
        for (std::size_t row = 0; row < rows_.size(); ++row)
            if (basis_[row] < variables_) found[basis_[row]] = rows_[row][columns_];
        return found;
    }

    std::size_t variables_, columns_;
    std::vector<double> gains_;
    std::vector<std::vector<double>> rows_;
    std::vector<std::size_t> basis_;
};

}  // namespace

std::vector<double> solution_of(const LinearProgram& program) { return Tableau(program).solve(); }

}  // namespace tilereel
