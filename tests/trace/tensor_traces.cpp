#include "tests/trace/tensor_traces.h"

#include "instrumentation/trace/fragments/warp_fragments.h"
#include "tests/trace/program_trace_writer.h"

namespace tilereel::tests {
namespace {

constexpr std::uint32_t kRowBytes = 128, kPieceBytes = 16;
constexpr WarpProduct kProduct{.shape = {16, 8, 16},
                               .a = MatrixType::kBf16,
                               .b = MatrixType::kBf16,
                               .c = MatrixType::kF32,
                               .d = MatrixType::kF32};

std::uint32_t bf16(float value) { return std::bit_cast<std::uint32_t>(value) >> 16; }

std::uint32_t address(const TensorTraceOptions& options, std::uint32_t row, std::uint32_t piece) {
    return kRowBytes * row + kPieceBytes * (options.swizzled ? piece ^ row % 8 : piece);
}

}  // namespace

float tensor_a(const TensorTraceOptions& options, int row, int k) {
    return options.all_ones ? 1.0f : static_cast<float>((row * 7 + k * 3) % 11);
}
float tensor_b(const TensorTraceOptions& options, int k, int column) {
    return options.all_ones ? 1.0f : static_cast<float>((k * 5 + column * 2) % 7);
}
float tensor_sum(const TensorTraceOptions& options, int row, int column, int k) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += tensor_a(options, row, i) * tensor_b(options, i, column);
    return sum;
}

Trace tensor_trace(const TensorTraceOptions& options) {
    ProgramTraceWriter w("tensor",
                         "__global__ void tensor(float* C) {\n"
                         "    __shared__ __nv_bfloat16 As[16 * 64], Bs[32 * 64];\n"
                         "    fill(As);\n"
                         "    fill(Bs);\n"
                         "    __syncthreads();\n"
                         "    for (int kk = 0; kk < 2; ++kk) {\n"
                         "        ldmatrix_x4(a, As);\n"
                         "        ldmatrix_x2(b, Bs);\n"
                         "        mma(c, a, b);\n"
                         "    }\n"
                         "    store(C, c);\n"
                         "}\n",
                         {1, 1, 1}, {32, 1, 1});
    const ArrayId c = w.array("C", Space::kGlobal, ElementType::kFloat32, 4, {{16, 8}});
    const ArrayId as =
        w.array("As", Space::kShared, ElementType::kBfloat16, 2, {{16 * kRowBytes / 2}});
    const ArrayId bs =
        w.array("Bs", Space::kShared, ElementType::kBfloat16, 2, {{32 * kRowBytes / 2}});
    const std::uint32_t bs_at = w.trace.arrays[bs].base_bytes;
    w.segment(0, 0, 0);
    // Element `at` of the piece of a tile's row.
    const auto fill = [&](std::uint32_t line, ArrayId tile, std::uint32_t base, std::uint32_t rows,
                          std::uint32_t pieces, auto&& element) {
        for (std::uint32_t first = 0; first < rows * pieces; first += kWarpSize)
            w.access(
                site(line, Operation::kStore, tile, 16),
                [&](std::uint32_t lane) {
                    const std::uint32_t piece = first + lane;
                    return base + address(options, piece / pieces, piece % pieces);
                },
                [&](std::uint32_t lane) {
                    const std::uint32_t piece = first + lane;
                    std::vector<std::uint32_t> words(4);
                    for (std::uint32_t i = 0; i < 8; ++i)
                        words[i / 2] |= bf16(element(static_cast<int>(piece / pieces),
                                                     static_cast<int>(piece % pieces * 8 + i)))
                                        << 16 * (i % 2);
                    return words;
                });
    };
    fill(3, as, 0, 16, 4, [&](int row, int k) { return tensor_a(options, row, k); });
    if (options.transposes)
        fill(4, bs, bs_at, 32, 1, [&](int k, int column) { return tensor_b(options, k, column); });
    else
        fill(4, bs, bs_at, 8, 4, [&](int column, int k) { return tensor_b(options, k, column); });
    w.plain(site(5, Operation::kBarrier));
    w.segment(0, 1, 0);
    for (std::uint32_t kk = 0; kk < 2; ++kk) {
        w.access(site(7, Operation::kMatrixLoad, as, 16), [&](std::uint32_t lane) {
            return address(options, lane % 16, 2 * kk + lane / 16);
        });
        Site load_b = site(8, Operation::kMatrixLoad, bs, 16);
        load_b.variety = options.transposes ? 1 : 0;
        w.access(
            load_b,
            [&](std::uint32_t lane) {
                return bs_at + (options.transposes ? address(options, 16 * kk + lane, 0)
                                                   : address(options, lane % 8, 2 * kk + lane / 8));
            },
            nullptr, 0xffff);
        if (!options.multiplies) continue;
        const int k0 = static_cast<int>(16 * kk);
        w.plain(site(9, Operation::kMatrixProduct, kNoArray, 40), kProduct.code(),
                [&](std::uint32_t lane) {
                    std::vector<std::uint32_t> words(10);
                    const auto at = [&](MatrixOperand operand, int index) {
                        return element_of(kProduct, operand, static_cast<int>(lane), index);
                    };
                    for (int i = 0; i < 8; ++i) {
                        const MatrixElement e = at(MatrixOperand::kA, i);
                        words[static_cast<std::size_t>(i / 2)] |=
                            bf16(tensor_a(options, e.row, k0 + e.column)) << 16 * (i % 2);
                    }
                    for (int i = 0; i < 4; ++i) {
                        const MatrixElement e = at(MatrixOperand::kB, i);
                        words[static_cast<std::size_t>(4 + i / 2)] |=
                            bf16(tensor_b(options, k0 + e.row, e.column)) << 16 * (i % 2);
                    }
                    for (int i = 0; i < 4; ++i) {
                        const MatrixElement e = at(MatrixOperand::kD, i);
                        words[static_cast<std::size_t>(6 + i)] = std::bit_cast<std::uint32_t>(
                            tensor_sum(options, e.row, e.column, k0 + 16));
                    }
                    return words;
                });
    }
    for (std::uint32_t half = 0; half < 2; ++half)
        w.access(
            site(11, Operation::kStore, c, 8),
            [&](std::uint32_t lane) { return 4 * (8 * (lane / 4 + 8 * half) + 2 * (lane % 4)); },
            [&](std::uint32_t lane) {
                std::vector<std::uint32_t> words;
                for (int i = 0; i < 2; ++i)
                    words.push_back(std::bit_cast<std::uint32_t>(
                        tensor_sum(options, static_cast<int>(lane / 4 + 8 * half),
                                   static_cast<int>(2 * (lane % 4)) + i, 32)));
                return words;
            });
    return w.finish();
}

}  // namespace tilereel::tests
