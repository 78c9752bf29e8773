// Which launches are recognised as products, and with which sizes, types and layouts. The kernels
// in products/*.cu determine the expected ones.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/named_product.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "tests/program/program_fixture.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::program::product_test {
namespace {

// The launches of a program, in their order.
std::vector<Trace> launches_of(const std::string& name) {
    ProgramRequest request;
    request.file = std::filesystem::path(TILEREEL_TESTS_FOLDER) / "products" / name;
    const Result<ProgramRun> run = run_program(request);
    EXPECT_TRUE(run) << (run ? "" : run.error().message);
    std::vector<Trace> traces;
    if (!run) return traces;
    EXPECT_TRUE(run->compile_errors.empty()) << run->compile_errors.front().message;
    for (const LaunchSummary& launch : run->launches) {
        Result<Trace> trace = read_trace(launch.trace);
        EXPECT_TRUE(trace) << launch.reason;
        if (trace) traces.push_back(*std::move(trace));
    }
    return traces;
}

const std::vector<Trace>& products() {
    static const std::vector<Trace> traces = launches_of("products.cu");
    return traces;
}

struct Truth {
    const char* a;
    const char* b;
    const char* c;
    std::uint32_t m, n, k;
    StoredMatrix of_a, of_b, of_c;
    double alpha = 1, beta = 0;
};
Truth dense(std::uint32_t m, std::uint32_t n, std::uint32_t k, double alpha = 1, double beta = 0) {
    return {"a",
            "b",
            "c",
            m,
            n,
            k,
            StoredMatrix::dense(m, k),
            StoredMatrix::dense(k, n),
            StoredMatrix::dense(m, n),
            alpha,
            beta};
}
const std::vector<Truth>& truths() {
    using M = StoredMatrix;
    static const std::vector<Truth> all = {
        dense(16, 24, 32),  // double
        dense(16, 24, 32),  // __half
        dense(16, 24, 32),  // __half to float
        dense(16, 24, 32),  // __nv_bfloat16
        dense(16, 24, 32),  // int
        dense(24, 16, 40, 0.5, 3),
        dense(24, 16, 40, 3, -0.5),
        {"a", "bt", "c", 24, 16, 40, M::dense(24, 40), M::dense(40, 16, true), M::dense(24, 16)},
        {"at", "b", "c", 24, 16, 40, M::dense(24, 40, true), M::dense(40, 16), M::dense(24, 16)},
        {"A", "B", "C", 24, 16, 40, M::dense(24, 40, true), M::dense(40, 16, true),
         M::dense(24, 16, true)},
        dense(24, 16, 40),  // wrong
        {"a", "a", "c", 24, 24, 24, M::dense(24, 24), M::dense(24, 24), M::dense(24, 24)},
        {"a", "a", "c", 24, 24, 40, M::dense(24, 40), M::dense(40, 24, true), M::dense(24, 24)},
        {"a", "b", "c", 20, 12, 10, M{20, 10, 16, false}, M{10, 12, 14, false},
         M{20, 12, 32, false}},
        {"a", "b", "c", 9, 17, 12, M{9, 12, 13, false}, M{12, 17, 24, false}, M{9, 17, 18, false}},
        {"a", "b", "c", 18, 14, 11, M{18, 11, 13, false}, M{11, 14, 15, false},
         M{18, 14, 16, false}},
        {"a", "bt", "c", 24, 16, 20, M::dense(24, 20), M::dense(20, 16, true), M::dense(24, 16)},
        dense(24, 16, 40),  // a race
    };
    return all;
}
constexpr std::size_t kWrong = 10, kInt = 4, kSquare = 11, kGram = 12, kRace = 17;

std::string name_of(std::size_t launch) {
    return std::to_string(launch) + ", " + products()[launch].launch.kernel;
}

void expect_truth(const Trace& trace, const ProductForm& found, const Truth& truth,
                  const std::string& name) {
    EXPECT_EQ(trace.arrays[found.matrices.a].name, truth.a) << name;
    EXPECT_EQ(trace.arrays[found.matrices.b].name, truth.b) << name;
    EXPECT_EQ(trace.arrays[found.matrices.c].name, truth.c) << name;
    EXPECT_EQ(found.m(), truth.m) << name;
    EXPECT_EQ(found.n(), truth.n) << name;
    EXPECT_EQ(found.k(), truth.k) << name;
    EXPECT_EQ(found.a, truth.of_a) << name;
    EXPECT_EQ(found.b, truth.of_b) << name;
    EXPECT_EQ(found.c, truth.of_c) << name;
    EXPECT_EQ(found.matrices.alpha, truth.alpha) << name;
    EXPECT_EQ(found.matrices.beta, truth.beta) << name;
}

TEST(Product, OfEachTypeAndLayoutIsRecognised) {
    ASSERT_EQ(products().size(), truths().size());
    for (std::size_t i = 0; i < truths().size(); ++i) {
        const std::optional<ProductForm> found = recognise_product(products()[i]);
        ASSERT_TRUE(found) << name_of(i);
        expect_truth(products()[i], *found, truths()[i], name_of(i));
    }
}

// An element of an array before the launch. Small integers, so that sums are exact in every type.
double element(const Trace& trace, const char* name, const StoredMatrix& matrix, std::size_t row,
               std::size_t column) {
    for (const Array& array : trace.arrays) {
        if (array.name != name) continue;
        const std::size_t size = type_bytes(array.type);
        const std::size_t at =
            matrix.by_columns ? column * matrix.pitch + row : row * matrix.pitch + column;
        return number_of(array.type, std::span(array.first_bytes).subspan(at * size, size));
    }
    ADD_FAILURE() << name;
    return 0;
}

TEST(Product, ElementsOfCAreComparedWithTheScaledProduct) {
    for (std::size_t i = 0; i < truths().size(); ++i) {
        if (i == kRace) continue;
        Trace trace = products()[i];
        const Truth& truth = truths()[i];
        const auto found = recognise_product(trace);
        ASSERT_TRUE(found) << name_of(i);
        name_product(trace, *found);
        const std::vector<WrongProductElement> wrong = wrong_product_elements(trace);
        if (i != kWrong) {
            EXPECT_TRUE(wrong.empty()) << name_of(i) << " " << wrong.size();
            continue;
        }
        // Sums in the first column lack their last product; the sum is wrong unless that is zero.
        std::size_t expected = 0;
        for (std::uint32_t row = 0; row < truth.m; ++row) {
            const double missing = element(products()[i], "a", truth.of_a, row, truth.k - 1) *
                                   element(products()[i], "b", truth.of_b, truth.k - 1, 0);
            expected += missing != 0;
        }
        ASSERT_EQ(wrong.size(), expected);
        EXPECT_GT(expected, 0u);
        for (const WrongProductElement& element : wrong) EXPECT_EQ(element.column, 0u);
    }
}

TEST(Product, AWrongElementIsFoundInEachType) {
    for (const std::size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 13u}) {
        Trace trace = products()[i];
        const auto found = recognise_product(trace);
        ASSERT_TRUE(found) << name_of(i);
        name_product(trace, *found);
        Array& c = trace.arrays[trace.product->c];
        std::vector<std::byte> bytes(trace.arrays[trace.product->c].last_bytes.begin(),
                                     trace.arrays[trace.product->c].last_bytes.end());
        // C[3][5] gets the value of C[4][6], which differs.
        const std::size_t at = c.index_of({3, 5}) * c.element_bytes;
        const std::size_t other = c.index_of({4, 6}) * c.element_bytes;
        ASSERT_NE(number_of(c.type, std::span(bytes).subspan(at, c.element_bytes)),
                  number_of(c.type, std::span(bytes).subspan(other, c.element_bytes)))
            << name_of(i);
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(other), c.element_bytes,
                    bytes.begin() + static_cast<std::ptrdiff_t>(at));
        c.last_bytes = bytes;
        const std::vector<WrongProductElement> wrong = wrong_product_elements(trace);
        ASSERT_EQ(wrong.size(), 1u) << name_of(i);
        EXPECT_EQ(wrong[0].row, 3u);
        EXPECT_EQ(wrong[0].column, 5u);
    }
}

TEST(Product, AnArrayThatIsBothFactorsIsDuplicated) {
    for (const std::size_t i : {kSquare, kGram}) {
        Trace trace = products()[i];
        name_product(trace, *recognise_product(trace));
        const MatrixProduct ids = *trace.product;
        ASSERT_NE(ids.a, ids.b);
        EXPECT_EQ(trace.arrays[ids.c].name, "c");
        // A's line comes first in the source, or A's column does.
        std::pair<std::uint32_t, std::uint32_t> of_a{}, of_b{};
        for (const tilereel::Site& site : trace.sites) {
            if (site.operation != Operation::kLoad) continue;
            if (site.array == ids.a) of_a = {site.line, site.column};
            if (site.array == ids.b) of_b = {site.line, site.column};
        }
        EXPECT_LT(of_a, of_b) << name_of(i);
    }
}

TEST(Product, AssignmentsToAnIntegerSumBecomeMultiplyAdds) {
    Trace trace = products()[kInt];
    name_product(trace, *recognise_product(trace));
    std::uint64_t adds = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_at(trace, i).operation == Operation::kMultiplyAdd)
            adds += static_cast<std::uint64_t>(
                std::popcount(trace.patterns[trace.records.pattern[i]].mask));
    EXPECT_EQ(adds, 16u * 24 * 32);
}

TEST(Product, KernelsWithoutAProductAreNotRecognised) {
    const std::vector<Trace> traces = launches_of("no_products.cu");
    EXPECT_EQ(traces.size(), 11u);
    for (const Trace& trace : traces) EXPECT_FALSE(recognise_product(trace)) << trace.launch.kernel;
}

Result<ProductForm> form_named(const Trace& trace, const std::string& text) {
    const Result<NamedProduct> product = parse_product(text);
    return product ? form_of(trace, *product) : product.error();
}

TEST(Product, AUsersProductIsAcceptedOrTheMessageSaysWhatDoesNotFit) {
    const Trace& trace = products()[5];  // scaled
    for (const char* text : {"a,b,c", "a,b,c,24,16,40", " a, b, c"}) {
        const Result<ProductForm> form = form_named(trace, text);
        ASSERT_TRUE(form) << form.error().message;
        expect_truth(trace, *form, truths()[5], text);
    }
    const auto refused = [&](const std::string& text) {
        const Result<ProductForm> form = form_named(trace, text);
        EXPECT_FALSE(form) << text;
        return form ? std::string() : form.error().message;
    };
    EXPECT_EQ(refused("a,b,c,24,16,41"),
              "A (a) has 960 elements, but 24 x 41 needs 984; give smaller extents");
    EXPECT_NE(refused("a,b,c,24,8,40").find("outside of 24 x 8; give larger extents"),
              std::string::npos);
    EXPECT_EQ(refused("a,b,d"), "the launch of scaled has no global array 'd'; it has a, b, c");
    EXPECT_NE(refused("a,b").find("name three arrays as A,B,C"), std::string::npos);
    EXPECT_NE(refused("a,b,c,0,1,2").find("name three arrays as A,B,C"), std::string::npos);
    EXPECT_NE(refused("c,b,a").find("is never stored to"), std::string::npos);
}

TEST(Product, ArraysCanBeNamedAsColumnMajor) {
    const Trace& trace = products()[9];  // column_major
    const Result<ProductForm> form = form_named(trace, "A^T,B^T,C^T");
    ASSERT_TRUE(form) << form.error().message;
    expect_truth(trace, *form, truths()[9], "A^T,B^T,C^T");
    EXPECT_EQ(text_of(*parse_product("A^T, B ,C,1,2,3")), "A^T,B,C,1,2,3");
}

TEST(Product, ATraceWithAProductIsTheSameOnceWrittenAndRead) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "product_of_test.npz";
    for (const std::size_t i : {1u, 5u, 9u, 13u}) {
        Trace trace = products()[i];
        name_product(trace, *recognise_product(trace));
        ASSERT_TRUE(write_trace(trace, file));
        const Result<Trace> read = read_trace(file);
        ASSERT_TRUE(read) << name_of(i) << ": " << read.error().message;
        EXPECT_EQ(read->product, trace.product) << name_of(i);
        EXPECT_EQ(form_of(*read), form_of(trace)) << name_of(i);
        EXPECT_EQ(values_of(*read, MatrixRole::kC), values_of(trace, MatrixRole::kC)) << name_of(i);
        EXPECT_TRUE(wrong_product_elements(*read).empty()) << name_of(i);
    }
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace tilereel::program::product_test
