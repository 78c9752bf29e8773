#include "app/race/runners/product_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <set>

#include "app/race/race_values.h"
#include "kernels/reference.h"

namespace tilereel {
namespace {

// `count` indices below `extent`: the first, the last and random ones between; all if `count` is
// larger.
std::vector<std::uint32_t> chosen(int extent, int count, std::uint64_t seed) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(extent));
    std::iota(all.begin(), all.end(), 0);
    if (count >= extent) return all;
    std::set<std::uint32_t> chosen{0, static_cast<std::uint32_t>(extent) - 1};
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::uint32_t> any(0, static_cast<std::uint32_t>(extent) - 1);
    while (static_cast<int>(chosen.size()) < count) chosen.insert(any(random));
    return {chosen.begin(), chosen.end()};
}

}  // namespace

ProductCheck::ProductCheck(const ProductSize& size, std::uint64_t seed,
                           std::uint64_t most_multiply_adds, InputType inputs)
    : size_(size), seed_(seed), inputs_(inputs) {
    const double wanted = flops(size) / 2;
    whole_ = wanted <= static_cast<double>(most_multiply_adds);
    if (whole_) {
        rows_ = chosen(size.m, size.m, seed);
    } else {
        const auto affordable = [&](double one) {
            const double count = static_cast<double>(most_multiply_adds) / 2 / one;
            return static_cast<int>(std::clamp(count, 2.0, 1e6));
        };
        rows_ = chosen(size.m, affordable(double(size.n) * size.k), seed);
        columns_ = chosen(size.n, affordable(double(size.m) * size.k), seed + 1);
    }
    add_up_rows();
    add_up_columns();
}

float ProductCheck::value(std::uint64_t seed, std::uint64_t index) const {
    return rounded_to(inputs_, race_value(seed, index));
}

void ProductCheck::add_up_rows() {
    const std::size_t n = static_cast<std::size_t>(size_.n), k = static_cast<std::size_t>(size_.k);
    in_rows_.assign(rows_.size() * n, {});
    std::vector<double> row_of_b(n);
    for (std::size_t p = 0; p < k; ++p) {
        for (std::size_t j = 0; j < n; ++j) row_of_b[j] = value(seed_of_b(seed_), p * n + j);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const double a = value(seed_of_a(seed_), std::size_t{rows_[i]} * k + p);
            Exact* const exact = in_rows_.data() + i * n;
            for (std::size_t j = 0; j < n; ++j) {
                const double term = a * row_of_b[j];
                exact[j].product += term;
                exact[j].magnitude += std::abs(term);
            }
        }
    }
}

void ProductCheck::add_up_columns() {
    const std::size_t m = static_cast<std::size_t>(size_.m), n = static_cast<std::size_t>(size_.n),
                      k = static_cast<std::size_t>(size_.k);
    in_columns_.assign(columns_.size() * m, {});
    std::vector<double> row_of_a(k), column_of_b(columns_.size() * k);
    for (std::size_t j = 0; j < columns_.size(); ++j)
        for (std::size_t p = 0; p < k; ++p)
            column_of_b[j * k + p] = value(seed_of_b(seed_), p * n + columns_[j]);
    for (std::size_t i = 0; i < m && !columns_.empty(); ++i) {
        for (std::size_t p = 0; p < k; ++p) row_of_a[p] = value(seed_of_a(seed_), i * k + p);
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            Exact& exact = in_columns_[j * m + i];
            for (std::size_t p = 0; p < k; ++p) {
                const double term = row_of_a[p] * column_of_b[j * k + p];
                exact.product += term;
                exact.magnitude += std::abs(term);
            }
        }
    }
}

Verified ProductCheck::check(std::span<const float> c) const {
    const auto n = static_cast<std::size_t>(size_.n), m = static_cast<std::size_t>(size_.m);
    Verified verified;
    verified.checked = whole_ ? "every element, with float64"
                              : "every element written; " + std::to_string(rows_.size()) +
                                    " rows and " + std::to_string(columns_.size()) +
                                    " columns, with float64";
    std::optional<WrongElement> first;
    const auto compare = [&](std::uint32_t row, std::uint32_t column, const Exact& exact) {
        const float got = c[row * n + column];
        const double off = std::abs(got - exact.product);
        const double error = off == 0 ? 0 : off / (kUnitRoundOff * exact.magnitude);
        if (std::isfinite(error)) verified.worst_error = std::max(verified.worst_error, error);
        if (!first && !(error <= allowed_error(size_.k)))  // also true for NaN
            first = {.row = row, .column = column, .found = got, .expected = exact.product};
    };
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::uint32_t j = 0; j < n; ++j) compare(rows_[i], j, in_rows_[i * n + j]);
    for (std::size_t j = 0; j < columns_.size(); ++j)
        for (std::uint32_t i = 0; i < m; ++i) compare(i, columns_[j], in_columns_[j * m + i]);
    const auto unwritten =
        std::ranges::find_if(c, [](float value) { return !std::isfinite(value); });
    const auto place = static_cast<std::size_t>(unwritten - c.begin());
    if (!first && unwritten != c.end())
        first = {.row = static_cast<std::uint32_t>(place / n),
                 .column = static_cast<std::uint32_t>(place % n),
                 .found = *unwritten,
                 .expected = 0};
    if (first) verified.sentence = wrong_sentence(*first);
    if (!verified.sentence.empty()) verified.outcome = Outcome::kWrong;
    return verified;
}

std::string wrong_sentence(const WrongElement& wrong) {
    char text[160];
    if (std::isfinite(wrong.found))
        std::snprintf(text, sizeof text, "C[%u][%u] is %.7g, but A times B there is %.7g",
                      wrong.row, wrong.column, double(wrong.found), wrong.expected);
    else
        std::snprintf(text, sizeof text, "C[%u][%u] was not written, or is not a finite number",
                      wrong.row, wrong.column);
    return text;
}

}  // namespace tilereel
