// The two tables of "Memory Coalescing and Tiled Matrix Multiplication", "Parallel Matrix
// Multiplication", cell by cell: 4 x 4 matrices, blocks of 2 x 2 threads, block (0,0).
#include "instrumentation/analysis/phases/phase_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"

namespace tilereel::phase_table_test {
namespace {

using ::testing::HasSubstr;
using Row = std::vector<std::string>;

Trace recorded(const std::string& kernel, int extent, int tile) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = 0};
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace);
    return std::move(trace).value();
}

// As the document writes an element; it names a cell of a shared tile by what the cell holds.
std::string document_name(const Trace& trace, const ElementName& read,
                          const std::optional<ElementName>& origin) {
    const bool shared = trace.arrays[read.array].space == Space::kShared;
    const ElementName& index = shared ? origin.value() : read;
    const std::string name =
        shared ? "sh_" + trace.arrays[origin->array].name : trace.arrays[read.array].name;
    return name + "[" + std::to_string(index.row) + "," + std::to_string(index.column) + "]";
}

Row document_row(const Trace& trace, const PhaseThread& thread) {
    Row row;
    for (const PhaseCell& cell : thread.phases) {
        for (const PhaseLoad& load : cell.loads)
            row.push_back("Load " + document_name(trace, *load.from, {}) +
                          (load.to ? " -> " + document_name(trace, *load.to, load.from) : ""));
        for (const PhaseSum& sum : cell.sums) {
            std::string words = document_name(trace, *sum.c, {});
            for (std::size_t i = 0; i < sum.products.size(); ++i) {
                const Product& product = sum.products[i];
                words += (i == 0 ? "+=" : " + ") +
                         document_name(trace, product.a->read, product.a->origin) + "*" +
                         document_name(trace, product.b->read, product.b->origin);
            }
            row.push_back(words);
        }
    }
    return row;
}

std::vector<Row> document_table(const Trace& trace) {
    const Result<PhaseTable> table = phase_table(trace, 0);
    EXPECT_TRUE(table);
    std::vector<Row> rows;
    for (const PhaseThread& thread : table->threads) rows.push_back(document_row(trace, thread));
    return rows;
}

TEST(PhaseTable, StandardVersion) {
    const std::vector<Row> rows = document_table(recorded("02_naive", 4, 2));
    const std::vector<Row> expected = {
        {"Load A[0,0]", "Load B[0,0]", "C[0,0]+=A[0,0]*B[0,0]", "Load A[0,1]", "Load B[1,0]",
         "C[0,0]+=A[0,1]*B[1,0]", "Load A[0,2]", "Load B[2,0]", "C[0,0]+=A[0,2]*B[2,0]",
         "Load A[0,3]", "Load B[3,0]", "C[0,0]+=A[0,3]*B[3,0]"},
        {"Load A[0,0]", "Load B[0,1]", "C[0,1]+=A[0,0]*B[0,1]", "Load A[0,1]", "Load B[1,1]",
         "C[0,1]+=A[0,1]*B[1,1]", "Load A[0,2]", "Load B[2,1]", "C[0,1]+=A[0,2]*B[2,1]",
         "Load A[0,3]", "Load B[3,1]", "C[0,1]+=A[0,3]*B[3,1]"},
        {"Load A[1,0]", "Load B[0,0]", "C[1,0]+=A[1,0]*B[0,0]", "Load A[1,1]", "Load B[1,0]",
         "C[1,0]+=A[1,1]*B[1,0]", "Load A[1,2]", "Load B[2,0]", "C[1,0]+=A[1,2]*B[2,0]",
         "Load A[1,3]", "Load B[3,0]", "C[1,0]+=A[1,3]*B[3,0]"},
        {"Load A[1,0]", "Load B[0,1]", "C[1,1]+=A[1,0]*B[0,1]", "Load A[1,1]", "Load B[1,1]",
         "C[1,1]+=A[1,1]*B[1,1]", "Load A[1,2]", "Load B[2,1]", "C[1,1]+=A[1,2]*B[2,1]",
         "Load A[1,3]", "Load B[3,1]", "C[1,1]+=A[1,3]*B[3,1]"}};
    EXPECT_EQ(rows, expected);
}

// The document writes A and B for two of thread [0,1]'s operands, which it reads from the tiles as
// its neighbours do.
TEST(PhaseTable, TiledVersion) {
    const std::vector<Row> rows = document_table(recorded("09_tiled", 4, 2));
    const std::vector<Row> expected = {
        {"Load A[0,0] -> sh_A[0,0]", "Load B[0,0] -> sh_B[0,0]",
         "C[0,0]+=sh_A[0,0]*sh_B[0,0] + sh_A[0,1]*sh_B[1,0]", "Load A[0,2] -> sh_A[0,2]",
         "Load B[2,0] -> sh_B[2,0]", "C[0,0]+=sh_A[0,2]*sh_B[2,0] + sh_A[0,3]*sh_B[3,0]"},
        {"Load A[0,1] -> sh_A[0,1]", "Load B[0,1] -> sh_B[0,1]",
         "C[0,1]+=sh_A[0,0]*sh_B[0,1] + sh_A[0,1]*sh_B[1,1]", "Load A[0,3] -> sh_A[0,3]",
         "Load B[2,1] -> sh_B[2,1]", "C[0,1]+=sh_A[0,2]*sh_B[2,1] + sh_A[0,3]*sh_B[3,1]"},
        {"Load A[1,0] -> sh_A[1,0]", "Load B[1,0] -> sh_B[1,0]",
         "C[1,0]+=sh_A[1,0]*sh_B[0,0] + sh_A[1,1]*sh_B[1,0]", "Load A[1,2] -> sh_A[1,2]",
         "Load B[3,0] -> sh_B[3,0]", "C[1,0]+=sh_A[1,2]*sh_B[2,0] + sh_A[1,3]*sh_B[3,0]"},
        {"Load A[1,1] -> sh_A[1,1]", "Load B[1,1] -> sh_B[1,1]",
         "C[1,1]+=sh_A[1,0]*sh_B[0,1] + sh_A[1,1]*sh_B[1,1]", "Load A[1,3] -> sh_A[1,3]",
         "Load B[3,1] -> sh_B[3,1]", "C[1,1]+=sh_A[1,2]*sh_B[2,1] + sh_A[1,3]*sh_B[3,1]"}};
    EXPECT_EQ(rows, expected);
}

TEST(PhaseTable, CellsAreNamedAsTheKernelNamesThem) {
    const Trace trace = recorded("09_tiled", 4, 2);
    const Result<PhaseTable> table = phase_table(trace, 3);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->block_x, 1u);
    EXPECT_EQ(table->block_y, 1u);
    EXPECT_EQ(table->phases, 2u);
    const PhaseCell& second = table->threads[1].phases[1];  // thread [0,1]
    ASSERT_EQ(second.loads.size(), 2u);
    EXPECT_EQ(text_of(trace, second.loads[0]), "Load A[2,3] -> As[0,1]");
    EXPECT_EQ(text_of(trace, second.loads[1]), "Load B[2,3] -> Bs[0,1]");
    ASSERT_EQ(second.sums.size(), 1u);
    EXPECT_EQ(text_of(trace, second.sums[0]), "C[2,3]+=As[0,0]*Bs[0,1] + As[0,1]*Bs[1,1]");
}

// B's elements stay in registers, even where one equals an element of A that is stored later.
TEST(PhaseTable, AnOperandKeptInARegisterIsNotStored) {
    for (const char* kernel :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"}) {
        const Trace trace = recorded(kernel, 64, 16);
        const Result<PhaseTable> table = phase_table(trace, 0);
        ASSERT_TRUE(table);
        for (const PhaseThread& thread : table->threads)
            for (const PhaseCell& cell : thread.phases)
                for (const PhaseLoad& load : cell.loads) {
                    ASSERT_TRUE(load.from);
                    const bool of_a = trace.arrays[load.from->array].name == "A";
                    ASSERT_EQ(load.to.has_value(), of_a) << kernel << ' ' << text_of(trace, load);
                }
    }
}

TEST(PhaseTable, TooLargeATableAndNoSuchBlockSayWhatToDo) {
    const Trace trace = recorded("09_tiled", 128, 32);  // 1,024 x 128 products
    const Result<PhaseTable> large = phase_table(trace, 0);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().kind, ErrorKind::kWrongCall);
    EXPECT_THAT(large.error().message, HasSubstr("choose a smaller"));
    EXPECT_THAT(phase_table(trace, 16).error().message, HasSubstr("from 0 to 15"));
}

}  // namespace
}  // namespace tilereel::phase_table_test
