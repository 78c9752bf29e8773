#include "instrumentation/cuda/runtime/tensor/multiply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "instrumentation/cuda/runtime/tensor/matrix_numbers.h"

namespace tilereel::runtime {
namespace {

// Why it is done in three steps. A lane's registers hold elements that are far from each other in
// the matrix, and converting and multiplying them one by one costs more than the product. So A and
// B are first converted in the order of the registers, which is a loop over plain arrays; then each
// register's numbers, which lie side by side along k, are copied to their place in A and B; then
// rows of B are added to rows of D. The first and the last step are vector instructions.
constexpr int kLanes = 32, kMostRows = 16, kColumns = 8;

// A as rows, B as rows, C and D as rows. `kMostDepth`: the largest k.
template <class Number, int kMostDepth>
struct Tiles {
    alignas(32) std::array<std::array<Number, kMostDepth>, kMostRows> a;
    alignas(32) std::array<std::array<Number, kColumns>, kMostDepth> b;
};
template <class Number>
using Sums = std::array<std::array<Number, kColumns>, kMostRows>;

// Copies `numbers`, `wide` for each register of each lane, to A's rows and B's columns. See the
// rule in warp_fragments.h.
template <int kWide, class Number, int kMostDepth>
void place(const WarpProduct& product, const Number* a, const Number* b,
           Tiles<Number, kMostDepth>& tiles) {
    const int halves = product.shape.m / 8, parts = product.shape.k / (4 * kWide);
    for (int lane = 0; lane < kLanes; ++lane) {
        const int group = lane / 4, along_k = kWide * (lane % 4);
        for (int part = 0; part < parts; ++part) {
            const int first = 4 * kWide * part + along_k;
            for (int half = 0; half < halves; ++half, a += kWide)
                std::copy_n(a, kWide, tiles.a[group + 8 * half].data() + first);
            for (int i = 0; i < kWide; ++i) tiles.b[first + i][group] = *b++;
        }
    }
}

// Calls use(number of the element in the registers of all lanes, row, column) for C and D.
template <class Use>
void for_each_sum(int rows, Use use) {
    int number = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        for (int half = 0; half < rows / 8; ++half)
            for (int i = 0; i < 2; ++i) use(number++, lane / 4 + 8 * half, 2 * (lane % 4) + i);
}

// D += A B. The loop over columns becomes vector instructions.
template <int kDepth, int kMostDepth>
void add_products(int rows, const Tiles<float, kMostDepth>& tiles, Sums<float>& sums) {
    for (int row = 0; row < rows; ++row) {
        std::array<float, kColumns> sum = sums[row];
        for (int i = 0; i < kDepth; ++i)
            for (int column = 0; column < kColumns; ++column)
                sum[column] += tiles.a[row][i] * tiles.b[i][column];
        sums[row] = sum;
    }
}

constexpr int kMostFloatDepth = 64;  // of s4
using FloatTiles = Tiles<float, kMostFloatDepth>;

void read_factors(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                  FloatTiles& tiles) {
    alignas(32) std::array<float, kMostRows * kMostFloatDepth> flat_a;
    alignas(32) std::array<float, kColumns * kMostFloatDepth> flat_b;
    matrix_numbers(product.a, a, kLanes * registers_of(product, MatrixOperand::kA), flat_a.data());
    matrix_numbers(product.b, b, kLanes * registers_of(product, MatrixOperand::kB), flat_b.data());
    switch (element_bits(product.a)) {
        case 32:
            return place<1>(product, flat_a.data(), flat_b.data(), tiles);
        case 16:
            return place<2>(product, flat_a.data(), flat_b.data(), tiles);
        case 8:
            return place<4>(product, flat_a.data(), flat_b.data(), tiles);
        default:
            return place<8>(product, flat_a.data(), flat_b.data(), tiles);
    }
}

void add_products_of_shape(const MatrixShape& shape, const FloatTiles& tiles, Sums<float>& sums) {
    switch (shape.k) {
        case 4:
            return add_products<4>(shape.m, tiles, sums);
        case 8:
            return add_products<8>(shape.m, tiles, sums);
        case 16:
            return add_products<16>(shape.m, tiles, sums);
        case 32:
            return add_products<32>(shape.m, tiles, sums);
        default:
            check(shape.k == 64);
            return add_products<64>(shape.m, tiles, sums);
    }
}

void multiply_floats(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                     const std::uint32_t* c, std::uint32_t* d) {
    FloatTiles tiles;
    read_factors(product, a, b, tiles);
    const int rows = product.shape.m, count = rows * kColumns;
    std::array<float, kMostRows * kColumns> flat;
    matrix_numbers(product.c, c, kLanes * registers_of(product, MatrixOperand::kC), flat.data());
    Sums<float> sums;
    for_each_sum(rows, [&](int i, int row, int column) { sums[row][column] = flat[i]; });
    add_products_of_shape(product.shape, tiles, sums);
    for_each_sum(rows, [&](int i, int row, int column) { flat[i] = sums[row][column]; });
    matrix_bits(product.d, flat.data(), count, d);
}

// A product of 8-bit integers is at most 2^16 and a sum of 32 of them at most 2^21, so binary32
// holds it exactly. C is added to it as an integer.
void multiply_integers(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                       const std::uint32_t* c, std::uint32_t* d) {
    FloatTiles tiles;
    read_factors(product, a, b, tiles);
    Sums<float> sums = {};
    add_products_of_shape(product.shape, tiles, sums);
    for_each_sum(product.shape.m, [&](int i, int row, int column) {
        d[i] = integer_sum(product.saturates, static_cast<std::int64_t>(sums[row][column]), c[i]);
    });
}

// A register holds 32 bits of a row of A or of a column of B, so rows and columns are words.
void multiply_bits(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                   const std::uint32_t* c, std::uint32_t* d) {
    WarpProduct words = product;
    words.shape.k /= 32;
    Tiles<std::uint32_t, 8> tiles;
    place<1>(words, a, b, tiles);
    for_each_sum(product.shape.m, [&](int i, int row, int column) {
        int ones = 0;
        for (int word = 0; word < words.shape.k; ++word) {
            const std::uint32_t x = tiles.a[row][word], y = tiles.b[word][column];
            ones += std::popcount(product.bits == BitOperation::kXor ? x ^ y : x & y);
        }
        d[i] = integer_sum(product.saturates, ones, c[i]);
    });
}

void multiply_doubles(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                      const std::uint32_t* c, std::uint32_t* d) {
    const auto copy = [&product](const std::uint32_t* registers, MatrixOperand operand,
                                 double* to) {
        std::memcpy(to, registers, sizeof(std::uint32_t) * kLanes * registers_of(product, operand));
    };
    std::array<double, kMostRows * 16> flat_a, flat_b;
    std::array<double, kMostRows * kColumns> sums;
    copy(a, MatrixOperand::kA, flat_a.data());
    copy(b, MatrixOperand::kB, flat_b.data());
    copy(c, MatrixOperand::kC, sums.data());
    Tiles<double, 16> tiles;
    place<1>(product, flat_a.data(), flat_b.data(), tiles);
    for_each_sum(product.shape.m, [&](int i, int row, int column) {
        for (int k = 0; k < product.shape.k; ++k)
            sums[i] = std::fma(tiles.a[row][k], tiles.b[k][column], sums[i]);
    });
    std::memcpy(d, sums.data(),
                sizeof(std::uint32_t) * kLanes * registers_of(product, MatrixOperand::kD));
}

// m8n8k4 with f16: four products, each of the lanes of two quads.
void multiply_quads(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
                    const std::uint32_t* c, std::uint32_t* d) {
    const auto read = [&](const std::uint32_t* registers, MatrixOperand operand, auto put) {
        std::array<float, kLanes * 8> flat;
        const int elements = elements_of(product, operand);
        matrix_numbers(product.type(operand), registers, kLanes * registers_of(product, operand),
                       flat.data());
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < elements; ++i)
                put(product_of_lane(product, lane), element_of(product, operand, lane, i),
                    flat[lane * elements + i]);
    };
    struct Quads {
        float a[8][4], b[4][8], sums[8][8];
    };
    std::array<Quads, 4> quads;
    read(a, MatrixOperand::kA,
         [&](int q, MatrixElement at, float x) { quads[q].a[at.row][at.column] = x; });
    read(b, MatrixOperand::kB,
         [&](int q, MatrixElement at, float x) { quads[q].b[at.row][at.column] = x; });
    read(c, MatrixOperand::kC,
         [&](int q, MatrixElement at, float x) { quads[q].sums[at.row][at.column] = x; });
    for (Quads& quad : quads)
        for (int row = 0; row < 8; ++row)
            for (int k = 0; k < 4; ++k)
                for (int column = 0; column < 8; ++column)
                    quad.sums[row][column] += quad.a[row][k] * quad.b[k][column];
    std::array<float, kLanes * 8> flat;
    for (int lane = 0; lane < kLanes; ++lane)
        for (int i = 0; i < 8; ++i) {
            const MatrixElement at = element_of(product, MatrixOperand::kD, lane, i);
            flat[lane * 8 + i] = quads[product_of_lane(product, lane)].sums[at.row][at.column];
        }
    matrix_bits(product.d, flat.data(), kLanes * 8, d);
}

}  // namespace

void multiply(const WarpProduct& product, const std::uint32_t* a, const std::uint32_t* b,
              const std::uint32_t* c, std::uint32_t* d) {
    if (product.count() != 1) return multiply_quads(product, a, b, c, d);
    if (product.a == MatrixType::kB1) return multiply_bits(product, a, b, c, d);
    if (product.a == MatrixType::kF64) return multiply_doubles(product, a, b, c, d);
    if (product.d == MatrixType::kS32) return multiply_integers(product, a, b, c, d);
    multiply_floats(product, a, b, c, d);
}

}  // namespace tilereel::runtime
