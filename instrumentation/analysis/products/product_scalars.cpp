#include "instrumentation/analysis/products/product_scalars.h"

#include <algorithm>
#include <cmath>

namespace tilereel {
namespace {

constexpr double kEnoughRight = 0.25;  // of the samples
constexpr double kNearlyAll = 0.9;
constexpr double kFewestRight = 8;  // fewer may be right by chance, if there are more

class ScalarFinder {
  public:
    ScalarFinder(const Trace& trace, const ProductRounding& rounding,
                 const std::vector<ProductSample>& samples, bool reads_c)
        : rounding_(rounding), samples_(samples), reads_c_(reads_c) {
        if (rounding.of_integers()) {
            for (const NamedInteger& integer : trace.launch.integers)
                given_.push_back(static_cast<double>(integer.value));
        } else {
            for (const NamedNumber& number : trace.launch.numbers) given_.push_back(number.value);
        }
    }

    std::optional<Scalars> run() {
        std::optional<Scalars> best;
        double most = 0;
        const auto telling = static_cast<double>(
            std::ranges::count_if(samples_, [](const auto& s) { return s.magnitude > 0; }));
        const double fewest = std::min(telling, kFewestRight);
        const auto take = [&](const Scalars& scalars, double least_share) {
            const double right = count_right(scalars);
            const auto all = static_cast<double>(samples_.size());
            if (right <= most || right < least_share * all || right < fewest) return;
            most = right;
            best = scalars;
        };
        for (const Scalars& scalars : given()) take(scalars, kEnoughRight);
        if (best || rounding_.of_integers()) return best;
        for (const Scalars& scalars : solved()) take(scalars, kNearlyAll);
        return best;
    }

  private:
    [[nodiscard]] double count_right(const Scalars& scalars) const {
        return static_cast<double>(std::ranges::count_if(samples_, [&](const ProductSample& s) {
            const double before = scalars.beta == 0 ? 0 : scalars.beta * s.before;
            const double magnitude = std::abs(scalars.alpha) * s.magnitude + std::abs(before);
            double expected = scalars.alpha * s.product + before;
            if (rounding_.of_integers())
                expected = rounding_.wrapped(
                    static_cast<std::uint64_t>(static_cast<std::int64_t>(expected)));
            // An element whose terms are all 0 shows nothing.
            return s.magnitude > 0 && rounding_.is_right(s.found, expected, magnitude);
        }));
    }

    // The scalars to try, in this order. If C was zero, any beta fits: the second of two arguments
    // is taken.
    [[nodiscard]] std::vector<Scalars> given() const {
        std::vector<double> alphas = {1}, betas = {0};
        alphas.insert(alphas.end(), given_.begin(), given_.end());
        if (reads_c_) {
            const bool zeros =
                std::ranges::all_of(samples_, [](const auto& s) { return s.before == 0; });
            if (zeros && given_.size() == 2 && !rounding_.of_integers())
                return {{given_[0], given_[1]}, {1, 0}, {given_[0], 0}, {given_[1], 0}};
            betas.push_back(1);
            betas.insert(betas.end(), given_.begin(), given_.end());
        }
        std::vector<Scalars> all;
        for (const double alpha : alphas)
            for (const double beta : betas)
                if (alpha != 0) all.push_back({alpha, beta});
        return all;
    }

    // Scalars solved from each sample, or from each pair of neighbouring samples.
    [[nodiscard]] std::vector<Scalars> solved() const {
        std::vector<Scalars> all;
        const auto [least, largest] =
            std::ranges::minmax(samples_, {}, [](const ProductSample& s) { return s.product; });
        constexpr std::size_t kFewest = 8;
        if (samples_.size() < kFewest || least.product == largest.product) return all;
        constexpr std::size_t kMost = 12;
        for (std::size_t i = 0; i + 1 < samples_.size() && all.size() < kMost; ++i) {
            const ProductSample &x = samples_[i], &y = samples_[i + 1];
            if (std::abs(x.product) > 0.01 * x.magnitude) add(all, x.found / x.product, 0);
            const double determinant = x.product * y.before - y.product * x.before;
            if (!reads_c_ || !(std::abs(determinant) > 1e-3 * std::abs(x.product * y.before)))
                continue;
            add(all, (x.found * y.before - y.found * x.before) / determinant,
                (x.product * y.found - y.product * x.found) / determinant);
        }
        return all;
    }

    // Adds the nearest values with few digits first, because scalars seldom have many digits.
    static void add(std::vector<Scalars>& all, double alpha, double beta) {
        if (!std::isfinite(alpha) || !std::isfinite(beta) || std::abs(alpha) < 1e-6) return;
        const auto rounded = [](double value) { return std::round(value * 1024) / 1024; };
        const auto decimal = [](double value) { return std::round(value * 10000) / 10000; };
        all.push_back({rounded(alpha), rounded(beta)});
        all.push_back({decimal(alpha), decimal(beta)});
        all.push_back({alpha, beta});
    }

    const ProductRounding& rounding_;
    const std::vector<ProductSample>& samples_;
    bool reads_c_;
    std::vector<double> given_;  // arguments of the launch
};

}  // namespace

std::optional<Scalars> find_scalars(const Trace& trace, const ProductRounding& rounding,
                                    const std::vector<ProductSample>& samples, bool reads_c) {
    if (samples.empty()) return std::nullopt;
    return ScalarFinder(trace, rounding, samples, reads_c).run();
}

Scalars likely_scalars(const Trace& trace, bool reads_c) {
    if (!reads_c) return {};
    const std::vector<NamedNumber>& numbers = trace.launch.numbers;
    if (numbers.size() == 2) return {numbers[0].value, numbers[1].value};
    return {1, 1};
}

}  // namespace tilereel
