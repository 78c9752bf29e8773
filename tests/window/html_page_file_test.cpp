// The file that `export --html` writes, read without a browser: what it needs, what is left when
// writing fails, and the fragments of tensor cores in its data, as the replay has them.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "app/replay/replay.h"
#include "app/replay/tensor/tensor_moment.h"
#include "tests/trace/program_traces.h"
#include "tests/window/html_page.h"

namespace tilereel::html_page_file_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(HtmlPage, NeedsNothingFromOutside) {
    const Trace trace =
        recorded_for_page("09_tiled", {.m = 16, .n = 16, .k = 16, .tile = 16, .pad = 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    std::ostringstream read;
    read << std::ifstream(page_).rdbuf();
    std::string text = read.str();
    EXPECT_LT(text.size(), 1'000'000u);
    const std::size_t data = text.find("<script type=\"application/json\"");
    text.erase(data, text.find("</script>", data) - data);
    for (const char* const outside : {"http:", "https:", "src=", "href=", "url(", "@import",
                                      "import(", "fetch(", "XMLHttpRequest", "eval("})
        EXPECT_THAT(text, Not(HasSubstr(outside)));
}

TEST_F(HtmlPage, FailuresLeaveTheOldFile) {
    const Trace trace =
        recorded_for_page("09_tiled", {.m = 4, .n = 4, .k = 4, .tile = 2, .pad = 0});
    std::ofstream(page_) << "old";
    const auto expect_error = [&](const Result<WrittenPage>& status, ErrorKind kind,
                                  const char* words) {
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().kind, kind);
        EXPECT_THAT(status.error().message, HasSubstr(words));
        EXPECT_EQ(std::filesystem::file_size(page_), 3u);
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    };
    expect_error(export_html(trace, {.block_x = 2}, page_), ErrorKind::kWrongCall, "--block");
    int asked = 0;
    HtmlRequest request;
    request.interrupted = [&asked] { return ++asked > 3; };
    expect_error(export_html(trace, request, page_), ErrorKind::kCancelled, "not written");
    expect_error(export_html(trace, {}, folder_ / "no folder" / "page.html"), ErrorKind::kFailed,
                 "no folder");
    expect_error(export_html(tests::chosen_trace(), {}, page_), ErrorKind::kWrongCall,
                 "--blocks 0");
    ASSERT_TRUE(export_html(trace, {}, page_));
    EXPECT_GT(std::filesystem::file_size(page_), 1000u);
}

// The data of a written page.
Json data_of_page(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string page = text.str(), begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<double> numbers_in(const std::string& texts) {
    std::istringstream stream(texts);
    std::vector<double> numbers;
    for (double number = 0; stream >> number;) numbers.push_back(number);
    return numbers;
}

// 22: the fragments of A, B and C at a matrix load, cell by cell: elements of A and B that lie
// where the PTX ISA says ("Matrix Fragments for mma.m16n8k16"), as the replay has them.
TEST_F(HtmlPage, HasTheFragmentsOfMatrixLoads) {
    const Trace trace = recorded_for_page("22_mma_ldmatrix", {64, 64, 64, 64, 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    const Json data = data_of_page(page_);
    Replay replay = Replay::of_block(trace, 0).value();
    std::size_t moments = 0;
    for (std::size_t step = 0; step < replay.schedule().steps.size(); ++step) {
        replay.seek(replay.schedule().steps[step].begin);
        const auto moment = tensor_moment(replay, std::nullopt, 0, 0);
        const int number = data["steps"]["fragments"][step];
        ASSERT_EQ(number >= 0, moment.has_value()) << step;
        if (!moment) continue;
        ++moments;
        const Json& row = data["tables"]["fragments"][static_cast<std::size_t>(number)];
        const Json& layout = data["tables"]["fragmentLayouts"][row[1].get<std::size_t>()];
        ASSERT_EQ(layout.size(), moment->fragments.size());
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const HeldFragment& held = moment->fragments[i];
            const std::vector<double> numbers =
                numbers_in(data["tables"]["fragmentValues"][row[2][i][0].get<std::size_t>()]);
            std::size_t at = 0;
            ASSERT_EQ(layout[i][3].size(), held.grid.cells.size());
            for (std::size_t cell = 0; cell < held.grid.cells.size(); ++cell) {
                const FragmentCell& its = held.grid.cells[cell];
                EXPECT_EQ(layout[i][3][cell][0], its.lane);
                EXPECT_EQ(layout[i][3][cell][1], its.at.row);
                EXPECT_EQ(layout[i][3][cell][2], its.at.column);
                for (int e = 0; e < its.count; ++e)
                    ASSERT_EQ(numbers.at(at++), held.value(its.lane, its.first + e));
            }
        }
    }
    EXPECT_GT(moments, 32u);
}

// 24: D of a warp before and after its last product: the values that the warp stores in C.
TEST_F(HtmlPage, HasTheSumsOfAWarpgroup) {
    const Trace trace = recorded_for_page("24_wgmma", {64, 64, 64, 64, 0});
    ASSERT_TRUE(export_html(trace, {}, page_));
    const Json data = data_of_page(page_);
    const MatrixElements c = matrix_of(trace, MatrixRole::kC);
    const Replay replay = Replay::of_block(trace, 0).value();
    std::size_t stores = 0;
    for (std::size_t step = 0; step < replay.schedule().steps.size(); ++step) {
        const Step& its = replay.schedule().steps[step];
        const Site& site = replay.trace().sites[its.site];
        const int number = data["steps"]["fragments"][step];
        EXPECT_EQ(number >= 0, site.is_of_product() || site.operation == Operation::kStore);
        if (site.operation != Operation::kStore) continue;
        ++stores;
        const Json& row = data["tables"]["fragments"][static_cast<std::size_t>(number)];
        const Json& cells = data["tables"]["fragmentLayouts"][row[1].get<std::size_t>()][0][3];
        const std::vector<double> numbers =
            numbers_in(data["tables"]["fragmentValues"][row[2][0][0].get<std::size_t>()]);
        ASSERT_EQ(numbers.size(), 16u * 64);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t at =
                (16 * std::size_t{its.warp} + cells[i][1].get<std::size_t>()) * 64 +
                cells[i][2].get<std::size_t>();
            ASSERT_EQ(numbers[2 * i], c[at]);
            ASSERT_EQ(numbers[2 * i + 1], c[at + 1]);
        }
    }
    EXPECT_EQ(stores, 4u * 16);
}

}  // namespace
}  // namespace tilereel::html_page_file_test
