#include "instrumentation/cuda/runtime/tensor/multiply_warpgroup.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "instrumentation/cuda/runtime/tensor/matrix_numbers.h"

namespace tilereel::runtime {
namespace {

constexpr int kGroupRows = 64, kPieceBytes = 16, kColumnsAtOnce = 8;
constexpr int kGroupDepth = 32;  // numbers of a row of A: k, or k / 32 words of bits

// A as 64 rows, B as `depth` rows of n numbers.
template <class Number>
struct GroupTiles {
    alignas(32) std::array<std::array<Number, kGroupDepth>, kGroupRows> a;
    alignas(32) std::array<std::array<Number, 256>, kGroupDepth> b;
};

// The numbers of 16 bytes: floats, or the words of bits as they are.
int read_piece(MatrixType type, const std::uint32_t* words, float* numbers) {
    matrix_numbers(type, words, 4, numbers);
    return 128 / element_bits(type);
}
int read_piece(MatrixType, const std::uint32_t* words, std::uint32_t* numbers) {
    std::memcpy(numbers, words, kPieceBytes);
    return 4;
}

struct SharedMatrix {
    MatrixDescriptor descriptor;
    MajorDimension major = MajorDimension::kK;
    MatrixType type = MatrixType::kF16;
    int extent = 0;  // rows of A or columns of B
    int k = 0;
};

// Calls put(x, number along k, value) for the whole matrix. Returns false if it is not all there.
template <class Number, class Put>
bool read_shared(const SharedMatrix& matrix, const SharedBytes& shared, Put put) {
    const int bits = element_bits(matrix.type), in_piece = 128 / bits;
    const bool is_k_major = matrix.major == MajorDimension::kK;
    const int rows = is_k_major ? matrix.extent : matrix.k;
    const int along = is_k_major ? matrix.k : matrix.extent;
    for (int row = 0; row < rows; ++row)
        for (int first = 0; first < along; first += in_piece) {
            const int x = is_k_major ? row : first, k = is_k_major ? first : row;
            const std::uint32_t address =
                piece_address(matrix.descriptor, matrix.major, bits, x, k);
            const std::uint32_t offset = address - shared.first_address;
            if (address < shared.first_address || offset + kPieceBytes > shared.bytes.size())
                return false;
            std::array<std::uint32_t, 4> words;
            std::memcpy(words.data(), shared.bytes.data() + offset, kPieceBytes);
            std::array<Number, 16> numbers;
            const int count = read_piece(matrix.type, words.data(), numbers.data());
            const int place = first * count / in_piece;
            for (int i = 0; i < count; ++i)
                is_k_major ? put(row, place + i, numbers[i]) : put(place + i, row, numbers[i]);
        }
    return true;
}

// A from registers: each warp holds its rows as in mma.sync. `Number` fills kBits of a register.
template <class Number>
void read_registers(const WarpgroupProduct& product, const std::uint32_t* registers,
                    GroupTiles<Number>& tiles) {
    const int count = kWarpgroupThreads * registers_of(product, MatrixOperand::kA);
    std::vector<Number> numbers(static_cast<std::size_t>(kGroupRows * kGroupDepth));
    for (int i = 0; i < count; i += 4) {
        const int wide = 128 / element_bits(product.a);
        const bool is_words = product.a == MatrixType::kB1;
        read_piece(product.a, registers + i, numbers.data() + i / 4 * (is_words ? 4 : wide));
    }
    WarpgroupProduct in_numbers = product;
    if (product.a == MatrixType::kB1) in_numbers.shape.k /= 32, in_numbers.a = MatrixType::kTf32;
    const int elements = elements_of(in_numbers, MatrixOperand::kA);
    for (int thread = 0; thread < kWarpgroupThreads; ++thread)
        for (int i = 0; i < elements; ++i) {
            const MatrixElement at = element_of(in_numbers, MatrixOperand::kA, thread, i);
            tiles.a[at.row][at.column] = numbers[thread * elements + i];
        }
}

template <class Number>
bool read_tiles(const WarpgroupProduct& product, const WarpgroupFactors& factors,
                const SharedBytes& shared, GroupTiles<Number>& tiles) {
    const auto [m, n, k] = product.shape;
    if (factors.a_registers != nullptr)
        read_registers(product, factors.a_registers, tiles);
    else if (!read_shared<Number>({factors.a_descriptor, factors.a_major, product.a, m, k}, shared,
                                  [&](int x, int at, Number value) { tiles.a[x][at] = value; }))
        return false;
    return read_shared<Number>({factors.b_descriptor, factors.b_major, product.b, n, k}, shared,
                               [&](int x, int at, Number value) { tiles.b[at][x] = value; });
}

// The threads that compute, and the rows of D that they hold.
struct GroupPart {
    int first_thread = 0, end_thread = kWarpgroupThreads;
    [[nodiscard]] int first_row() const { return first_thread / 2; }
    [[nodiscard]] int end_row() const { return end_thread / 2; }
};
GroupPart part_of(int warp) {
    return warp == kAllWarps ? GroupPart{} : GroupPart{32 * warp, 32 * warp + 32};
}

// Calls use(element in the registers of all threads, row, column) for D. In a warp's part of 16
// rows an element's place is that of mma.sync.
template <class Use>
void for_each_group_sum(const WarpgroupProduct& product, const GroupPart& part, Use use) {
    const int elements = elements_of(product, MatrixOperand::kD);
    for (int thread = part.first_thread; thread < part.end_thread; ++thread)
        for (int i = 0; i < elements; ++i) {
            const int row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (i / 2 % 2);
            use(thread * elements + i, row, 8 * (i / 4) + 2 * (thread % 4) + i % 2);
        }
}

using GroupSums = std::vector<std::array<float, 256>>;

void add_group_products(const WarpgroupProduct& product, const GroupPart& part,
                        const GroupTiles<float>& tiles, bool negates, GroupSums& sums) {
    for (int row = part.first_row(); row < part.end_row(); ++row)
        for (int first = 0; first < product.shape.n; first += kColumnsAtOnce) {
            std::array<float, kColumnsAtOnce> sum;
            std::memcpy(sum.data(), sums[row].data() + first, sizeof(sum));
            for (int k = 0; k < product.shape.k; ++k) {
                const float factor = negates ? -tiles.a[row][k] : tiles.a[row][k];
                for (int i = 0; i < kColumnsAtOnce; ++i) sum[i] += factor * tiles.b[k][first + i];
            }
            std::memcpy(sums[row].data() + first, sum.data(), sizeof(sum));
        }
}

bool multiply_group_bits(const WarpgroupProduct& product, const WarpgroupFactors& factors,
                         const SharedBytes& shared, const GroupPart& part, std::uint32_t* d) {
    GroupTiles<std::uint32_t> tiles;
    if (!read_tiles(product, factors, shared, tiles)) return false;
    for_each_group_sum(product, part, [&](int i, int row, int column) {
        int ones = 0;
        for (int word = 0; word < product.shape.k / 32; ++word)
            ones += std::popcount(tiles.a[row][word] & tiles.b[word][column]);
        d[i] = integer_sum(product.saturates, ones, factors.adds_d ? d[i] : 0);
    });
    return true;
}

}  // namespace

bool multiply(const WarpgroupProduct& product, const WarpgroupFactors& factors,
              const SharedBytes& shared, std::uint32_t* d, int warp) {
    const GroupPart part = part_of(warp);
    if (product.a == MatrixType::kB1) return multiply_group_bits(product, factors, shared, part, d);
    GroupTiles<float> tiles;
    if (!read_tiles(product, factors, shared, tiles)) return false;
    const bool is_integer = product.d == MatrixType::kS32;
    const bool negates = !is_integer && factors.negates_a != factors.negates_b;
    GroupSums sums(kGroupRows);
    const int elements = elements_of(product, MatrixOperand::kD);
    std::vector<float> flat(static_cast<std::size_t>(kGroupRows * product.shape.n));
    if (factors.adds_d && !is_integer) {
        const int registers = registers_of(product, MatrixOperand::kD);
        matrix_numbers(product.d, d + part.first_thread * registers,
                       (part.end_thread - part.first_thread) * registers,
                       flat.data() + part.first_thread * elements);
        for_each_group_sum(product, part,
                           [&](int i, int row, int column) { sums[row][column] = flat[i]; });
    }
    add_group_products(product, part, tiles, negates, sums);
    for_each_group_sum(product, part, [&](int i, int row, int column) {
        flat[i] = sums[row][column];
        if (is_integer)
            d[i] = integer_sum(product.saturates, static_cast<std::int64_t>(flat[i]),
                               factors.adds_d ? d[i] : 0);
    });
    if (!is_integer)
        matrix_bits(product.d, flat.data() + part.first_thread * elements,
                    (part.end_thread - part.first_thread) * elements,
                    d + part.first_thread * registers_of(product, MatrixOperand::kD));
    return true;
}

}  // namespace tilereel::runtime
