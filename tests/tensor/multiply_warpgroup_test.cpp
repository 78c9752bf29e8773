// wgmma against matrices of doubles. The matrices are put into shared memory as a program or the
// TMA puts them there, by rules of this file.
#include "instrumentation/cuda/runtime/tensor/multiply_warpgroup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/tensor/registers_of_matrices.h"

namespace tilereel::multiply_warpgroup_test {
namespace {

using namespace tensor_test;

constexpr std::uint32_t kFirstAddress = 0x400, kStartA = 0x1000, kStartB = 0x8000;
constexpr MajorDimension kK = MajorDimension::kK, kMN = MajorDimension::kMN;

// Codes of a matrix; x is a row of A or a column of B.
struct Codes {
    int extent = 0, k = 0;
    std::vector<std::uint64_t> codes;
    [[nodiscard]] std::uint64_t at(int x, int along_k) const {
        return codes[static_cast<std::size_t>(x * k + along_k)];
    }
};
Codes random_codes(MatrixType type, int extent, int k, std::mt19937& random) {
    Codes matrix{extent, k, {}};
    for (int i = 0; i < extent * k; ++i) matrix.codes.push_back(random_code(type, random));
    return matrix;
}

// A tile in shared memory: where byte 0 of an element lies, behind the tile's start.
struct Layout {
    MajorDimension major = kK;
    MatrixDescriptor descriptor;
    std::function<std::uint32_t(std::uint32_t x, std::uint32_t k_byte)> place;
};
// The TMA's swizzle of rows of `width` bytes: the piece's place in 128 bytes ^= number of the line.
std::uint32_t swizzled(std::uint32_t offset, std::uint32_t width) {
    return offset ^ (offset / 128 % (width / 16)) * 16;
}
// Rows of `width` bytes along k, one below the other.
Layout rows_along_k(std::uint32_t width, Swizzle swizzle) {
    return {
        kK,
        {.stride_bytes = 8 * width, .swizzle = swizzle},
        [width](std::uint32_t x, std::uint32_t byte) { return swizzled(x * width + byte, width); }};
}
// Core matrices of 8 rows x 16 bytes, two side by side.
Layout core_matrices() {
    return {
        kK, {.leading_bytes = 128, .stride_bytes = 256}, [](std::uint32_t x, std::uint32_t byte) {
            return x / 8 * 256 + byte / 16 * 128 + x % 8 * 16 + byte % 16;
        }};
}
// 16-bit elements, k rows of `width` bytes along n; the next columns lie behind all rows of k.
Layout rows_along_n(std::uint32_t width, Swizzle swizzle) {
    const std::uint32_t box = 16 * width;
    return {kMN,
            {.leading_bytes = box, .stride_bytes = 8 * width, .swizzle = swizzle},
            [width, box](std::uint32_t x, std::uint32_t byte) {
                return x * 2 / width * box + swizzled(byte / 2 * width + x * 2 % width, width);
            }};
}
Layout core_matrices_along_n() {
    return {
        kMN, {.leading_bytes = 128, .stride_bytes = 256}, [](std::uint32_t x, std::uint32_t byte) {
            const std::uint32_t k = byte / 2;
            return x / 8 * 256 + k / 8 * 128 + k % 8 * 16 + x % 8 * 2;
        }};
}

struct Shared {
    std::vector<std::byte> bytes = std::vector<std::byte>(0x10000);
    void put(std::uint32_t start, const Layout& layout, MatrixType type, const Codes& matrix) {
        const int bits = element_bits(type);
        for (int x = 0; x < matrix.extent; ++x)
            for (int k = 0; k < matrix.k; ++k) {
                const std::uint64_t code = matrix.at(x, k);
                const std::size_t at = start - kFirstAddress +
                                       layout.place(static_cast<std::uint32_t>(x),
                                                    static_cast<std::uint32_t>(k * bits / 8));
                bytes[at] |= static_cast<std::byte>(code << (k * bits % 8));
                for (int i = 1; i < bits / 8; ++i)
                    bytes[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(code >> 8 * i);
            }
    }
    [[nodiscard]] runtime::SharedBytes view() const { return {bytes, kFirstAddress}; }
};

Words registers_of_a(const WarpgroupProduct& product, const Codes& a) {
    Words words(static_cast<std::size_t>(128 * registers_of(product, MatrixOperand::kA)));
    const int elements = elements_of(product, MatrixOperand::kA), bits = element_bits(product.a);
    for (int thread = 0; thread < 128; ++thread)
        for (int i = 0; i < elements; ++i) {
            const MatrixElement at = element_of(product, MatrixOperand::kA, thread, i);
            const int bit = (thread * elements + i) * bits;
            words[static_cast<std::size_t>(bit / 32)] |=
                static_cast<std::uint32_t>(a.at(at.row, at.column) << bit % 32);
        }
    return words;
}

Exact exact_sum(const WarpgroupProduct& product, const Codes& a, const Codes& b, MatrixElement at,
                double before, double sign) {
    Exact exact{before, std::fabs(before)};
    for (int k = 0; k < product.shape.k; ++k) {
        const double addend =
            sign * value_of(product.a, a.at(at.row, k)) * value_of(product.b, b.at(at.column, k));
        exact.sum += addend, exact.size += std::fabs(addend);
    }
    return exact;
}

struct Operands {
    Codes a, b;
    Words before, after;  // D
};
void expect_sums(const WarpgroupProduct& product, const Operands& operands, bool adds,
                 double sign) {
    const int elements = elements_of(product, MatrixOperand::kD);
    const int width = registers_of(product, MatrixOperand::kD);
    for (int thread = 0; thread < 128; ++thread)
        for (int i = 0; i < elements; ++i) {
            const auto value = [&](const Words& words) {
                return value_of(product.d, bits_of_element(words, product.d, thread * width, i));
            };
            const MatrixElement at = element_of(product, MatrixOperand::kD, thread, i);
            const Exact exact = exact_sum(product, operands.a, operands.b, at,
                                          adds ? value(operands.before) : 0, sign);
            if (product.d == MatrixType::kS32)
                ASSERT_EQ(value(operands.after), wrapped(product.saturates, exact.sum));
            else
                ASSERT_NEAR(value(operands.after), exact.sum,
                            bound_of(product.d, product.shape.k, exact));
        }
}

// Multiplies random matrices in the given layouts. Without a layout A lies in registers.
void expect_product(const WarpgroupProduct& product, const Layout* layout_a, const Layout& layout_b,
                    runtime::WarpgroupFactors factors, std::mt19937& random) {
    SCOPED_TRACE(instruction_of(product));
    const auto [m, n, k] = product.shape;
    Operands operands;
    operands.a = random_codes(product.a, m, k, random);
    operands.b = random_codes(product.b, n, k, random);
    operands.before =
        random_words(product.d, 128 * registers_of(product, MatrixOperand::kD), random);
    Shared shared;
    Words registers;
    if (layout_a != nullptr) {
        factors.a_major = layout_a->major, factors.a_descriptor = layout_a->descriptor;
        factors.a_descriptor.start_bytes = kStartA;
        shared.put(kStartA, *layout_a, product.a, operands.a);
    } else {
        registers = registers_of_a(product, operands.a);
        factors.a_registers = registers.data();
    }
    factors.b_major = layout_b.major, factors.b_descriptor = layout_b.descriptor;
    factors.b_descriptor.start_bytes = kStartB;
    shared.put(kStartB, layout_b, product.b, operands.b);
    operands.after = operands.before;
    ASSERT_TRUE(runtime::multiply(product, factors, shared.view(), operands.after.data()));
    expect_sums(product, operands, factors.adds_d, factors.negates_a != factors.negates_b ? -1 : 1);
}

WarpgroupProduct group_product(const std::string& rest) {
    return find_warpgroup_product("wgmma.mma_async.sync.aligned." + rest).value();
}

TEST(MultiplyWarpgroup, EveryTypeWithThreeWidths) {
    std::mt19937 random(24);  // NOLINT: the same numbers each time
    const Layout wide = rows_along_k(128, Swizzle::k128Bytes);
    for (const WarpgroupProduct& product : every_warpgroup_product()) {
        const int n = product.shape.n;
        if (n != 8 && n != 48 && n != 256) continue;
        expect_product(product, n == 48 ? nullptr : &wide, wide, {}, random);
    }
}

TEST(MultiplyWarpgroup, EveryLayout) {
    std::mt19937 random(25);  // NOLINT: the same numbers each time
    const std::vector<Layout> layouts = {
        core_matrices(),
        rows_along_k(32, Swizzle::k32Bytes),
        rows_along_k(64, Swizzle::k64Bytes),
        rows_along_k(128, Swizzle::k128Bytes),
        core_matrices_along_n(),
        rows_along_n(32, Swizzle::k32Bytes),
        rows_along_n(64, Swizzle::k64Bytes),
        rows_along_n(128, Swizzle::k128Bytes),
    };
    const WarpgroupProduct product = group_product("m64n128k16.f32.bf16.bf16");
    for (const Layout& a : layouts)
        for (const Layout& b : layouts) expect_product(product, &a, b, {}, random);
}

TEST(MultiplyWarpgroup, ScalesAndLeavesOutD) {
    std::mt19937 random(26);  // NOLINT: the same numbers each time
    const WarpgroupProduct product = group_product("m64n16k16.f16.f16.f16");
    const Layout layout = core_matrices();
    expect_product(product, &layout, layout, {.negates_a = true}, random);
    expect_product(product, &layout, layout, {.negates_b = true}, random);
    expect_product(product, &layout, layout, {.negates_a = true, .negates_b = true}, random);
    expect_product(product, &layout, layout, {.adds_d = false}, random);
}

TEST(MultiplyWarpgroup, StopsOutsideSharedMemory) {
    const WarpgroupProduct product = group_product("m64n16k16.f32.f16.f16");
    const Shared shared;
    Words d(static_cast<std::size_t>(128 * registers_of(product, MatrixOperand::kD)), 7);
    const Words before = d;
    runtime::WarpgroupFactors factors;
    factors.a_descriptor = factors.b_descriptor = core_matrices().descriptor;
    factors.a_descriptor.start_bytes = kStartA;
    // 16 columns are 512 bytes. The last byte of shared memory has address 0x400 + 0xffff.
    factors.b_descriptor.start_bytes = 0x10400 - 512;
    EXPECT_TRUE(runtime::multiply(product, factors, shared.view(), d.data()));
    d = before;
    factors.b_descriptor.start_bytes += 16;
    EXPECT_FALSE(runtime::multiply(product, factors, shared.view(), d.data()));
    factors.b_descriptor.start_bytes = kFirstAddress - 16;
    EXPECT_FALSE(runtime::multiply(product, factors, shared.view(), d.data()));
    EXPECT_EQ(d, before);
}

}  // namespace
}  // namespace tilereel::multiply_warpgroup_test
