#include "app/race/runners/product_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/race/race_values.h"

namespace tilereel::product_check_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 5;

struct Product {
    std::vector<float> rounded;     // C
    std::vector<double> magnitude;  // |A||B|
};

// A bfloat16 has 8 significant bits: the nearest multiple of 2^(e - 8) for 2^(e - 1) <= |v| < 2^e.
double rounded(double value, InputType inputs) {
    if (inputs == InputType::kFloat32) return value;
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(value, 8 - exponent)), exponent - 8);
}

// By the definition, element by element.
Product product_of(const ProductSize& size, InputType inputs = InputType::kFloat32) {
    Product product;
    for (int i = 0; i < size.m; ++i)
        for (int j = 0; j < size.n; ++j) {
            double sum = 0, magnitude = 0;
            for (int p = 0; p < size.k; ++p) {
                const double a =
                    rounded(race_value(seed_of_a(kSeed), std::uint64_t(i) * size.k + p), inputs);
                const double b =
                    rounded(race_value(seed_of_b(kSeed), std::uint64_t(p) * size.n + j), inputs);
                sum += a * b;
                magnitude += std::abs(a * b);
            }
            product.rounded.push_back(static_cast<float>(sum));
            product.magnitude.push_back(magnitude);
        }
    return product;
}

TEST(RaceValues, AreUniformFromMinusOneToOne) {
    constexpr int kCount = 1 << 16;
    double sum = 0, squares = 0;
    for (int i = 0; i < kCount; ++i) {
        const float value = race_value(seed_of_a(1), i);
        ASSERT_GE(value, -1);
        ASSERT_LT(value, 1);
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / kCount, 0, 0.01);            // sigma: 0.0023
    EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.01);  // sigma: 0.0012
}

TEST(RaceValues, DifferByMatrixAndSeed) {
    int same = 0;
    for (int i = 0; i < 1000; ++i) {
        same += race_value(seed_of_a(1), i) == race_value(seed_of_b(1), i);
        same += race_value(seed_of_a(1), i) == race_value(seed_of_a(2), i);
        same += race_value(seed_of_a(1), i) == race_value(seed_of_a(1), i + 1);
    }
    EXPECT_LE(same, 1);  // of 3000 pairs among 2^24 values
}

TEST(ProductCheck, PassesTheRightProduct) {
    for (const ProductSize size : {ProductSize{1, 1, 1}, {7, 5, 3}, {64, 32, 48}, {3, 200, 100}}) {
        const ProductCheck check(size, kSeed);
        const Verified verified = check.check(product_of(size).rounded);
        EXPECT_EQ(verified.outcome, Outcome::kVerified) << verified.sentence;
        EXPECT_LE(verified.worst_error, 1);  // rounded once
        EXPECT_EQ(verified.checked, "every element, with float64");
        EXPECT_TRUE(check.every_element());
    }
}

// Of a product whose inputs were rounded to bfloat16, that product is right, and the one of the
// float32 inputs is wrong.
TEST(ProductCheck, TakesTheInputsThatTheKernelReads) {
    const ProductSize size{7, 5, 64};
    for (const InputType inputs : {InputType::kFloat32, InputType::kBfloat16}) {
        const ProductCheck check(size, kSeed, ProductCheck::kMostMultiplyAdds, inputs);
        for (const InputType given : {InputType::kFloat32, InputType::kBfloat16}) {
            const Verified verified = check.check(product_of(size, given).rounded);
            EXPECT_EQ(verified.outcome, given == inputs ? Outcome::kVerified : Outcome::kWrong);
        }
    }
}

// An error of at most 8 sqrt(K) eps |A||B| is allowed, with eps = 2^-24 and K = 16.
TEST(ProductCheck, AppliesTheErrorBoundToEveryElement) {
    const ProductSize size{9, 11, 16};
    const Product product = product_of(size);
    const ProductCheck check(size, kSeed);
    for (std::size_t at = 0; at < product.rounded.size(); ++at) {
        const double bound = 8 * 4 * 0x1p-24 * product.magnitude[at];
        std::vector<float> c = product.rounded;
        c[at] = static_cast<float>(product.rounded[at] + 0.9 * bound);
        EXPECT_EQ(check.check(c).outcome, Outcome::kVerified) << at;
        c[at] = static_cast<float>(product.rounded[at] - 1.1 * bound);
        const Verified verified = check.check(c);
        EXPECT_EQ(verified.outcome, Outcome::kWrong) << at;
        EXPECT_GT(verified.worst_error, 32);
        EXPECT_THAT(verified.sentence, HasSubstr("C[" + std::to_string(at / 11) + "][" +
                                                 std::to_string(at % 11) + "]"));
    }
}

TEST(ProductCheck, FindsElementsThatWereNotWritten) {
    const ProductSize size{40, 50, 30};
    for (const std::uint64_t most : {1u << 27, 1u}) {  // whole, and sampled
        const ProductCheck check(size, kSeed, most);
        for (const std::size_t at : {0, 777, 1999}) {
            std::vector<float> c = product_of(size).rounded;
            for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                                      std::numeric_limits<float>::infinity()}) {
                c[at] = value;
                const Verified verified = check.check(c);
                EXPECT_EQ(verified.outcome, Outcome::kWrong);
                EXPECT_TRUE(std::isfinite(verified.worst_error));
                EXPECT_THAT(verified.sentence, HasSubstr("C[" + std::to_string(at / 50) + "][" +
                                                         std::to_string(at % 50) + "]"));
            }
        }
    }
}

TEST(ProductCheck, OfALargeProductComparesRowsAndColumns) {
    const ProductSize size{40, 50, 30};
    // Half of the limit, 9,000 multiply-adds, pays for 6 rows of 50 x 30. The other half pays for 7
    // columns of 40 x 30.
    const ProductCheck check(size, kSeed, 2 * 6 * 50 * 30);
    EXPECT_FALSE(check.every_element());
    EXPECT_EQ(check.rows().size(), 6u);
    EXPECT_EQ(check.columns().size(), 7u);
    EXPECT_EQ(check.rows().front(), 0);
    EXPECT_EQ(check.rows().back(), 39);
    EXPECT_EQ(check.columns().front(), 0);
    EXPECT_EQ(check.columns().back(), 49);

    const std::vector<float> right = product_of(size).rounded;
    const Verified verified = check.check(right);
    EXPECT_EQ(verified.outcome, Outcome::kVerified) << verified.sentence;
    EXPECT_EQ(verified.checked, "every element written; 6 rows and 7 columns, with float64");
    for (int row = 0; row < size.m; ++row) {  // the checked columns contain an element of each row
        std::vector<float> c = right;
        for (int column = 0; column < size.n; ++column)
            c[static_cast<std::size_t>(row * size.n + column)] += 1;
        EXPECT_EQ(check.check(c).outcome, Outcome::kWrong) << row;
    }
    for (int column = 0; column < size.n; ++column) {
        std::vector<float> c = right;
        for (int row = 0; row < size.m; ++row)
            c[static_cast<std::size_t>(row * size.n + column)] += 1;
        EXPECT_EQ(check.check(c).outcome, Outcome::kWrong) << column;
    }
}

}  // namespace
}  // namespace tilereel::product_check_test
