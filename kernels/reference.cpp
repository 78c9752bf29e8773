#include "kernels/reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <future>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

namespace tilereel {
namespace {

// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every machine, one state word.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

constexpr int kPanelRows = 16, kPanelColumns = 512;  // of C, float64: 64 KiB, stays in L2

// A panel of AB and of |A||B| in float64.
struct Panel {
    std::vector<double> product, magnitude;  // kPanelRows x kPanelColumns
    int row = 0, rows = 0, column = 0, columns = 0;
};

template <bool kMagnitude>
void multiply(std::span<const float> a, std::span<const float> b, int n, int k, Panel& panel) {
    std::vector<double>& sums = kMagnitude ? panel.magnitude : panel.product;
    std::ranges::fill(sums, 0.0);
    for (int p = 0; p < k; ++p) {
        const float* b_row = b.data() + std::size_t(p) * n + panel.column;
        for (int i = 0; i < panel.rows; ++i) {
            double scale = a[std::size_t(panel.row + i) * k + p];
            scale = kMagnitude ? std::abs(scale) : scale;
            double* sum = sums.data() + std::size_t(i) * kPanelColumns;
            for (int j = 0; j < panel.columns; ++j) {
                const double factor = b_row[j];
                sum[j] += scale * (kMagnitude ? std::abs(factor) : factor);
            }
        }
    }
}

// An element of AB in float32: in the order of k, with every product and sum rounded, as a
// recording on the CPU computes it.
float sum_in_order(std::span<const float> a, std::span<const float> b, int n, int k, int row,
                   int column) {
    volatile float sum = 0;  // volatile: no fused or reordered operations, whatever the flags
    for (int p = 0; p < k; ++p) {
        const volatile float product = a[std::size_t(row) * k + p] * b[std::size_t(p) * n + column];
        sum = sum + product;
    }
    return sum;
}

// A wrong element, and the figures that show it.
struct Misfit {
    WrongElement element;
    double magnitude = 0;  // of |A||B| there
    double bound = 0;      // allowed error
};

// The message: where the element is, and what it should be.
Error error_of(const Misfit& misfit) {
    const WrongElement& wrong = misfit.element;
    char text[200];
    if (!std::isfinite(wrong.found) &&
        misfit.magnitude > double(std::numeric_limits<float>::max()) / 2)
        std::snprintf(
            text, sizeof text,
            "C[%u][%u] becomes too large for float32 while it is summed (in float64 it is "
            "%.3g); use matrices of smaller numbers",
            wrong.row, wrong.column, wrong.expected);
    else
        std::snprintf(text, sizeof text,
                      "C[%u][%u] is %.9g, but A times B there is %.9g (allowed error %.3g); "
                      "correct the kernel",
                      wrong.row, wrong.column, double(wrong.found), wrong.expected, misfit.bound);
    return failed(text);
}

// Calls visit(misfit) for each wrong element of a panel, row by row, until it returns false.
template <class Visit>
bool for_each_misfit(const Panel& panel, const std::vector<double>& magnitude,
                     std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     int n, int k, Visit& visit) {
    for (int i = 0; i < panel.rows; ++i) {
        for (int j = 0; j < panel.columns; ++j) {
            const std::size_t at = std::size_t(i) * kPanelColumns + j;
            const int row = panel.row + i, column = panel.column + j;
            const float got = c[std::size_t(row) * n + column];
            const double bound = allowed_error(k) * kUnitRoundOff * magnitude[at];
            if (std::abs(got - panel.product[at]) <= bound) [[likely]]
                continue;  // right; NaN does not pass
            // The bound holds for errors that are random and do not underflow. A right kernel can
            // exceed it with equal products, or products near the smallest float32.
            if (std::isfinite(got) && got == sum_in_order(a, b, n, k, row, column)) continue;
            const bool more = visit(Misfit{.element = {.row = static_cast<std::uint32_t>(row),
                                                       .column = static_cast<std::uint32_t>(column),
                                                       .found = got,
                                                       .expected = panel.product[at]},
                                           .magnitude = magnitude[at],
                                           .bound = bound});
            if (!more) return false;
        }
    }
    return true;
}

bool all_non_negative(std::span<const float> values) {
    return std::ranges::all_of(values, [](float v) { return v >= 0.0f; });
}

// The factors of a product, and the C that was computed.
struct Product {
    std::span<const float> a, b, c;
    int m = 0, n = 0, k = 0;
    bool non_negative = false;  // then |A||B| is AB, which halves the work
};

Product product_of(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                   int m, int n, int k) {
    return {a, b, c, m, n, k, all_non_negative(a) && all_non_negative(b)};
}

// Calls visit(misfit) for each wrong element in kPanelRows rows of C from panel.row on, until it
// returns false.
template <class Visit>
bool for_each_misfit_of_rows(const Product& p, Panel& panel, Visit& visit) {
    panel.product.resize(std::size_t(kPanelRows) * kPanelColumns);
    panel.magnitude.resize(p.non_negative ? 0 : panel.product.size());
    panel.rows = std::min(kPanelRows, p.m - panel.row);
    for (panel.column = 0; panel.column < p.n; panel.column += kPanelColumns) {
        panel.columns = std::min(kPanelColumns, p.n - panel.column);
        multiply<false>(p.a, p.b, p.n, p.k, panel);
        if (!p.non_negative) multiply<true>(p.a, p.b, p.n, p.k, panel);
        const std::vector<double>& magnitude = p.non_negative ? panel.product : panel.magnitude;
        if (!for_each_misfit(panel, magnitude, p.a, p.b, p.c, p.n, p.k, visit)) return false;
    }
    return true;
}

// The number of threads that look for wrong elements: no more than the product has work for.
unsigned workers_of(unsigned asked, const Product& p) {
    constexpr double kMultiplyAddsOfWorker = 1 << 20;
    const double wanted = double(p.m) * p.n * p.k / kMultiplyAddsOfWorker;
    const int panels = (p.m + kPanelRows - 1) / kPanelRows;
    const unsigned workers = asked == 0 ? std::thread::hardware_concurrency() : asked;
    return std::max(1u, static_cast<unsigned>(std::min({double(workers), double(panels), wanted})));
}

}  // namespace

std::vector<float> random_matrix(int rows, int columns, std::uint64_t seed) {
    SplitMix64 random(seed);
    std::vector<float> values(std::size_t(rows) * std::size_t(columns));
    for (float& value : values)  // the high half times 6: uniform on 0..5 to one part in 2^32
        value = float(((random.next() >> 32) * 6) >> 32);
    return values;
}

double allowed_error(int k) { return 8.0 * std::sqrt(double(k)); }

Inputs random_inputs(int m, int n, int k, std::uint64_t seed) {
    return {.a = random_matrix(m, k, 2 * seed), .b = random_matrix(k, n, 2 * seed + 1)};
}

std::vector<WrongElement> wrong_elements(std::span<const float> a, std::span<const float> b,
                                         std::span<const float> c, int m, int n, int k,
                                         unsigned workers) {
    const Product product = product_of(a, b, c, m, n, k);
    std::atomic<int> next_row{0};
    const auto work = [&] {
        std::vector<WrongElement> wrong;
        const auto keep = [&](const Misfit& misfit) {
            wrong.push_back(misfit.element);
            return true;
        };
        Panel panel;
        while ((panel.row = next_row.fetch_add(kPanelRows)) < m)
            for_each_misfit_of_rows(product, panel, keep);
        return wrong;
    };
    std::vector<std::future<std::vector<WrongElement>>> helpers;
    for (unsigned i = 1; i < workers_of(workers, product); ++i) {
        try {
            helpers.push_back(std::async(std::launch::async, work));
        } catch (const std::system_error&) {
            break;  // the system gives no more threads: the others do the work
        }
    }
    std::vector<WrongElement> wrong = work();
    for (auto& helper : helpers) {
        const std::vector<WrongElement> found = helper.get();
        wrong.insert(wrong.end(), found.begin(), found.end());
    }
    // Several threads find the elements, and a wide C has panels side by side: they are not in
    // order.
    std::ranges::sort(wrong, {}, [](const WrongElement& element) {
        return std::pair(element.row, element.column);
    });
    return wrong;
}

Status check_product(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     int m, int n, int k) {
    const Product product = product_of(a, b, c, m, n, k);
    Status status = Done{};
    const auto stop = [&](const Misfit& misfit) {
        status = error_of(misfit);
        return false;
    };
    Panel panel;
    for (; panel.row < m; panel.row += kPanelRows)
        if (!for_each_misfit_of_rows(product, panel, stop)) break;
    return status;
}

}  // namespace tilereel
