#include "kernels/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "kernels/variants.h"

namespace tilereel::catalog_test {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Catalog, ListsTheLadderInTeachingOrder) {
    std::vector<std::string_view> ids;
    for (const KernelInfo& kernel : catalog()) ids.push_back(kernel.id);
    EXPECT_THAT(ids,
                ElementsAre("cpu_naive", "cpu_tiled", "01_naive_by_column", "02_naive",
                            "03_guide_simple", "04_guide_a_shared", "05_guide_ab_shared",
                            "06_single_block", "07_tiled_b_uncoalesced", "08_tiled_b_transposed",
                            "09_tiled", "10_tiled_any_size", "11_tiled_dynamic", "12_outer_product",
                            "13_outer_product_unrolled", "14_outer_product_prefetch",
                            "15_register_tile", "16_vectorized", "17_swizzled", "18_warp_tiled",
                            "19_async_pipeline", "20_champion", "21_wmma", "22_mma_ldmatrix",
                            "23_mma_pipeline", "24_wgmma", "25_warp_specialised"));
}

TEST(Catalog, EmbedsEachFileWordForWord) {
    for (const KernelInfo& kernel : catalog()) {
        std::ifstream file(std::string(TILEREEL_SOURCE_DIR "/kernels/ladder/") +
                           std::string(kernel.file_name));
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(kernel.source, text.str()) << kernel.id;
    }
}

TEST(Catalog, ReadsTheHeaderOfEachKernel) {
    for (const KernelInfo& kernel : catalog()) {
        EXPECT_FALSE(kernel.idea.empty()) << kernel.id;
        EXPECT_FALSE(kernel.watch.empty()) << kernel.id;
        EXPECT_FALSE(kernel.next.empty()) << kernel.id;
        EXPECT_THAT(std::string(kernel.from),
                    AnyOf(HasSubstr("Matrix"), HasSubstr("matrix"), HasSubstr("CUDA")))
            << kernel.id;
        EXPECT_THAT(std::string(kernel.idea), Not(HasSubstr("//"))) << kernel.id;
    }
    const KernelInfo* tiled = find_kernel("09_tiled");
    ASSERT_NE(tiled, nullptr);
    EXPECT_EQ(tiled->title, "09 tiled");
    EXPECT_EQ(tiled->next, "10 tiled_any_size takes any M, N, K");
    EXPECT_EQ(tiled->from,  // two lines of the file
              "\"Memory Coalescing and Tiled Matrix Multiplication\", Tiled Version");
}

TEST(Catalog, EachKernelNamesTheNext) {
    const std::span<const KernelInfo> kernels = catalog();
    for (std::size_t i = 0; i + 1 < kernels.size(); ++i)
        EXPECT_THAT(std::string(kernels[i].next), StartsWith(std::string(kernels[i + 1].title)));
}

// The source panel shows a file's header and kernel without scrolling, up to 09 even in the
// smallest window. The function that launches the kernel stands below. The upper ladder's files are
// longer and scroll.
TEST(Catalog, EachFileFitsTheSourcePanel) {
    for (const KernelInfo& kernel : catalog()) {
        std::istringstream text{std::string(kernel.source)};
        int lines = 0;  // above the launch function
        bool launches = false;
        for (std::string line; std::getline(text, line);) {
            EXPECT_LE(line.size(), 88u) << kernel.id << ": " << line;
            launches = launches || line.starts_with("void launch_");
            if (!launches) ++lines;
        }
        const int most = kernel.on_cpu             ? 77
                         : kernel.id <= "09_tiled" ? 36
                         : kernel.id < "15"        ? 51
                         : kernel.id >= "20"       ? 400
                                                   : 120;
        EXPECT_LE(lines, most) << kernel.id;
    }
}

// Compilers disagree about the line of an expression that spans lines. So a subscript and its array
// stand on one line.
TEST(Catalog, EachSubscriptStandsOnOneLine) {
    for (const KernelInfo& kernel : catalog()) {
        std::istringstream text{std::string(kernel.source)};
        for (std::string line; std::getline(text, line);) {
            line.resize(std::min(line.size(), line.find("//")));
            int parentheses = 0, brackets = 0;
            for (const char c : line) {
                parentheses += (c == '(') - (c == ')');
                brackets += (c == '[') - (c == ']');
                EXPECT_FALSE(c == '[' && parentheses < 0) << kernel.id << ": " << line;
            }
            EXPECT_EQ(brackets, 0) << kernel.id << ": " << line;
        }
    }
}

TEST(Catalog, OffersTilesAndPads) {
    EXPECT_THAT(find_kernel("01_naive_by_column")->pads, ElementsAre(0));
    EXPECT_THAT(find_kernel("02_naive")->tiles, ElementsAre(2, 4, 8, 16, 32));
    EXPECT_THAT(find_kernel("08_tiled_b_transposed")->pads, ElementsAre(0, 1, 2));
    EXPECT_THAT(find_kernel("09_tiled")->tiles, ElementsAre(2, 4, 8, 16, 32));
    EXPECT_THAT(find_kernel("03_guide_simple")->pads, ElementsAre(0));
    EXPECT_THAT(find_kernel("06_single_block")->tiles, ElementsAre(16));
    EXPECT_THAT(find_kernel("06_single_block")->pads, ElementsAre(0, 1, 2));
    for (const char* id : {"04_guide_a_shared", "05_guide_ab_shared", "07_tiled_b_uncoalesced",
                           "10_tiled_any_size", "11_tiled_dynamic"}) {
        EXPECT_THAT(find_kernel(id)->tiles, ElementsAre(2, 4, 8, 16, 32)) << id;
        EXPECT_THAT(find_kernel(id)->pads, ElementsAre(0, 1, 2)) << id;
    }
    EXPECT_THAT(find_kernel("cpu_naive")->tiles, ElementsAre(16));
    EXPECT_THAT(find_kernel("cpu_tiled")->tiles, ElementsAre(4, 8, 16, 32, 64));
    EXPECT_THAT(find_kernel("cpu_tiled")->pads, ElementsAre(0));
    for (const char* id :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"}) {
        EXPECT_THAT(find_kernel(id)->tiles, ElementsAre(16)) << id;
        EXPECT_THAT(find_kernel(id)->pads, ElementsAre(0, 1, 2)) << id;
    }
    for (const char* id : {"15_register_tile", "16_vectorized", "17_swizzled"}) {
        EXPECT_THAT(find_kernel(id)->tiles, ElementsAre(8, 16, 32, 64, 128)) << id;
    }
    EXPECT_THAT(find_kernel("15_register_tile")->pads, ElementsAre(0));
    EXPECT_THAT(find_kernel("16_vectorized")->pads, ElementsAre(0, 4));
    EXPECT_THAT(find_kernel("17_swizzled")->pads, ElementsAre(0));
    EXPECT_THAT(find_kernel("18_warp_tiled")->tiles, ElementsAre(32, 64, 128));
    EXPECT_THAT(find_kernel("18_warp_tiled")->pads, ElementsAre(0));
}

TEST(Catalog, KnowsNoOtherKernel) {
    EXPECT_EQ(find_kernel("09"), nullptr);
    EXPECT_EQ(find_kernel(""), nullptr);
    EXPECT_EQ(find_kernel("tiled"), nullptr);
}

LaunchShape launch(std::string_view id, const KernelParameters& p) {
    const Result<LaunchShape> shape = validate(*find_kernel(id), p);
    EXPECT_TRUE(shape.has_value()) << shape.error().message;
    return shape ? *shape : LaunchShape{};
}

TEST(Catalog, LaunchesBlocksOverC) {
    const LaunchShape wide = launch("02_naive", {.m = 33, .n = 70, .k = 5, .tile = 32, .pad = 0});
    EXPECT_EQ(wide.grid_x, 3u);  // columns, ceil(70 / 32)
    EXPECT_EQ(wide.grid_y, 2u);  // rows, ceil(33 / 32)
    EXPECT_EQ(wide.block_x, 32u);
    EXPECT_EQ(wide.block_y, 32u);
    const LaunchShape turned =
        launch("01_naive_by_column", {.m = 33, .n = 70, .k = 5, .tile = 32, .pad = 0});
    EXPECT_EQ(turned.grid_x, 2u);  // x runs over rows
    EXPECT_EQ(turned.grid_y, 3u);
}

TEST(Catalog, LaunchesOneThreadABlockForTheCpu) {
    const LaunchShape serial = launch("cpu_naive", {.m = 33, .n = 70, .k = 5});
    EXPECT_EQ(serial.grid_x * serial.grid_y * serial.block_x * serial.block_y, 1u);
    const LaunchShape tiles = launch("cpu_tiled", {.m = 33, .n = 70, .k = 5, .tile = 32});
    EXPECT_EQ(tiles.grid_x, 3u);
    EXPECT_EQ(tiles.grid_y, 2u);
    EXPECT_EQ(tiles.block_x * tiles.block_y, 1u);
    for (const KernelInfo& kernel : catalog())
        EXPECT_EQ(kernel.on_cpu, kernel.id.starts_with("cpu_")) << kernel.id;
}

TEST(Catalog, LaunchesDynamicSharedMemoryOfTheRightSize) {
    const LaunchShape block = launch("06_single_block", {.m = 20, .n = 40, .k = 7, .pad = 1});
    EXPECT_EQ(block.grid_x * block.grid_y, 1u);
    EXPECT_EQ(block.block_x, 40u);
    EXPECT_EQ(block.block_y, 20u);
    EXPECT_EQ(block.dynamic_shared_bytes, (20u * (7 + 1) + 7 * (40 + 1)) * 4);
    const LaunchShape edge =
        launch("11_tiled_dynamic", {.m = 64, .n = 32, .k = 96, .tile = 32, .pad = 2});
    EXPECT_EQ(edge.grid_x, 1u);
    EXPECT_EQ(edge.grid_y, 2u);
    EXPECT_EQ(edge.dynamic_shared_bytes, 2u * 32 * 34 * 4);
    EXPECT_EQ(launch("09_tiled", {.m = 64, .n = 32, .k = 96}).dynamic_shared_bytes, 0u);
    // Dynamic: each stage holds a tile of A and one of B. Static: each stage has two barriers of 8
    // bytes.
    const LaunchShape small = launch("20_champion", {.tile = 16});
    EXPECT_EQ(small.dynamic_shared_bytes, 3u * (16 * 8 + 8 * 16) * 4);
    EXPECT_EQ(small.static_shared_bytes, 3u * 2 * 8);
    const LaunchShape large = launch("20_champion", {.tile = 256});
    EXPECT_EQ(large.dynamic_shared_bytes, 4u * (256 * 32 + 32 * 128) * 4);
    EXPECT_EQ(large.static_shared_bytes, 4u * 2 * 8);
}

TEST(Catalog, LaunchesRowsOfThreadsForTheOuterProduct) {
    for (const char* id :
         {"12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"}) {
        const LaunchShape shape = launch(id, {.m = 48, .n = 128, .k = 16});
        EXPECT_EQ(shape.grid_x, 2u);  // N / 64
        EXPECT_EQ(shape.grid_y, 3u);  // M / 16
        EXPECT_EQ(shape.block_x, 64u);
        EXPECT_EQ(shape.block_y, 1u);
    }
}

// Each thread computes 4 x 4 elements of the block's tile of C; at TILE 64 and 128, 8 x 8.
TEST(Catalog, LaunchesAThreadATileOfC) {
    for (const auto& [tile, edge] : {std::pair{8, 2u}, std::pair{16, 4u}, std::pair{32, 8u},
                                     std::pair{64, 8u}, std::pair{128, 16u}}) {
        const KernelParameters p{.m = 3 * tile, .n = 2 * tile, .k = 48, .tile = tile};
        for (const char* id : {"15_register_tile", "16_vectorized", "17_swizzled"}) {
            const LaunchShape shape = launch(id, p);
            EXPECT_EQ(shape.grid_x, 2u) << id;
            EXPECT_EQ(shape.grid_y, 3u) << id;
            EXPECT_EQ(shape.block_x, edge) << id;
            EXPECT_EQ(shape.block_y, edge) << id;
        }
        if (tile < 32) continue;
        const LaunchShape warps = launch("18_warp_tiled", p);
        EXPECT_EQ(warps.block_x, edge * edge);
        EXPECT_EQ(warps.block_y, 1u);
    }
}

std::string refusal(std::string_view id, const KernelParameters& p) {
    const Result<LaunchShape> shape = validate(*find_kernel(id), p);
    if (shape) return "accepted";
    EXPECT_EQ(shape.error().kind, ErrorKind::kWrongCall);
    return shape.error().message;
}

TEST(Catalog, RefusalsSayWhatToUse) {
    EXPECT_EQ(refusal("09_tiled", {.m = 64, .n = 64, .k = 60, .tile = 16, .pad = 0}),
              "K is 60: 09_tiled needs a multiple of TILE 16; use 64");
    EXPECT_EQ(refusal("08_tiled_b_transposed", {.m = 1, .n = 64, .k = 64, .tile = 8, .pad = 1}),
              "M is 1: 08_tiled_b_transposed needs a multiple of TILE 8; use 8");
    EXPECT_THAT(refusal("02_naive", {.m = 0, .n = 1, .k = 1, .tile = 16, .pad = 0}),
                HasSubstr("M is 0"));
    EXPECT_THAT(refusal("02_naive", {.m = 1, .n = -5, .k = 1, .tile = 16, .pad = 0}),
                HasSubstr("N is -5"));
    EXPECT_THAT(refusal("02_naive", {.m = 1, .n = 1, .k = kLargestExtent + 1, .tile = 16}),
                HasSubstr("use a size from 1 to 1048576"));
    EXPECT_EQ(refusal("09_tiled", {.m = 66, .n = 66, .k = 66, .tile = 33, .pad = 0}),
              "TILE is 33: 09_tiled would have blocks of 33 x 33 = 1,089 threads, and a GPU takes "
              "1,024; use 32 or less");
    EXPECT_THAT(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 0, .pad = 0}),
                HasSubstr("TILE is 0"));
    EXPECT_EQ(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = -1}),
              "PAD is -1; use 0 or more");
    // 2 x 32 x (32 + 200) floats
    EXPECT_EQ(refusal("09_tiled", {.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 200}),
              "09_tiled with TILE 32 and PAD 200 would take 59,392 bytes of shared memory a block, "
              "and a block has 49,152; use a smaller PAD");
    // 2 x 32 x (32 + 900) floats, in dynamic shared memory
    EXPECT_EQ(refusal("11_tiled_dynamic", {.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 900}),
              "11_tiled_dynamic would take 238,592 bytes of shared memory a block, and a GPU gives "
              "at most 232,448; use a smaller PAD");
    EXPECT_EQ(refusal("04_guide_a_shared", {.m = 13, .n = 13, .k = 13, .tile = 13}),
              "TILE is 13: 04_guide_a_shared takes 1, 2, 4, 8, 16 or 32; a row of its tile must "
              "belong to one warp");
    EXPECT_EQ(refusal("20_champion", {.m = 64, .n = 64, .k = 64, .tile = 64}),
              "TILE is 64: 20_champion takes 16, 32 or 256");
    EXPECT_EQ(refusal("02_naive", {.m = 7, .n = 5, .k = 3, .tile = 2, .pad = 1}),
              "PAD is 1: 02_naive takes 0");
    EXPECT_EQ(refusal("03_guide_simple", {.m = 32, .n = 32, .k = 32, .tile = 16}),
              "K is 32: 03_guide_simple needs K = TILE 16; use 16");
    EXPECT_EQ(refusal("05_guide_ab_shared", {.m = 32, .n = 30, .k = 8, .tile = 8}),
              "N is 30: 05_guide_ab_shared needs a multiple of TILE 8; use 32");
    EXPECT_EQ(refusal("06_single_block", {.m = 64, .n = 64, .k = 64}),
              "M is 64: 06_single_block needs M x N of at most 1024, a thread each; use 32");
    EXPECT_EQ(refusal("06_single_block", {.m = 4, .n = 300, .k = 1}),
              "N is 300: 06_single_block needs M x N of at most 1024, a thread each; use 256");
    EXPECT_EQ(refusal("06_single_block", {.m = 4, .n = 9, .k = 5}),
              "K is 5: 06_single_block needs K at most M and N; use 4");
    EXPECT_EQ(refusal("12_outer_product", {.m = 32, .n = 100, .k = 32}),
              "N is 100: 12_outer_product needs a multiple of 64; use 128");
    EXPECT_EQ(refusal("14_outer_product_prefetch", {.m = 40, .n = 64, .k = 32}),
              "M is 40: 14_outer_product_prefetch needs a multiple of TILE 16; use 48");
    EXPECT_EQ(refusal("13_outer_product_unrolled", {.m = 32, .n = 64, .k = 32, .tile = 12}),
              "TILE is 12: 13_outer_product_unrolled takes 8, 16, 32 or 64; its threads share out "
              "each tile evenly");
    EXPECT_EQ(refusal("15_register_tile", {.m = 64, .n = 100, .k = 32, .tile = 32}),
              "N is 100: 15_register_tile needs a multiple of TILE 32; use 128");
    EXPECT_EQ(refusal("16_vectorized", {.m = 64, .n = 64, .k = 20, .tile = 32}),
              "K is 20: 16_vectorized needs a multiple of 8 with TILE 32; use 24");
    EXPECT_EQ(refusal("17_swizzled", {.m = 128, .n = 128, .k = 40, .tile = 128}),
              "K is 40: 17_swizzled needs a multiple of 16 with TILE 128; use 48");
    EXPECT_EQ(refusal("16_vectorized", {.m = 64, .n = 64, .k = 64, .tile = 32, .pad = 1}),
              "PAD is 1: 16_vectorized needs a multiple of 4, since each row begins at a multiple "
              "of 16 bytes; use 0");
    EXPECT_EQ(refusal("18_warp_tiled", {.m = 64, .n = 64, .k = 64, .tile = 16}),
              "TILE is 16: 18_warp_tiled takes 32, 64 or 128");
    // The suggested size is the largest extent, which is still allowed.
    EXPECT_EQ(refusal("09_tiled", {.m = kLargestExtent - 1, .n = 64, .k = 64, .tile = 32}),
              "M is 1048575: 09_tiled needs a multiple of TILE 32; use 1048576");
}

// Offsets of elements are 32-bit integers in every rung but 20: 46,340 squared is the largest
// square whose elements an int counts.
TEST(Catalog, RefusesMatricesWhoseOffsetsWouldOverflow) {
    for (const KernelInfo& kernel : catalog()) {
        const int tile = kernel.tiles.back();
        const auto refused_for_offsets = [&](int m, int n, int k) {
            const std::string said = refusal(kernel.id, {.m = m, .n = n, .k = k, .tile = tile});
            return said.find("because its offsets are 32-bit integers") != std::string::npos;
        };
        const bool wide = kernel.id == "20_champion";
        constexpr int kEdge = 46'340;
        EXPECT_FALSE(refused_for_offsets(kEdge, kEdge, kEdge)) << kernel.id;
        EXPECT_EQ(refused_for_offsets(kEdge + 1, 1, kEdge + 1), !wide) << kernel.id;  // A
        EXPECT_EQ(refused_for_offsets(1, kEdge + 1, kEdge + 1), !wide) << kernel.id;  // B
        EXPECT_EQ(refused_for_offsets(kEdge + 1, kEdge + 1, 1), !wide) << kernel.id;  // C
        EXPECT_EQ(refused_for_offsets(kLargestExtent, 2047, 1), false) << kernel.id;
        EXPECT_EQ(refused_for_offsets(kLargestExtent, 2048, 1), !wide) << kernel.id;
    }
    EXPECT_EQ(
        refusal("09_tiled", {.m = kLargestExtent, .n = 32, .k = kLargestExtent, .tile = 32}),
        "A would have 1,048,576 x 1,048,576 elements, and 09_tiled takes 2,147,483,647, "
        "because its offsets are 32-bit integers; use smaller sizes, at most 46,340 x 46,340");
    EXPECT_EQ(refusal("20_champion", {.m = kLargestExtent, .n = kLargestExtent, .k = 8}),
              "C would have 1,048,576 x 1,048,576 elements, and 20_champion takes "
              "274,877,906,944; use smaller sizes, at most 524,288 x 524,288");
}

// 524,288 / 16 squared blocks, which the launch function counts in an int.
TEST(Catalog, CountsTheBlocksOfTheLargestLaunchOfTheChampion) {
    EXPECT_EQ(launch("20_champion", {.m = 1 << 19, .n = 1 << 19, .k = 8, .tile = 16}).grid_x,
              1u << 30);
    EXPECT_EQ(launch("20_champion", {.m = 1 << 20, .n = (1 << 18) - 15, .k = 8, .tile = 16}).grid_x,
              1u << 30);
}

TEST(Catalog, RefusesGridsThatCudaRefuses) {
    constexpr int kMostRows = 65'535 * 16;
    EXPECT_EQ(launch("09_tiled", {.m = kMostRows, .n = 16, .k = 16}).grid_y, 65'535u);
    EXPECT_EQ(refusal("09_tiled", {.m = kMostRows + 16, .n = 16, .k = 16}),
              "09_tiled with TILE 16 would have a grid of 1 x 65,536 blocks, and CUDA takes 65,535 "
              "in y; use a larger TILE or smaller matrices");
    EXPECT_EQ(launch("01_naive_by_column", {.m = kMostRows + 16, .n = 16, .k = 16}).grid_x,
              65'536u);
    EXPECT_EQ(launch("cpu_tiled", {.m = kMostRows + 16, .n = 16, .k = 16}).grid_y, 65'536u);
}

TEST(Catalog, TakesMoreThanWhatIsBuiltIn) {
    const auto expect_taken = [](std::string_view id, const KernelParameters& p) {
        EXPECT_EQ(refusal(id, p), "accepted") << id << " TILE " << p.tile << " PAD " << p.pad;
        EXPECT_FALSE(is_built_in(*find_kernel(id), p.tile, p.pad));
    };
    expect_taken("09_tiled", {.m = 26, .n = 13, .k = 39, .tile = 13, .pad = 3});
    expect_taken("10_tiled_any_size", {.m = 7, .n = 9, .k = 5, .tile = 12, .pad = 16});
    expect_taken("11_tiled_dynamic", {.m = 10, .n = 10, .k = 10, .tile = 10, .pad = 0});
    expect_taken("11_tiled_dynamic", {.m = 32, .n = 32, .k = 32, .tile = 32, .pad = 300});
    expect_taken("06_single_block", {.m = 8, .n = 8, .k = 8, .tile = 16, .pad = 7});
    expect_taken("12_outer_product", {.m = 32, .n = 64, .k = 32, .tile = 32, .pad = 1});
    expect_taken("16_vectorized", {.m = 16, .n = 16, .k = 8, .tile = 16, .pad = 12});
    expect_taken("cpu_tiled", {.m = 9, .n = 9, .k = 9, .tile = 100});
    EXPECT_TRUE(is_built_in(*find_kernel("09_tiled"), 16, 1));
    for (const KernelInfo& kernel : catalog()) {
        const bool any_number_of_warps = kernel.id == "21_wmma" || kernel.id == "22_mma_ldmatrix";
        const bool registers = kernel.id > "17" && !kernel.on_cpu && !any_number_of_warps;
        const bool no_tile = kernel.id == "06_single_block" || kernel.id == "cpu_naive";
        EXPECT_EQ(takes_other_tiles(kernel), !registers && !no_tile) << kernel.id;
        EXPECT_EQ(takes_other_pads(kernel), kernel.pads.size() > 1) << kernel.id;
    }
}

// From any sizes, following the advice of each refusal leads to sizes that run.
TEST(Catalog, SuggestionsLeadToSizesThatRun) {
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles)
            for (const std::array<int, 3>& sizes : std::vector<std::array<int, 3>>{
                     {1, 1, 1}, {33, 2000, 77}, {64, 64, 64}, {5000, 3, 9}, {1, 1500, 1}}) {
                KernelParameters p{.m = sizes[0], .n = sizes[1], .k = sizes[2], .tile = tile};
                Result<LaunchShape> shape = validate(kernel, p);
                for (int changes = 0; !shape && changes < 4; ++changes) {
                    const std::string said = shape.error().message;
                    int& extent = said[0] == 'M' ? p.m : said[0] == 'N' ? p.n : p.k;
                    extent = std::stoi(said.substr(said.rfind(' ')));
                    shape = validate(kernel, p);
                }
                EXPECT_TRUE(shape.has_value()) << shape.error().message;
            }
}

TEST(Catalog, DescribesTilesThatAreNotSquare) {
    const KernelInfo& champion = *find_kernel("20_champion");
    EXPECT_EQ(tile_size_text(champion, 256), "256 x 128");
    EXPECT_EQ(tile_size_text(champion, 32), "32");
    EXPECT_EQ(tile_size_text(*find_kernel("25_warp_specialised"), 64), "128 x 64");
    EXPECT_EQ(tile_size_text(*find_kernel("25_warp_specialised"), 256), "128 x 256");
    EXPECT_EQ(tile_size_text(*find_kernel("09_tiled"), 16), "16");
}

}  // namespace
}  // namespace tilereel::catalog_test
