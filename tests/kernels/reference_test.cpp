#include "kernels/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace tilereel::reference_test {
namespace {

using ::testing::HasSubstr;

TEST(RandomMatrix, HoldsWholeNumbersZeroToFiveEvenly) {
    const std::vector<float> values = random_matrix(100, 600, 7);
    std::array<int, 6> seen{};
    for (const float value : values) {
        ASSERT_EQ(value, std::floor(value));
        ASSERT_GE(value, 0.0f);
        ASSERT_LE(value, 5.0f);
        ++seen[static_cast<std::size_t>(value)];
    }
    for (const int count : seen)  // 10,000 expected, standard deviation 91
        EXPECT_NEAR(count, 10000, 500);
}

TEST(RandomMatrix, DependsOnTheSeedAlone) {
    EXPECT_EQ(random_matrix(8, 9, 3), random_matrix(8, 9, 3));
    EXPECT_NE(random_matrix(8, 9, 3), random_matrix(8, 9, 4));
    const Inputs inputs = random_inputs(4, 6, 5, 1);
    EXPECT_EQ(inputs.a.size(), 20u);
    EXPECT_EQ(inputs.b.size(), 30u);
}

// C by the definition, in float64.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int m, int n,
                           int k) {
    std::vector<float> c;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int p = 0; p < k; ++p)
                sum += double(a[static_cast<std::size_t>(i * k + p)]) *
                       double(b[static_cast<std::size_t>(p * n + j)]);
            c.push_back(float(sum));
        }
    return c;
}

TEST(CheckProduct, AcceptsTheProductOfAnyShape) {
    for (const auto& [m, n, k] :
         std::vector<std::array<int, 3>>{{1, 1, 1}, {17, 3, 40}, {16, 513, 2}, {33, 1030, 7}}) {
        const Inputs in = random_inputs(m, n, k, 5);
        EXPECT_TRUE(check_product(in.a, in.b, product(in.a, in.b, m, n, k), m, n, k));
    }
}

TEST(CheckProduct, NamesTheFirstWrongElement) {
    const Inputs in = random_inputs(20, 600, 9, 5);
    std::vector<float> c = product(in.a, in.b, 20, 600, 9);
    c[17 * 600 + 555] += 1.0f;
    const Status status = check_product(in.a, in.b, c, 20, 600, 9);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kFailed);
    EXPECT_THAT(status.error().message, HasSubstr("C[17][555]"));
}

TEST(CheckProduct, RejectsElementsThatWereNeverWritten) {
    const std::vector<float> one = {1.0f};
    const std::vector<float> nan = {std::numeric_limits<float>::quiet_NaN()};
    EXPECT_FALSE(check_product(one, one, nan, 1, 1, 1));
}

TEST(WrongElements, AreListedRowByRow) {
    constexpr int kM = 20, kN = 600, kK = 9;  // wider than a panel of the reference
    const Inputs in = random_inputs(kM, kN, kK, 5);
    const std::vector<float> right = product(in.a, in.b, kM, kN, kK);
    EXPECT_TRUE(wrong_elements(in.a, in.b, right, kM, kN, kK).empty());
    std::vector<float> c = right;
    c[17 * kN + 3] = std::numeric_limits<float>::quiet_NaN();
    c[2 * kN + 599] += 1.0f;
    c[2 * kN + 1] -= 2.0f;
    const std::vector<WrongElement> wrong = wrong_elements(in.a, in.b, c, kM, kN, kK);
    ASSERT_EQ(wrong.size(), 3u);
    const std::array<std::array<std::uint32_t, 2>, 3> places{{{2, 1}, {2, 599}, {17, 3}}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t at = std::size_t{places[i][0]} * kN + places[i][1];
        EXPECT_EQ(wrong[i].row, places[i][0]);
        EXPECT_EQ(wrong[i].column, places[i][1]);
        EXPECT_EQ(wrong[i].expected, double(right[at]));
        EXPECT_TRUE(wrong[i].found == c[at] || std::isnan(c[at]));
    }
}

// Large enough for several threads: each takes rows of C.
TEST(WrongElements, AreFoundByAnyNumberOfThreads) {
    constexpr int kM = 170, kN = 200, kK = 300;
    const Inputs in = random_inputs(kM, kN, kK, 7);
    std::vector<float> c = product(in.a, in.b, kM, kN, kK);
    std::vector<std::array<std::uint32_t, 2>> places;
    for (std::uint32_t row = 3; row < kM; row += 13) {
        places.push_back({row, row});
        c[std::size_t{row} * kN + row] += 1.0f;
    }
    for (const unsigned workers : {0u, 1u, 2u, 5u, 64u}) {
        const auto wrong = wrong_elements(in.a, in.b, c, kM, kN, kK, workers);
        ASSERT_EQ(wrong.size(), places.size()) << workers;
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_EQ(wrong[i].row, places[i][0]) << workers;
            EXPECT_EQ(wrong[i].column, places[i][1]) << workers;
        }
    }
}

// |err| <= 8 eps sqrt(K) (|A||B|) with eps = 2^-24: K = 4 of ones and minus ones, product 0, bound
// 8 x 2^-24 x 2 x 4 = 2^-18.
TEST(CheckProduct, HoldsTheErrorBoundAtCancellation) {
    const std::vector<float> a = {1, -1, 1, -1}, b = {1, 1, 1, 1};
    const float bound = 0x1p-18f;
    EXPECT_TRUE(check_product(a, b, std::vector<float>{bound}, 1, 1, 4));
    EXPECT_FALSE(check_product(a, b, std::vector<float>{bound * 1.001f}, 1, 1, 4));
}

// The sum of K equal products, in float32 in the order of k: each addition within a binade errs by
// the same amount, so errors grow with K, not with its root.
TEST(CheckProduct, AcceptsFloat32SumsWhoseErrorsAddUp) {
    constexpr int kTerms = 4000;
    const std::vector<float> a(kTerms, 0.7f), b(kTerms, 0.3f);
    float sum = 0;
    for (int p = 0; p < kTerms; ++p) {
        const float product = 0.7f * 0.3f;
        sum += product;
    }
    const double exact = kTerms * double(0.7f) * double(0.3f);
    ASSERT_GT(std::abs(sum - exact), 8 * 0x1p-24 * std::sqrt(double(kTerms)) * exact);
    EXPECT_TRUE(check_product(a, b, std::vector<float>{sum}, 1, 1, kTerms));
    EXPECT_FALSE(check_product(a, b, std::vector<float>{std::nextafter(sum, 1e9f)}, 1, 1, kTerms));
}

TEST(CheckProduct, AcceptsProductsThatUnderflow) {
    const std::vector<float> tiny = {1e-30f}, small = {3e-23f};
    EXPECT_TRUE(check_product(tiny, tiny, std::vector<float>{0.0f}, 1, 1, 1));
    const float subnormal = 3e-23f * 3e-23f;  // 9e-46 rounds to 2^-149
    EXPECT_EQ(subnormal, 0x1p-149f);
    EXPECT_TRUE(check_product(small, small, std::vector<float>{subnormal}, 1, 1, 1));
    EXPECT_FALSE(check_product(small, small, std::vector<float>{2 * subnormal}, 1, 1, 1));
}

TEST(CheckProduct, SaysThatASumIsTooLargeForFloat32) {
    const std::vector<float> a = {3e38f, 3e38f, -3e38f}, b = {1, 1, 1};
    const float infinity = std::numeric_limits<float>::infinity();
    const Status status = check_product(a, b, std::vector<float>{infinity}, 1, 1, 3);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("too large for float32"));
    EXPECT_THAT(status.error().message, HasSubstr("smaller numbers"));
}

TEST(CheckProduct, RejectsInfinityAgainstAFiniteProduct) {
    const std::vector<float> one = {1.0f};
    EXPECT_FALSE(check_product(one, one, std::vector<float>{std::numeric_limits<float>::infinity()},
                               1, 1, 1));
}

}  // namespace
}  // namespace tilereel::reference_test
