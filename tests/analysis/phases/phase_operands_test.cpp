// The operands in the phase tables of kernels that keep values in registers, in two buffers or
// beside zeros, against the kernels' own index arithmetic. The inputs are whole numbers from 0 to
// 5, so that many values are equal and no value identifies the element that it came from.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/phases/phase_table.h"

namespace tilereel::phase_operands_test {
namespace {

constexpr ArrayId kA = 0, kB = 1, kC = 2, kAs = 3, kBs = 4;

Trace recorded(std::string_view kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

struct Multiplied {  // what was multiplied, where it was read, where it came from
    ElementName a_read, b_read;
    std::optional<ElementName> a, b;
    bool operator==(const Multiplied&) const = default;
};
using Column = std::vector<Multiplied>;  // of one element of C, in order
struct Loaded {
    std::optional<ElementName> from, to;
    bool operator==(const Loaded&) const = default;
};
unsigned u(int value) { return static_cast<unsigned>(value); }

std::vector<Loaded> loads_of(const PhaseCell& cell) {
    std::vector<Loaded> loads;
    for (const PhaseLoad& load : cell.loads) loads.push_back({load.from, load.to});
    return loads;
}

std::map<std::pair<unsigned, unsigned>, Column> products_of(const PhaseCell& cell) {
    std::map<std::pair<unsigned, unsigned>, Column> columns;
    for (const PhaseSum& sum : cell.sums) {
        if (!sum.c) continue;
        EXPECT_EQ(sum.c->array, kC);
        Column& column = columns[{sum.c->row, sum.c->column}];
        EXPECT_TRUE(column.empty()) << "one sum an element";
        for (const Product& product : sum.products) {
            EXPECT_TRUE(product.a && product.b);
            if (product.a && product.b)
                column.push_back(
                    {product.a->read, product.b->read, product.a->origin, product.b->origin});
        }
    }
    return columns;
}

PhaseTable table_of(const Trace& trace, std::uint32_t block) {
    Result<PhaseTable> table = phase_table(trace, block);
    EXPECT_TRUE(table) << table.error().message;
    return std::move(table).value();
}

TEST(PhaseOperands, OfGlobalMemoryAlone) {
    constexpr int kTile = 4;
    const Trace trace = recorded("03_guide_simple", {.m = 8, .n = 12, .k = kTile, .tile = kTile});
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        const PhaseTable table = table_of(trace, block);
        ASSERT_EQ(table.phases, u(kTile));
        for (const PhaseThread& thread : table.threads)
            for (std::uint32_t k = 0; k < table.phases; ++k) {
                const std::uint32_t row = table.block_y * kTile + thread.y;
                const std::uint32_t column = table.block_x * kTile + thread.x;
                const ElementName a{kA, row, k}, b{kB, k, column};
                const std::vector<Loaded> loads = {{a, {}}, {b, {}}};
                ASSERT_EQ(loads_of(thread.phases[k]), loads);
                const Column one = {{a, b, a, b}};
                ASSERT_EQ((products_of(thread.phases[k])[{row, column}]), one);
            }
    }
}

// Outside A and B a zero is stored, which was not loaded.
TEST(PhaseOperands, BesideZeros) {
    for (const auto& [m, n, k, tile] :
         std::vector<std::array<int, 4>>{{3, 3, 3, 2}, {5, 7, 6, 4}}) {
        const Trace trace = recorded("10_tiled_any_size", {.m = m, .n = n, .k = k, .tile = tile});
        const auto in_a = [&, m = m, k = k](unsigned row, unsigned column) {
            return row < u(m) && column < u(k) ? std::optional(ElementName{kA, row, column})
                                               : std::nullopt;
        };
        const auto in_b = [&, n = n, k = k](unsigned row, unsigned column) {
            return row < u(k) && column < u(n) ? std::optional(ElementName{kB, row, column})
                                               : std::nullopt;
        };
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            const PhaseTable table = table_of(trace, block);
            ASSERT_EQ(table.phases, u((k + tile - 1) / tile));
            for (const PhaseThread& thread : table.threads)
                for (std::uint32_t phase = 0; phase < table.phases; ++phase) {
                    const std::uint32_t row = table.block_y * u(tile) + thread.y;
                    const std::uint32_t column = table.block_x * u(tile) + thread.x;
                    const std::uint32_t k0 = phase * u(tile);
                    const ElementName as{kAs, thread.y, thread.x}, bs{kBs, thread.y, thread.x};
                    std::vector<Loaded> loads = loads_of(thread.phases[phase]);
                    std::ranges::sort(loads, {}, [](const Loaded& load) { return load.to->array; });
                    const std::vector<Loaded> expected = {{in_a(row, k0 + thread.x), as},
                                                          {in_b(k0 + thread.y, column), bs}};
                    ASSERT_EQ(loads, expected) << row << ' ' << column << ' ' << phase;
                    if (row >= u(m) || column >= u(n)) continue;
                    Column products;
                    for (std::uint32_t i = 0; i < u(tile); ++i)
                        products.push_back({{kAs, thread.y, i},
                                            {kBs, i, thread.x},
                                            in_a(row, k0 + i),
                                            in_b(k0 + i, column)});
                    ASSERT_EQ((products_of(thread.phases[phase])[{row, column}]), products);
                }
        }
    }
}

// Thread i holds column i of the block's 16 x 64 elements of C: b is read once, from B, and stays
// in its register for 16 multiply-adds. In 14 tile t lies in buffer t % 2, and each phase loads the
// next tile before it multiplies its own; the first phase loads two.
void expect_outer_products(const std::string& kernel, bool two_buffers) {
    constexpr int kTile = 16, kTiles = 3;
    const Trace trace =
        recorded(kernel, {.m = 32, .n = 64, .k = kTiles * kTile, .tile = kTile, .pad = 1});
    const PhaseTable table = table_of(trace, 1);
    ASSERT_EQ(table.phases, u(kTiles));
    for (const PhaseThread& thread : table.threads)
        for (std::uint32_t phase = 0; phase < table.phases; ++phase) {
            const unsigned x = thread.x % 16, y = thread.x / 16;
            std::vector<Loaded> loads;
            const auto load_tile = [&](unsigned tile) {
                if (tile >= table.phases) return;
                for (unsigned r = y; r < 16; r += 4)
                    loads.push_back({ElementName{kA, 16 + r, tile * 16 + x},
                                     ElementName{kAs, (two_buffers ? tile % 2 * 16 : 0) + r, x}});
            };
            if (!two_buffers || phase == 0) load_tile(phase);
            if (two_buffers) load_tile(phase + 1);
            for (unsigned k = 0; k < 16; ++k)
                loads.push_back({ElementName{kB, phase * 16 + k, thread.x}, std::nullopt});
            ASSERT_EQ(loads_of(thread.phases[phase]), loads) << thread.x << ' ' << phase;

            std::map<std::pair<unsigned, unsigned>, Column> products;
            for (unsigned r = 0; r < 16; ++r)
                for (unsigned k = 0; k < 16; ++k) {
                    const ElementName b{kB, phase * 16 + k, thread.x};
                    products[{16 + r, thread.x}].push_back(
                        {{kAs, (two_buffers ? phase % 2 * 16 : 0) + r, k},
                         b,
                         ElementName{kA, 16 + r, phase * 16 + k},
                         b});
                }
            ASSERT_EQ(products_of(thread.phases[phase]), products) << thread.x << ' ' << phase;
        }
}

TEST(PhaseOperands, KeptInARegister) { expect_outer_products("12_outer_product", false); }
TEST(PhaseOperands, InTwoBuffers) { expect_outer_products("14_outer_product_prefetch", true); }

// One thread computes all of C (cpu_naive) or a tile of it (cpu_tiled), a few elements at a time:
// every element gets its K products.
TEST(PhaseOperands, OfAThreadThatComputesManyElements) {
    for (const auto& [kernel, tile] : std::vector<std::pair<std::string, int>>{
             {"cpu_naive", 16}, {"cpu_tiled", 4}, {"cpu_tiled", 8}}) {
        constexpr int kM = 6, kN = 5, kK = 9;
        const Trace trace = recorded(kernel, {.m = kM, .n = kN, .k = kK, .tile = tile});
        std::map<std::pair<unsigned, unsigned>, Column> all;
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block)
            for (const PhaseThread& thread : table_of(trace, block).threads)
                for (const PhaseCell& cell : thread.phases)
                    for (const auto& [c, products] : products_of(cell))
                        all[c].insert(all[c].end(), products.begin(), products.end());
        ASSERT_EQ(all.size(), std::size_t{kM} * kN);
        for (const auto& [c, products] : all) {
            ASSERT_EQ(products.size(), std::size_t{kK});
            for (unsigned k = 0; k < u(kK); ++k) {
                ASSERT_EQ(products[k].a, (ElementName{kA, c.first, k})) << kernel << tile;
                ASSERT_EQ(products[k].b, (ElementName{kB, k, c.second})) << kernel << tile;
            }
        }
    }
}

}  // namespace
}  // namespace tilereel::phase_operands_test
