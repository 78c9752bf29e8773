#include "instrumentation/analysis/products/product_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

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

// What the rows of C are computed from.
struct Factors {
    ProductForm form;
    ProductRounding rounding;
    std::vector<double> a, b, c;
    std::vector<double> before;                   // empty if beta is 0
    std::vector<std::uint64_t> a_words, b_words;  // A and B modulo 2^64; empty for reals
    bool signs;  // A or B has negative elements, so |A| |B| differs from A B
    std::optional<std::vector<bool>> computed;  // by index in the array of C; nullopt: all

    [[nodiscard]] bool is_computed(std::uint32_t row, std::uint32_t column) const {
        return !computed || (*computed)[form.c.index_of(row, column)];
    }
};

std::uint64_t word_of(double value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

std::vector<std::uint64_t> words_of(const std::vector<double>& values) {
    std::vector<std::uint64_t> words(values.size());
    std::ranges::transform(values, words.begin(), word_of);
    return words;
}

Factors factors_of(const Trace& trace, const ProductForm& form) {
    const auto negative = [](double value) { return value < 0; };
    const MatrixProduct& of = form.matrices;
    Factors f{form,
              ProductRounding(trace, of.c, form.k()),
              matrix_values(trace, of.a, form.a, false),
              matrix_values(trace, of.b, form.b, false),
              matrix_values(trace, of.c, form.c, true),
              {},
              {},
              {},
              false,
              elements_computed_so_far(trace, of.c)};
    if (of.beta != 0) f.before = matrix_values(trace, of.c, form.c, false);
    if (of.beta != 0 && f.before.empty()) f.before.assign(f.c.size(), 0);
    f.signs = std::ranges::any_of(f.a, negative) || std::ranges::any_of(f.b, negative);
    if (f.rounding.of_integers()) f.a_words = words_of(f.a), f.b_words = words_of(f.b);
    return f;
}

// Computes rows of alpha A B + beta C, in double, or modulo 2^64 for integers, and collects what
// differs. One thread each: rows do not depend on one another.
class Rows {
  public:
    explicit Rows(const Factors& factors) : f_(factors) {}

    std::vector<WrongProductElement> judged(std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t row = from; row < to; ++row) {
            for (end_ = 0; find_columns(row);)
                f_.rounding.of_integers() ? row_of_integers(row) : row_of_reals(row);
        }
        return std::move(wrong_);
    }

  private:
    // Sets the next columns of the row that are computed and stand side by side; false if there are
    // no more.
    bool find_columns(std::uint32_t row) {
        const std::uint32_t n = f_.form.n();
        first_ = end_;
        while (first_ < n && !f_.is_computed(row, first_)) ++first_;
        end_ = first_;
        while (end_ < n && f_.is_computed(row, end_)) ++end_;
        return first_ < end_;
    }

    void row_of_reals(std::uint32_t row) {
        const std::size_t n = f_.form.n(), k = f_.form.k();
        sums_.assign(n, 0);
        magnitudes_.assign(n, 0);
        for (std::size_t p = 0; p < k; ++p) {
            const double factor = f_.a[row * k + p];
            const double* const b = &f_.b[p * n];
            for (std::size_t j = first_; j < end_; ++j) sums_[j] += factor * b[j];
            if (!f_.signs) continue;
            for (std::size_t j = first_; j < end_; ++j) magnitudes_[j] += std::abs(factor * b[j]);
        }
        const double alpha = f_.form.matrices.alpha, beta = f_.form.matrices.beta;
        for (std::size_t j = first_; j < end_; ++j) {
            const double magnitude = std::abs(alpha) * (f_.signs ? magnitudes_[j] : sums_[j]);
            const double before = beta == 0 ? 0 : beta * f_.before[row * n + j];
            judge(row, j, alpha * sums_[j] + before, magnitude + std::abs(before));
        }
    }

    void row_of_integers(std::uint32_t row) {
        const std::size_t n = f_.form.n(), k = f_.form.k();
        words_.assign(n, 0);
        for (std::size_t p = 0; p < k; ++p) {
            const std::uint64_t factor = f_.a_words[row * k + p];
            const std::uint64_t* const b = &f_.b_words[p * n];
            for (std::size_t j = first_; j < end_; ++j) words_[j] += factor * b[j];
        }
        const double beta = f_.form.matrices.beta;
        for (std::size_t j = first_; j < end_; ++j) {
            std::uint64_t sum = words_[j] * word_of(f_.form.matrices.alpha);
            if (beta != 0) sum += word_of(beta) * word_of(f_.before[row * n + j]);
            judge(row, j, f_.rounding.wrapped(sum), 0);
        }
    }

    void judge(std::uint32_t row, std::size_t column, double expected, double magnitude) {
        const double found = f_.c[row * std::size_t{f_.form.n()} + column];
        if (!f_.rounding.is_right(found, expected, magnitude))
            wrong_.push_back({row, static_cast<std::uint32_t>(column), found, expected});
    }

    const Factors& f_;
    std::vector<double> sums_, magnitudes_;
    std::vector<std::uint64_t> words_;
    std::uint32_t first_ = 0, end_ = 0;  // columns of the row: find_columns()
    std::vector<WrongProductElement> wrong_;
};

// Small products are done before a thread has started.
constexpr double kMultiplyAddsOfAThread = 1 << 22;

std::vector<WrongProductElement> judge_rows(const Factors& factors) {
    const std::uint32_t m = factors.form.m();
    const double work = double{1} * m * factors.form.n() * factors.form.k();
    const double useful = std::max(1.0, std::min<double>(m, work / kMultiplyAddsOfAThread));
    const auto cores = static_cast<double>(std::max(1u, std::thread::hardware_concurrency()));
    const auto parts = static_cast<std::uint32_t>(std::min(cores, useful));
    std::vector<std::vector<WrongProductElement>> wrong(parts);
    const auto judge = [&](std::uint32_t part) {
        const auto row = [&](std::uint64_t p) { return static_cast<std::uint32_t>(p * m / parts); };
        wrong[part] = Rows(factors).judged(row(part), row(part + 1));
    };
    {
        std::vector<std::jthread> helpers;
        for (std::uint32_t part = 1; part < parts; ++part) helpers.emplace_back(judge, part);
        judge(0);
    }
    for (std::uint32_t part = 1; part < parts; ++part)
        wrong[0].insert(wrong[0].end(), wrong[part].begin(), wrong[part].end());
    return std::move(wrong[0]);
}

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
    const Factors factors = factors_of(trace, form_of(trace));
    if (factors.a.empty() || factors.b.empty() || factors.c.empty()) return {};
    return judge_rows(factors);
}

}  // namespace tilereel
