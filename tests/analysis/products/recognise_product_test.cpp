// Matrix products are recognised without the names of arrays and kernels.
#include "instrumentation/analysis/products/recognise_product.h"

#include <gtest/gtest.h>

#include <cstring>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "tests/trace/matrix_values.h"
#include "tests/trace/program_traces.h"

namespace tilereel::tests::recognise_product_test {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

// A ladder trace changed to what a user's program gives: three one-dimensional arrays with other
// names, and no product. `truth` is the product.
struct Nameless {
    Trace trace;
    ProductForm truth;
};
Nameless nameless(const char* kernel, int m, int n, int k, int tile) {
    Result<Trace> recorded =
        record_built_in({.kernel = kernel,
                         .parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0},
                         .inputs = {}});
    EXPECT_TRUE(recorded) << recorded.error().message;
    Nameless result{std::move(recorded).value(), {}};
    Trace& trace = result.trace;
    result.truth =
        ProductForm::dense(*trace.product, trace.launch.m, trace.launch.n, trace.launch.k);
    const MatrixProduct ids = *trace.product;
    trace.product.reset();
    trace.launch.m = trace.launch.n = trace.launch.k = trace.launch.tile = 0;
    const std::vector<std::byte> a = trace.arrays[ids.a].first_bytes,
                                 b = trace.arrays[ids.b].first_bytes,
                                 c = trace.arrays[ids.c].last_bytes;
    const std::pair<ArrayId, const char*> names[] = {{ids.a, "z"}, {ids.b, "y"}, {ids.c, "x"}};
    for (const auto& [id, name] : names) {
        Array& array = trace.arrays[id];
        array = Array::of(name, Space::kGlobal, ElementType::kFloat32, 4,
                          {{array.rows * array.columns}});
    }
    trace.arrays[ids.a].first_bytes = a;
    trace.arrays[ids.b].first_bytes = b;
    trace.arrays[ids.c].last_bytes = c;
    return result;
}

struct Case {
    const char* kernel;
    int m, n, k, tile;
};
constexpr Case kCases[] = {
    {"02_naive", 16, 24, 12, 8},          {"01_naive_by_column", 8, 16, 4, 4},
    {"09_tiled", 16, 16, 16, 8},          {"10_tiled_any_size", 13, 7, 9, 4},
    {"12_outer_product", 32, 64, 32, 16}, {"06_single_block", 16, 16, 16, 16},
    {"15_register_tile", 64, 64, 64, 16}};

TEST(RecogniseProduct, AProductIsFoundBySizesAccessesAndValues) {
    for (const Case& c : kCases) {
        const Nameless given = nameless(c.kernel, c.m, c.n, c.k, c.tile);
        const std::optional<ProductForm> found = recognise_product(given.trace);
        ASSERT_TRUE(found.has_value()) << c.kernel;
        EXPECT_EQ(*found, given.truth) << c.kernel;
    }
}

TEST(RecogniseProduct, NameProductSetsTheSizesAndMatricesOfTheTrace) {
    const Case c = kCases[0];
    Nameless given = nameless(c.kernel, c.m, c.n, c.k, c.tile);
    const Trace before = given.trace;
    name_product(given.trace, given.truth);
    const Trace& trace = given.trace;
    EXPECT_EQ(trace.product, given.truth.matrices);
    EXPECT_EQ(trace.launch.m, 16u);
    EXPECT_EQ(trace.launch.n, 24u);
    EXPECT_EQ(trace.launch.k, 12u);
    EXPECT_EQ(trace.arrays[trace.product->b].rows, 12u);
    EXPECT_EQ(trace.arrays[trace.product->b].columns, 24u);
    EXPECT_EQ(bytes_of(values_of(trace, MatrixRole::kA)),
              before.arrays[trace.product->a].first_bytes);
    EXPECT_EQ(bytes_of(values_of(trace, MatrixRole::kB)),
              before.arrays[trace.product->b].first_bytes);
    EXPECT_EQ(bytes_of(values_of(trace, MatrixRole::kC)),
              before.arrays[trace.product->c].last_bytes);
}

TEST(RecogniseProduct, AProductWithWrongValuesIsRecognised) {
    for (const Case& c : {kCases[0], kCases[2]}) {
        Nameless given = nameless(c.kernel, c.m, c.n, c.k, c.tile);
        auto& bytes = given.trace.arrays[given.truth.matrices.c].last_bytes;
        std::vector<float> values(bytes.size() / sizeof(float));
        for (std::size_t i = 0; i < values.size(); ++i)  // arbitrary values
            values[i] = static_cast<float>(i * i % 17) - 30;
        bytes = bytes_of(values);
        EXPECT_EQ(recognise_product(given.trace), given.truth) << c.kernel;
    }
}

TEST(RecogniseProduct, AScaledProductHasItsAlpha) {
    Nameless given = nameless("02_naive", 16, 24, 12, 8);
    auto& bytes = given.trace.arrays[given.truth.matrices.c].last_bytes;
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    for (float& value : values) value *= 2;
    bytes = bytes_of(values);
    given.truth.matrices.alpha = 2;
    EXPECT_EQ(recognise_product(given.trace), given.truth);
}

// Leaves only the records of block 0, and in C only what it stores.
void keep_first_block(Nameless& given) {
    Trace& trace = given.trace;
    Segments& segments = trace.segments;
    const std::size_t kept = segments_of_block(trace, 0).last;
    const std::uint64_t records = segments.record_begin[kept];
    for (auto* column : {&segments.block, &segments.epoch}) column->resize(kept);
    segments.warp.resize(kept);
    for (auto* column : {&segments.record_begin, &segments.value_begin}) column->resize(kept + 1);
    trace.records.site.resize(records);
    for (auto* column : {&trace.records.pattern, &trace.records.base}) column->resize(records);
    auto& bytes = trace.arrays[given.truth.matrices.c].last_bytes;
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    constexpr std::uint32_t kTile = 8;
    for (std::uint32_t row = 0; row < given.truth.m(); ++row)
        for (std::uint32_t column = 0; column < given.truth.n(); ++column)
            if (row >= kTile || column >= kTile) values[row * given.truth.n() + column] = 0;
    bytes = bytes_of(values);
}

TEST(RecogniseProduct, OnlyWhatTheRecordedBlocksStoreIsJudgedBeforeTheOthersRun) {
    Nameless given = nameless("02_naive", 64, 48, 12, 8);
    keep_first_block(given);
    given.trace.chosen_blocks = {0};
    auto& bytes = given.trace.arrays[given.truth.matrices.c].last_bytes;
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    for (float& value : values) value *= 2;
    values[1] += 1;
    bytes = bytes_of(values);
    given.truth.matrices.alpha = 2;
    ASSERT_EQ(recognise_product(given.trace), given.truth);
    name_product(given.trace, given.truth);
    const std::vector<WrongProductElement> wrong = wrong_product_elements(given.trace);
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_EQ(wrong[0].row, 0u);
    EXPECT_EQ(wrong[0].column, 1u);
}

TEST(RecogniseProduct, AllElementsAreJudgedIfTheOtherBlocksHaveRun) {
    Nameless given = nameless("02_naive", 64, 48, 12, 8);
    given.trace.chosen_blocks = {0};
    const std::vector<std::byte> all = given.trace.arrays[given.truth.matrices.c].last_bytes;
    keep_first_block(given);
    std::vector<float> values(all.size() / sizeof(float));
    std::memcpy(values.data(), all.data(), all.size());
    values.back() += 1;  // of the last block, which is not recorded
    given.trace.arrays[given.truth.matrices.c].last_bytes = bytes_of(values);
    name_product(given.trace, given.truth);
    EXPECT_EQ(wrong_product_elements(given.trace).size(), 1u);
}

TEST(RecogniseProduct, AKernelThatStoresFewElementsIsNotAWrongProduct) {
    Nameless given = nameless("02_naive", 64, 48, 12, 8);
    keep_first_block(given);
    given.trace.launch.grid = {1, 1, 1};
    auto& bytes = given.trace.arrays[given.truth.matrices.c].last_bytes;
    bytes = bytes_of(std::vector<float>(bytes.size() / sizeof(float), -30));
    EXPECT_FALSE(recognise_product(given.trace).has_value());
}

TEST(RecogniseProduct, OtherKernelsAreNotRecognised) {
    for (const Trace& trace :
         {reduction_trace(), transpose_trace(), histogram_trace(), stencil_trace()})
        EXPECT_FALSE(recognise_product(trace).has_value()) << trace.launch.kernel;
}

TEST(RecogniseProduct, AMatrixVectorProductIsNotRecognised) {
    EXPECT_FALSE(recognise_product(nameless("02_naive", 16, 1, 12, 8).trace).has_value());
    EXPECT_FALSE(recognise_product(nameless("02_naive", 1, 16, 12, 8).trace).has_value());
}

TEST(RecogniseProduct, WithoutContentsNothingIsFound) {
    const Nameless given = nameless("02_naive", 16, 24, 12, 8);
    ASSERT_TRUE(recognise_product(given.trace).has_value());
    for (const ArrayId id : {given.truth.matrices.a, given.truth.matrices.b}) {
        Trace without = given.trace;
        without.arrays[id].first_bytes.clear();
        EXPECT_FALSE(recognise_product(without).has_value()) << without.arrays[id].name;
    }
}

}  // namespace
}  // namespace tilereel::tests::recognise_product_test
