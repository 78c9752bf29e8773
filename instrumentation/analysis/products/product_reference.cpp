#include "instrumentation/analysis/products/product_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "instrumentation/analysis/products/computed_elements.h"

namespace tilereel {
namespace {

constexpr double kErrorsAllowed = 8;  // times the expected error of a sum

bool is_integer(ElementType type) { return type >= ElementType::kInt8; }

double unit_roundoff(ElementType type) {
    switch (type) {
        case ElementType::kFloat64:
            return 0x1p-53;
        case ElementType::kFloat16:
            return 0x1p-11;
        case ElementType::kBfloat16:
            return 0x1p-8;
        default:
            return 0x1p-24;
    }
}

// The least number that rounds to infinity: half a unit in the last place above the largest number
// of the type (IEEE 754-2019, section 4.3.1). A double has no such finite number.
double first_infinite(ElementType type) {
    switch (type) {
        case ElementType::kFloat16:
            return 65520;
        case ElementType::kBfloat16:
            return 0x1.ffp127;
        case ElementType::kFloat64:
            return std::numeric_limits<double>::infinity();
        default:
            return 0x1.ffffffp127;
    }
}

// The largest unit roundoff of the recorded sums; 0 if none are recorded.
double roundoff_of_sums(const Trace& trace) {
    double worst = 0;
    for (const Site& site : trace.sites) {
        if (site.operation != Operation::kMultiplyAdd) continue;
        const bool known = site.local < trace.locals.size();
        const ElementType type = known                   ? trace.locals[site.local].type
                                 : site.width_bytes == 8 ? ElementType::kFloat64
                                                         : ElementType::kFloat32;
        if (!is_integer(type)) worst = std::max(worst, unit_roundoff(type));
    }
    return worst;
}

// Computes alpha A B + beta C row by row: in double, or modulo 2^64 for integers.
class Reference {
  public:
    Reference(const Trace& trace, const ProductForm& form)
        : form_(form),
          rounding_(trace, form.matrices.c, form.k()),
          a_(matrix_values(trace, form.matrices.a, form.a, false)),
          b_(matrix_values(trace, form.matrices.b, form.b, false)),
          c_(matrix_values(trace, form.matrices.c, form.c, true)),
          signs_(std::ranges::any_of(a_, is_negative) || std::ranges::any_of(b_, is_negative)),
          computed_(elements_computed_so_far(trace, form.matrices.c)) {
        if (form.matrices.beta != 0) before_ = matrix_values(trace, form.matrices.c, form.c, false);
    }

    std::vector<WrongProductElement> run() {
        if (a_.empty() || b_.empty() || c_.empty()) return {};
        if (form_.matrices.beta != 0 && before_.empty()) before_.assign(c_.size(), 0);
        for (std::uint32_t row = 0; row < form_.m(); ++row) {
            for (end_ = 0; find_columns(row);)
                rounding_.of_integers() ? row_of_integers(row) : row_of_reals(row);
        }
        return std::move(wrong_);
    }

  private:
    static bool is_negative(double value) { return value < 0; }

    [[nodiscard]] bool is_computed(std::uint32_t row, std::uint32_t column) const {
        return !computed_ || (*computed_)[form_.c.index_of(row, column)];
    }

    // Sets the next columns of the row that are computed and stand side by side; false if there are
    // no more.
    bool find_columns(std::uint32_t row) {
        first_ = end_;
        while (first_ < form_.n() && !is_computed(row, first_)) ++first_;
        end_ = first_;
        while (end_ < form_.n() && is_computed(row, end_)) ++end_;
        return first_ < end_;
    }

    void row_of_reals(std::uint32_t row) {
        const std::size_t n = form_.n(), k = form_.k();
        sums_.assign(n, 0);
        magnitudes_.assign(n, 0);
        for (std::size_t p = 0; p < k; ++p) {
            const double factor = a_[row * k + p];
            const double* const b = &b_[p * n];
            for (std::size_t j = first_; j < end_; ++j) sums_[j] += factor * b[j];
            if (!signs_) continue;
            for (std::size_t j = first_; j < end_; ++j) magnitudes_[j] += std::abs(factor * b[j]);
        }
        const double alpha = form_.matrices.alpha, beta = form_.matrices.beta;
        for (std::size_t j = first_; j < end_; ++j) {
            const double magnitude = std::abs(alpha) * (signs_ ? magnitudes_[j] : sums_[j]);
            const double before = beta == 0 ? 0 : beta * before_[row * n + j];
            judge(row, j, alpha * sums_[j] + before, magnitude + std::abs(before));
        }
    }

    void row_of_integers(std::uint32_t row) {
        const auto whole = [](double value) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        };
        const std::size_t n = form_.n(), k = form_.k();
        for (std::size_t j = first_; j < end_; ++j) {
            std::uint64_t sum = 0;
            for (std::size_t p = 0; p < k; ++p)
                sum += whole(a_[row * k + p]) * whole(b_[p * n + j]);
            sum *= whole(form_.matrices.alpha);
            if (form_.matrices.beta != 0)
                sum += whole(form_.matrices.beta) * whole(before_[row * n + j]);
            judge(row, j, rounding_.wrapped(sum), 0);
        }
    }

    void judge(std::uint32_t row, std::size_t column, double expected, double magnitude) {
        const double found = c_[row * std::size_t{form_.n()} + column];
        if (!rounding_.is_right(found, expected, magnitude))
            wrong_.push_back({row, static_cast<std::uint32_t>(column), found, expected});
    }

    ProductForm form_;
    ProductRounding rounding_;
    std::vector<double> a_, b_, c_, before_, sums_, magnitudes_;
    bool signs_;  // A or B has negative elements, so |A| |B| differs from A B
    std::optional<std::vector<bool>> computed_;  // by index in the array of C; nullopt: all
    std::uint32_t first_ = 0, end_ = 0;          // columns of the row: find_columns()
    std::vector<WrongProductElement> wrong_;
};

}  // namespace

ProductRounding::ProductRounding(const Trace& trace, ArrayId c, std::uint32_t k)
    : type_(trace.arrays[c].type), integers_(is_integer(type_)) {
    if (integers_) return;
    of_element_ = unit_roundoff(type_);
    const double sums = roundoff_of_sums(trace);
    of_sum_ = kErrorsAllowed * std::sqrt(static_cast<double>(k)) * (sums > 0 ? sums : of_element_);
}

double ProductRounding::bound(double expected, double magnitude) const {
    return of_sum_ * magnitude + of_element_ * std::abs(expected);
}

bool ProductRounding::is_right(double found, double expected, double magnitude) const {
    if (integers_) return found == expected;
    if (std::abs(found - expected) <= bound(expected, magnitude)) return true;  // neither is NaN
    // A sum within the allowed error rounds to infinity.
    return std::isinf(found) && std::signbit(found) == std::signbit(expected) &&
           std::abs(expected) + of_sum_ * magnitude >= first_infinite(type_);
}

double ProductRounding::wrapped(std::uint64_t sum) const {
    const unsigned unused = 64 - 8 * type_bytes(type_);
    const std::uint64_t high = sum << unused;
    if (type_ >= ElementType::kUint8) return static_cast<double>(high >> unused);
    return static_cast<double>(static_cast<std::int64_t>(high) >> unused);
}

std::vector<WrongProductElement> wrong_product_elements(const Trace& trace) {
    if (!trace.product) return {};
    return Reference(trace, form_of(trace)).run();
}

}  // namespace tilereel
