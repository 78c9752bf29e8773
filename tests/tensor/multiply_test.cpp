// Products against what an H100 computed (tests/hardware/h100_mma.txt), and every instruction
// against matrices of doubles that are multiplied element by element.
#include "instrumentation/cuda/runtime/tensor/multiply.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

#include "instrumentation/cuda/runtime/tensor/matrix_numbers.h"
#include "tests/tensor/registers_of_matrices.h"

namespace tilereel::multiply_test {
namespace {

using namespace tensor_test;

Words multiplied(const WarpProduct& product, const Words& a, const Words& b, const Words& c) {
    Words d(static_cast<std::size_t>(32 * registers_of(product, MatrixOperand::kD)));
    runtime::multiply(product, a.data(), b.data(), c.data(), d.data());
    return d;
}

// C + A B in double.
Exact exact_sum(const WarpProduct& product, Matrix& a, Matrix& b, Matrix& c, MatrixElement at) {
    Exact exact{c.at(at), std::fabs(c.at(at))};
    for (int k = 0; k < product.shape.k; ++k) {
        const double x = a.at({at.row, k}), y = b.at({k, at.column});
        double addend = x * y;
        if (product.bits == BitOperation::kXor) addend = x != y;
        exact.sum += addend, exact.size += std::fabs(addend);
    }
    return exact;
}

void expect_product(const WarpProduct& product, const Words& a, const Words& b, const Words& c,
                    const Words& d, const std::string& what) {
    for (int which = 0; which < product.count(); ++which) {
        Matrix matrix_a = matrix_of(product, MatrixOperand::kA, a, which);
        Matrix matrix_b = matrix_of(product, MatrixOperand::kB, b, which);
        Matrix matrix_c = matrix_of(product, MatrixOperand::kC, c, which);
        Matrix matrix_d = matrix_of(product, MatrixOperand::kD, d, which);
        for (int row = 0; row < product.shape.m; ++row)
            for (int column = 0; column < product.shape.n; ++column) {
                const MatrixElement at{row, column};
                const Exact exact = exact_sum(product, matrix_a, matrix_b, matrix_c, at);
                if (product.d == MatrixType::kS32)
                    ASSERT_EQ(matrix_d.at(at), wrapped(product.saturates, exact.sum)) << what;
                else
                    ASSERT_NEAR(matrix_d.at(at), exact.sum,
                                bound_of(product.d, product.shape.k, exact))
                        << what;
            }
    }
}

struct Measured {
    std::string name;
    WarpProduct product;
    Words a, b, c, d;
};
Words read_words(const std::string& field) {
    std::istringstream text(field.substr(2));  // "a bd9c4050 bf90bf73 ..."
    Words words;
    text >> std::hex;
    for (std::uint32_t word; text >> word;) words.push_back(word);
    return words;
}
// Each lane has four words of C and D in the file; f16 uses the first two.
Words first_of_four(const Words& words, int count) {
    Words first;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (static_cast<int>(i % 4) < count) first.push_back(words[i]);
    return first;
}
std::vector<Measured> measured_products() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/hardware/h100_mma.txt");
    std::vector<Measured> all;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> fields;
        std::istringstream text(line);
        for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
        std::istringstream name(fields.at(0));
        std::string shape, factors, sums;
        name >> shape >> factors >> sums;
        Measured& each = all.emplace_back();
        each.name = fields.at(0) + ", case " + fields.at(1);
        each.product = find_warp_product("mma.sync.aligned." + shape + ".row.col." + sums + "." +
                                         factors + "." + factors + "." + sums)
                           .value();
        const int width = registers_of(each.product, MatrixOperand::kC);
        each.a = read_words(fields.at(2)), each.b = read_words(fields.at(3));
        each.c = first_of_four(read_words(fields.at(4)), width);
        each.d = first_of_four(read_words(fields.at(5)), width);
    }
    return all;
}

TEST(Multiply, TheH100LiesWithinTheBound) {
    const std::vector<Measured> all = measured_products();
    ASSERT_EQ(all.size(), 20u);
    for (const Measured& each : all)
        expect_product(each.product, each.a, each.b, each.c, each.d, each.name);
}

TEST(Multiply, OursLiesWithinTheBound) {
    for (const Measured& each : measured_products())
        expect_product(each.product, each.a, each.b, each.c,
                       multiplied(each.product, each.a, each.b, each.c), each.name);
}

TEST(Multiply, IntegersEqualTheH100) {
    int compared = 0;
    for (const Measured& each : measured_products()) {
        if (each.product.d != MatrixType::kS32) continue;
        EXPECT_EQ(multiplied(each.product, each.a, each.b, each.c), each.d) << each.name;
        ++compared;
    }
    EXPECT_EQ(compared, 4);
}

Words random_registers(const WarpProduct& product, MatrixOperand operand, std::mt19937& random) {
    return random_words(product.type(operand), 32 * registers_of(product, operand), random);
}

TEST(Multiply, EveryInstructionMultiplies) {
    std::mt19937 random(14);  // NOLINT: the same numbers each time
    for (const WarpProduct& product : every_warp_product()) {
        const Words a = random_registers(product, MatrixOperand::kA, random);
        const Words b = random_registers(product, MatrixOperand::kB, random);
        const Words c = random_registers(product, MatrixOperand::kC, random);
        expect_product(product, a, b, c, multiplied(product, a, b, c), instruction_of(product));
    }
}

TEST(Multiply, DMayBeC) {
    std::mt19937 random(3);  // NOLINT: the same numbers each time
    for (const WarpProduct& product : every_warp_product()) {
        if (product.c != product.d) continue;
        const Words a = random_registers(product, MatrixOperand::kA, random);
        const Words b = random_registers(product, MatrixOperand::kB, random);
        Words c = random_registers(product, MatrixOperand::kC, random);
        const Words d = multiplied(product, a, b, c);
        runtime::multiply(product, a.data(), b.data(), c.data(), c.data());
        EXPECT_EQ(c, d) << instruction_of(product);
    }
}

// All elements 127: each sum is 32 x 127 x 127 = 516,128 beyond 2^31 - 1000.
TEST(Multiply, SumsOfIntegersWrapOrSaturate) {
    WarpProduct product =
        find_warp_product("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32").value();
    const Words a(32 * 4, 0x7f7f7f7f), b(32 * 2, 0x7f7f7f7f), c(32 * 4, 0x7fffffff - 999);
    EXPECT_EQ(multiplied(product, a, b, c).front(), 0x7fffffffu - 999 + 516'128);
    product.saturates = true;
    EXPECT_EQ(multiplied(product, a, b, c).front(), 0x7fffffffu);
}

// 2048 + 16 x 1 in f16: each 1 alone would round away (the spacing at 2048 is 2), the sum does not.
TEST(Multiply, SumsInF16RoundOnce) {
    const WarpProduct product =
        find_warp_product("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16").value();
    const Words ones(32 * 4, 0x3c003c00), c(32 * 2, 0x68006800);         // 1 and 2048
    EXPECT_EQ(multiplied(product, ones, ones, c).front(), 0x68086808u);  // 2064
}

TEST(Multiply, TheLower13BitsOfTf32DoNotCount) {
    const WarpProduct product =
        find_warp_product("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32").value();
    const Words a(32 * 4, 0x3f801fff), b(32 * 2, 0x3f801fff), c(32 * 4, 0);
    EXPECT_EQ(multiplied(product, a, b, c).front(), 0x41000000u);  // 8 x 1 x 1
}

TEST(Multiply, InfinitiesAndNanPass) {
    const WarpProduct product =
        find_warp_product("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32").value();
    const Words infinite(32 * 2, 0x7c007c00), ones(32, 0x3c003c00), zeros(32, 0), c(32 * 4, 0);
    EXPECT_EQ(multiplied(product, infinite, ones, c).front(), 0x7f800000u);
    EXPECT_EQ(multiplied(product, infinite, zeros, c).front(), 0x7fffffffu);
}

// Every code of 16 bits and of 8 bits, by the definition of the format.
TEST(MatrixNumbers, EveryCode) {
    for (const MatrixType type : {MatrixType::kF16, MatrixType::kBf16, MatrixType::kE4m3,
                                  MatrixType::kE5m2, MatrixType::kS8, MatrixType::kU4})
        for (std::uint32_t code = 0; code < 1u << element_bits(type); ++code) {
            const float ours = runtime::matrix_number(type, code);
            const double defined = value_of(type, code);
            if (std::isnan(defined)) {
                ASSERT_TRUE(std::isnan(ours)) << ptx_name(type) << " " << code;
                continue;
            }
            ASSERT_EQ(ours, defined) << ptx_name(type) << " " << code;
            ASSERT_EQ(std::signbit(ours), std::signbit(defined)) << ptx_name(type) << " " << code;
        }
}

// cvt.rna.tf32.f32: 1 + 2^-11 is a tie between 1 and 1 + 2^-10 and goes away from 0.
TEST(MatrixNumbers, RoundsToTf32) {
    EXPECT_EQ(runtime::float_to_tf32(1.0f + 0x1p-11f), 0x3f802000u);
    EXPECT_EQ(runtime::float_to_tf32(-1.0f - 0x1p-11f), 0xbf802000u);
    EXPECT_EQ(runtime::float_to_tf32(1.0f + 0x1p-12f), 0x3f800000u);
    EXPECT_EQ(runtime::float_to_tf32(HUGE_VALF), 0x7f800000u);
    EXPECT_EQ(runtime::float_to_tf32(NAN), 0x7fc00000u);
}

}  // namespace
}  // namespace tilereel::multiply_test
