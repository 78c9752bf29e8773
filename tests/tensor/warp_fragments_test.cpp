// Layouts against the figures of the PTX ISA 9.0, each written down as its section gives it, and
// against what an H100's load_matrix_sync put into registers (tests/hardware/h100_fragments.csv).
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "instrumentation/trace/fragments/wmma_fragments.h"

namespace tilereel {
// For messages of GoogleTest.
static void PrintTo(const MatrixElement& element, std::ostream* out) {
    *out << element.row << ":" << element.column;
}
}  // namespace tilereel

namespace tilereel::warp_fragments_test {
namespace {

WarpProduct product_of(const std::string& rest) {
    return find_warp_product("mma.sync.aligned." + rest).value();
}

using Formula = std::function<MatrixElement(int group, int in_group, int i)>;

void expect_layout(const std::string& instruction, MatrixOperand operand, int elements,
                   const Formula& formula) {
    const WarpProduct product = product_of(instruction);
    ASSERT_EQ(elements_of(product, operand), elements) << instruction;
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < elements; ++i)
            ASSERT_EQ(element_of(product, operand, lane, i), formula(lane / 4, lane % 4, i))
                << instruction << ", lane " << lane << ", element " << i;
}

// "Matrix Fragments for mma.m16n8k16 with floating point type".
TEST(WarpFragments, HalfK16) {
    const std::string instruction = "m16n8k16.row.col.f32.f16.f16.f32";
    expect_layout(instruction, MatrixOperand::kA, 8, [](int group, int in_group, int i) {
        const bool upper = i < 2 || (i >= 4 && i < 6);
        return MatrixElement{upper ? group : group + 8, in_group * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    });
    expect_layout(instruction, MatrixOperand::kB, 4, [](int group, int in_group, int i) {
        return MatrixElement{in_group * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
    });
    const Formula sums = [](int group, int in_group, int i) {
        return MatrixElement{i < 2 ? group : group + 8, in_group * 2 + (i & 1)};
    };
    expect_layout(instruction, MatrixOperand::kC, 4, sums);
    expect_layout("m16n8k16.row.col.f16.f16.f16.f16", MatrixOperand::kD, 4, sums);
    expect_layout("m16n8k32.row.col.s32.s8.s8.s32", MatrixOperand::kC, 4, sums);
}

// "Matrix Fragments for mma.m16n8k8".
TEST(WarpFragments, K8) {
    expect_layout("m16n8k8.row.col.f32.bf16.bf16.f32", MatrixOperand::kA, 4,
                  [](int group, int in_group, int i) {
                      return MatrixElement{i < 2 ? group : group + 8, in_group * 2 + (i & 1)};
                  });
    expect_layout("m16n8k8.row.col.f32.bf16.bf16.f32", MatrixOperand::kB, 2,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group * 2 + i, group};
                  });
    const Formula wide = [](int group, int in_group, int i) {
        return MatrixElement{i == 0 || i == 2 ? group : group + 8, i < 2 ? in_group : in_group + 4};
    };
    expect_layout("m16n8k8.row.col.f32.tf32.tf32.f32", MatrixOperand::kA, 4, wide);
    expect_layout("m16n8k8.row.col.f64.f64.f64.f64", MatrixOperand::kA, 4, wide);
    expect_layout("m16n8k8.row.col.f32.tf32.tf32.f32", MatrixOperand::kB, 2,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group + 4 * i, group};
                  });
}

// "Matrix Fragments for mma.m16n8k4", "... m8n8k4 with .f64", "... m16n8k16 with .f64".
TEST(WarpFragments, DoublesAndK4) {
    expect_layout("m16n8k4.row.col.f32.tf32.tf32.f32", MatrixOperand::kA, 2,
                  [](int group, int in_group, int i) {
                      return MatrixElement{group + 8 * i, in_group};
                  });
    expect_layout("m8n8k4.row.col.f64.f64.f64.f64", MatrixOperand::kA, 1,
                  [](int group, int in_group, int) {
                      return MatrixElement{group, in_group};
                  });
    expect_layout("m8n8k4.row.col.f64.f64.f64.f64", MatrixOperand::kB, 1,
                  [](int group, int in_group, int) {
                      return MatrixElement{in_group, group};
                  });
    expect_layout("m8n8k4.row.col.f64.f64.f64.f64", MatrixOperand::kC, 2,
                  [](int group, int in_group, int i) {
                      return MatrixElement{group, in_group * 2 + i};
                  });
    expect_layout("m16n8k16.row.col.f64.f64.f64.f64", MatrixOperand::kA, 8,
                  [](int group, int in_group, int i) {
                      return i % 2 == 0 ? MatrixElement{group, i * 2 + in_group}
                                        : MatrixElement{group + 8, i * 2 - 2 + in_group};
                  });
    expect_layout("m16n8k16.row.col.f64.f64.f64.f64", MatrixOperand::kB, 4,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group + i * 4, group};
                  });
    EXPECT_EQ(registers_of(product_of("m16n8k16.row.col.f64.f64.f64.f64"), MatrixOperand::kA), 16);
}

// "Matrix Fragments for mma.m16n8k32", "... m16n8k16 with integer type", "... m8n8k16".
TEST(WarpFragments, Bytes) {
    for (const std::string types : {"s32.s8.u8.s32", "f32.e4m3.e5m2.f32"}) {
        expect_layout("m16n8k32.row.col." + types, MatrixOperand::kA, 16,
                      [](int group, int in_group, int i) {
                          const bool upper = i < 4 || (i >= 8 && i < 12);
                          return MatrixElement{upper ? group : group + 8,
                                               in_group * 4 + (i & 3) + (i < 8 ? 0 : 16)};
                      });
        expect_layout("m16n8k32.row.col." + types, MatrixOperand::kB, 8,
                      [](int group, int in_group, int i) {
                          return MatrixElement{in_group * 4 + (i & 3) + (i < 4 ? 0 : 16), group};
                      });
        expect_layout("m16n8k16.row.col." + types, MatrixOperand::kA, 8,
                      [](int group, int in_group, int i) {
                          return MatrixElement{i < 4 ? group : group + 8, in_group * 4 + (i & 3)};
                      });
    }
    expect_layout("m8n8k16.row.col.s32.s8.s8.s32", MatrixOperand::kA, 4,
                  [](int group, int in_group, int i) {
                      return MatrixElement{group, in_group * 4 + i};
                  });
    expect_layout("m8n8k16.row.col.s32.s8.s8.s32", MatrixOperand::kB, 4,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group * 4 + i, group};
                  });
}

// "Matrix Fragments for mma.m16n8k64", "... m8n8k32", "... m16n8k256", "... m8n8k128".
TEST(WarpFragments, NibblesAndBits) {
    expect_layout("m16n8k64.row.col.s32.u4.s4.s32", MatrixOperand::kA, 32,
                  [](int group, int in_group, int i) {
                      const bool upper = i < 8 || (i >= 16 && i < 24);
                      return MatrixElement{upper ? group : group + 8,
                                           in_group * 8 + (i & 7) + (i < 16 ? 0 : 32)};
                  });
    expect_layout("m8n8k32.row.col.s32.u4.s4.s32", MatrixOperand::kB, 8,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group * 8 + i, group};
                  });
    expect_layout("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", MatrixOperand::kA, 128,
                  [](int group, int in_group, int i) {
                      const bool upper = i < 32 || (i >= 64 && i < 96);
                      return MatrixElement{upper ? group : group + 8,
                                           in_group * 32 + (i & 31) + (i < 64 ? 0 : 128)};
                  });
    expect_layout("m8n8k128.row.col.s32.b1.b1.s32.and.popc", MatrixOperand::kB, 32,
                  [](int group, int in_group, int i) {
                      return MatrixElement{in_group * 32 + i, group};
                  });
}

// "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": lanes 0 to 15 and 16 to 31.
TEST(WarpFragments, QuadPairs) {
    const auto at = [](const std::string& instruction, MatrixOperand operand, int lane, int i) {
        return element_of(product_of(instruction), operand, lane, i);
    };
    const std::string rows = "m8n8k4.row.row.f32.f16.f16.f32";
    const std::string columns = "m8n8k4.col.col.f16.f16.f16.f16";
    EXPECT_EQ(at(rows, MatrixOperand::kA, 5, 3), (MatrixElement{1, 3}));
    EXPECT_EQ(at(rows, MatrixOperand::kA, 21, 3), (MatrixElement{5, 3}));
    EXPECT_EQ(at(columns, MatrixOperand::kA, 5, 3), (MatrixElement{3, 1}));
    EXPECT_EQ(at(columns, MatrixOperand::kA, 21, 3), (MatrixElement{7, 1}));
    EXPECT_EQ(at(rows, MatrixOperand::kB, 6, 1), (MatrixElement{2, 1}));
    EXPECT_EQ(at(rows, MatrixOperand::kB, 22, 1), (MatrixElement{2, 5}));
    EXPECT_EQ(at(columns, MatrixOperand::kB, 6, 1), (MatrixElement{1, 2}));
    EXPECT_EQ(at(columns, MatrixOperand::kB, 22, 1), (MatrixElement{1, 6}));
    EXPECT_EQ(at(columns, MatrixOperand::kC, 22, 7), (MatrixElement{6, 7}));
    // f32: row = (lane & 1) + (i & 2), column = (i & 4) + (lane & 2) + (i & 1)
    EXPECT_EQ(at(rows, MatrixOperand::kC, 3, 7), (MatrixElement{3, 7}));
    EXPECT_EQ(at(rows, MatrixOperand::kC, 18, 4), (MatrixElement{4, 6}));
    // MMA computation 1: threads 0-3 and 16-19; 2: 4-7 and 20-23; ...
    const WarpProduct product = product_of(rows);
    for (const auto& [lane, which] :
         std::map<int, int>{{0, 0}, {19, 0}, {4, 1}, {23, 1}, {11, 2}, {24, 2}, {15, 3}, {31, 3}})
        EXPECT_EQ(product_of_lane(product, lane), which) << lane;
}

// "Matrix fragments for ldmatrix": row r of a matrix lies in lanes 4 r to 4 r + 3, two elements
// each.
TEST(WarpFragments, MatrixLoads) {
    for (int lane = 0; lane < 32; ++lane)
        for (int half = 0; half < 2; ++half) {
            const MatrixElement element = matrix_load_element(false, lane, half);
            EXPECT_EQ(element.row, lane / 4);
            EXPECT_EQ(element.column, lane % 4 * 2 + half);
            const MatrixElement transposed = matrix_load_element(true, lane, half);
            EXPECT_EQ(transposed, (MatrixElement{element.column, element.row}));
        }
    EXPECT_EQ(address_lane(0, 7), 7);
    EXPECT_EQ(address_lane(3, 0), 24);
}

// ldmatrix.x4 of a row-major tile of A fills exactly the registers of A of m16n8k16, if lanes 0-7
// give rows 0-7, lanes 8-15 rows 8-15, and lanes 16-31 the same rows 8 columns further.
TEST(WarpFragments, MatrixLoadsFillA) {
    const WarpProduct product = product_of("m16n8k16.row.col.f32.bf16.bf16.f32");
    for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 8; ++i) {
            const int matrix = i / 2;
            const MatrixElement in_matrix = matrix_load_element(false, lane, i % 2);
            EXPECT_EQ(
                element_of(product, MatrixOperand::kA, lane, i),
                (MatrixElement{in_matrix.row + matrix % 2 * 8, in_matrix.column + matrix / 2 * 8}));
        }
}

// Rows of h100_fragments.csv: {fragment: elements by lane}
using Fragments = std::map<std::string, std::map<int, std::vector<MatrixElement>>>;
Fragments read_fragments() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/hardware/h100_fragments.csv");
    Fragments fragments;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string name, field;
        std::getline(fields, name, ',');
        for (int skipped = 0; skipped < 2; ++skipped) std::getline(fields, field, ',');
        std::getline(fields, field, ',');
        std::vector<MatrixElement>& elements = fragments[name][std::stoi(field)];
        char colon = 0;
        for (MatrixElement element; fields >> element.row >> colon >> element.column;)
            elements.push_back(element);
    }
    return fragments;
}

// Every fragment in the table, and that the rule has every one of its elements and no other.
TEST(WmmaFragments, EqualTheH100) {
    const std::map<std::string, MatrixType> types = {{"half", MatrixType::kF16},
                                                     {"bfloat16", MatrixType::kBf16},
                                                     {"tf32", MatrixType::kTf32},
                                                     {"float", MatrixType::kF32},
                                                     {"double", MatrixType::kF64}};
    const Fragments fragments = read_fragments();
    ASSERT_EQ(fragments.size(), 27u);
    for (const auto& [name, lanes] : fragments) {  // "half 16x16x16 a row"
        std::istringstream words(name);
        std::string type, matrix;
        char x = 0;
        WmmaProduct product;
        words >> type >> product.shape.m >> x >> product.shape.n >> x >> product.shape.k >> matrix;
        product.a = product.b = product.c = product.d = types.at(type);
        const MatrixOperand operand = matrix == "a"   ? MatrixOperand::kA
                                      : matrix == "b" ? MatrixOperand::kB
                                                      : MatrixOperand::kC;
        const int elements = elements_of(product, operand);
        ASSERT_EQ(lanes.size(), 32u) << name;
        for (const auto& [lane, held] : lanes) {
            ASSERT_GE(static_cast<int>(held.size()), elements) << name;
            for (std::size_t i = 0; i < held.size(); ++i)
                ASSERT_EQ(held[i],
                          element_of(product, operand, lane, static_cast<int>(i) % elements))
                    << name << ", lane " << lane << ", element " << i;
        }
    }
}

// Shapes that the table lacks. s8 32x8x16: A is two fragments of m16n8k16, one below the other.
// 8x32x16: B is A's fragment of the transposed product. s4 8x8x32: one product.
TEST(WmmaFragments, BytesAndNibbles) {
    using enum MatrixType;
    WmmaProduct bytes{.shape = {32, 8, 16}, .a = kS8, .b = kS8, .c = kS32, .d = kS32};
    EXPECT_EQ(elements_of(bytes, MatrixOperand::kA), 16);
    EXPECT_EQ(elements_of(bytes, MatrixOperand::kB), 4);
    EXPECT_EQ(element_of(bytes, MatrixOperand::kA, 5, 8 + 6), (MatrixElement{16 + 9, 6}));
    bytes.shape = {8, 32, 16};
    EXPECT_EQ(element_of(bytes, MatrixOperand::kB, 5, 8 + 6), (MatrixElement{6, 16 + 9}));
    EXPECT_EQ(element_of(bytes, MatrixOperand::kC, 5, 2), (MatrixElement{2, 9}));
    const WmmaProduct nibbles{.shape = {8, 8, 32}, .a = kS4, .b = kS4, .c = kS32, .d = kS32};
    EXPECT_EQ(elements_of(nibbles, MatrixOperand::kA), 8);
    EXPECT_EQ(element_of(nibbles, MatrixOperand::kB, 6, 3), (MatrixElement{19, 1}));
}

}  // namespace
}  // namespace tilereel::warp_fragments_test
