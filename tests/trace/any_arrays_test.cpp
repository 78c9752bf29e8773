// Traces of programs that are not matrix products: written and read, read by numpy, and checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/same_trace.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::any_arrays_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Trace> all_programs() {
    std::vector<Trace> all;
    all.push_back(reduction_trace());
    all.push_back(transpose_trace());
    all.push_back(histogram_trace());
    all.push_back(stencil_trace());
    all.push_back(chosen_trace());
    return all;
}

TEST(AnyArrays, TracesOfAnyProgramAreSound) {
    for (const Trace& trace : all_programs()) {
        const Status checked = check_trace(trace);
        EXPECT_TRUE(checked) << trace.launch.kernel << ": " << checked.error().message;
        EXPECT_FALSE(trace.product);
    }
}

TEST(AnyArrays, RoundTripKeepsEveryColumnCompressedOrNot) {
    const ScratchFolder folder;
    for (const Compression compression : {Compression::kDeflate, Compression::kNone})
        for (const Trace& trace : all_programs()) {
            const Status written = write_trace(trace, folder / "t.npz", compression);
            ASSERT_TRUE(written) << written.error().message;
            const auto read = read_trace(folder / "t.npz");
            ASSERT_TRUE(read) << trace.launch.kernel << ": " << read.error().message;
            EXPECT_EQ(first_difference(trace, *read), "") << trace.launch.kernel;
        }
}

// Each member is cut into pieces that several cores deflate: it must be one stream all the same.
TEST(AnyArrays, MembersOfSeveralPiecesAreWhole) {
    const ScratchFolder folder;
    for (const std::size_t bytes :
         {(std::size_t{1} << 20) - 1, std::size_t{1} << 20, (std::size_t{3} << 20) + 5}) {
        Trace trace = chosen_trace();
        Array& array = trace.arrays[0];
        array.type = ElementType::kUint8;
        array.element_bytes = 1;
        array.columns = array.leading_dimension = static_cast<std::uint32_t>(bytes);
        array.first_bytes.resize(bytes);
        std::uint32_t state = 1;
        for (std::byte& value : array.first_bytes)
            value = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 28);
        ASSERT_TRUE(write_trace(trace, folder / "t.npz"));
        const auto read = read_trace(folder / "t.npz");
        ASSERT_TRUE(read) << bytes << ": " << read.error().message;
        EXPECT_EQ(first_difference(trace, *read), "") << bytes;
        EXPECT_LT(std::filesystem::file_size(folder / "t.npz"), bytes * 3 / 4) << "not deflated";
    }
}

TEST(AnyArrays, OpenInNumpy) {
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
        GTEST_SKIP() << "python3 has no numpy";
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(stencil_trace(), folder / "stencil.npz"));
    ASSERT_TRUE(write_trace(chosen_trace(), folder / "chosen.npz"));
    write_bytes(folder / "check.py", R"(
import json, sys, numpy
t = numpy.load(sys.argv[1] + '/stencil.npz', allow_pickle=False)
meta = json.loads(t['meta'].tobytes())
assert [a['extents'] for a in meta['arrays']] == [[8, 4, 4], [8, 4, 4], [2]]
assert [a['space'] for a in meta['arrays']] == ['global', 'global', 'constant']
assert 'product' not in meta and 'a' not in t.files
cells = t['array_0_first'].view('f8').reshape(meta['arrays'][0]['extents'])
below = numpy.concatenate([numpy.zeros((1, 4, 4)), cells[:-1]])
assert (t['array_1_last'].view('f8').reshape(8, 4, 4) == 0.5 * cells + 0.25 * below).all()
# The values that the first warp stored: its last 32 of two words each in the segment.
end = int(t['segments_value_begin'][1])
assert t['words'].dtype == numpy.uint32
assert (t['words'][end - 64:end].view('f8') == (0.5 * cells + 0.25 * below).ravel()[:32]).all()
assert meta['locals'][0]['name'] == 'sum' and meta['recorded_by']['compiler'] == 'g++ 12.2.0'
t = numpy.load(sys.argv[1] + '/chosen.npz', allow_pickle=False)
meta = json.loads(t['meta'].tobytes())
assert t['chosen_blocks'].tolist() == [1] and t['output'].tobytes() == b'done\n'
assert t['source_1'].tobytes().startswith(b'template') and t['sites_file'].tolist() == [1]
assert meta['findings'][0]['offset_bytes'] == 160
assert meta['launch']['integers'][1] == {'name': 'offset', 'value': -3}
)");
    const std::string command = "/usr/bin/python3 '" + (folder / "check.py").string() + "' '" +
                                folder.path().string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(AnyArrays, ExtentsNamesAndContents) {
    const Trace stencil = stencil_trace();
    const Array& in = stencil.arrays[0];
    EXPECT_THAT(in.extents(), ElementsAre(8u, 4u, 4u));
    EXPECT_EQ(in.planes(), 8u);
    EXPECT_EQ(element_name(in, 4 * 3 + 2, 1), "in[3][2][1]");
    EXPECT_EQ(element_name(stencil.arrays[2], 0, 1), "factor[1]");
    EXPECT_EQ(in.type_text(), "float64");
    const Trace reduction = reduction_trace();
    EXPECT_THAT(reduction.arrays[0].extents(), ElementsAre(128u));
    EXPECT_EQ(element_name(reduction.arrays[0], 0, 77), "in[77]");
    const auto bytes = std::span(reduction.arrays[0].first_bytes).subspan(4 * 77);
    EXPECT_EQ(number_of(ElementType::kFloat32, bytes), 77 % 7);
    EXPECT_TRUE(reduction.arrays[0].last_bytes.empty());
    const Trace transpose = transpose_trace();
    EXPECT_EQ(transpose.arrays[2].size_bytes(), 8u * 9 * 4);
    EXPECT_THAT(transpose.arrays[2].extents(), ElementsAre(8u, 8u));
}

TEST(AnyArrays, ExtentsOfMillionsOfPlanesAreKept) {
    const std::vector<std::uint32_t> extents = {3, 1u << 20, 2, 1};
    const Array in = Array::of("in", Space::kGlobal, ElementType::kUint8, 1, {extents, 0});
    EXPECT_EQ(in.planes(), 3u << 20);
    EXPECT_EQ(in.extents(), extents);
    EXPECT_EQ(element_name(in, 5, 0), "in[0][2][1][0]");
    EXPECT_EQ(element_name(in, (2 << 21) + 7, 0), "in[2][3][1][0]");

    Trace trace = chosen_trace();
    trace.arrays.push_back(in);
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(trace, folder / "t.npz"));
    const auto read = read_trace(folder / "t.npz");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(first_difference(trace, *read), "");
}

TEST(AnyArrays, BlocksAndThreadsAreNumberedXFirst) {
    const Dim3 extents{4, 3, 2};
    EXPECT_EQ(index_of(extents, 0), (Dim3{0, 0, 0}));
    EXPECT_EQ(index_of(extents, 5), (Dim3{1, 1, 0}));
    EXPECT_EQ(index_of(extents, 23), (Dim3{3, 2, 1}));
    for (std::uint32_t number = 0; number < 24; ++number)
        EXPECT_EQ(number_of(extents, index_of(extents, number)), number);
}

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> result;
    for (const unsigned value : values) result.push_back(static_cast<std::byte>(value));
    return result;
}

// Expected values by the definitions of the formats: IEEE 754 and two's complement.
TEST(ElementType, ReadsEveryType) {
    EXPECT_EQ(number_of(ElementType::kFloat16, bytes({0x00, 0x3c})), 1.0);
    EXPECT_EQ(number_of(ElementType::kFloat16, bytes({0xff, 0xfb})), -65504.0);
    EXPECT_EQ(number_of(ElementType::kFloat16, bytes({0x01, 0x00})), std::ldexp(1.0, -24));
    EXPECT_TRUE(std::isinf(number_of(ElementType::kFloat16, bytes({0x00, 0x7c}))));
    EXPECT_TRUE(std::isnan(number_of(ElementType::kFloat16, bytes({0x01, 0x7c}))));
    EXPECT_EQ(number_of(ElementType::kBfloat16, bytes({0x40, 0xc0})), -3.0);
    EXPECT_EQ(number_of(ElementType::kInt8, bytes({0xff})), -1.0);
    EXPECT_EQ(number_of(ElementType::kUint8, bytes({0xff})), 255.0);
    EXPECT_EQ(number_of(ElementType::kInt16, bytes({0x00, 0x80})), -32768.0);
    EXPECT_EQ(number_of(ElementType::kUint32, bytes({0xff, 0xff, 0xff, 0xff})), 4294967295.0);
    const double pi = 3.25;
    EXPECT_EQ(number_of(ElementType::kFloat64, std::as_bytes(std::span(&pi, 1))), 3.25);
    for (const ElementType type :
         {ElementType::kFloat32, ElementType::kUint64, ElementType::kBytes})
        EXPECT_EQ(element_type(type_name(type)), type);
    EXPECT_FALSE(element_type("float"));
}

TEST(ElementType, WritesEveryValueExactly) {
    const std::int64_t large = -9007199254740993;  // no double
    EXPECT_EQ(value_text(ElementType::kInt64, std::as_bytes(std::span(&large, 1))),
              "-9007199254740993");
    EXPECT_EQ(value_text(ElementType::kInt8, bytes({0xfe})), "-2");
    EXPECT_EQ(value_text(ElementType::kBytes, bytes({0x34, 0x12})), "0x1234");
    const float pair[2] = {0.5f, -1.0f};
    EXPECT_EQ(value_text(ElementType::kFloat32, std::as_bytes(std::span(pair))), "(0.5, -1)");
}

// An element has 4 bytes: a member of two bytes, a member of one byte, and a byte of padding.
Trace trace_with_components() {
    Trace trace = transpose_trace();
    Array& array = trace.arrays[0];
    array.type = ElementType::kBytes;
    array.components = {{0, 2, ElementType::kInt16, "low"},
                        {2, 1, ElementType::kUint8, "flags[0]"}};
    return trace;
}

TEST(AnyArrays, ComponentsOfAStructureAreKept) {
    const ScratchFolder folder;
    const std::string path = (folder / "components.npz").string();
    const Trace trace = trace_with_components();
    ASSERT_EQ(trace.arrays[0].element_bytes, 4u);
    ASSERT_TRUE(write_trace(trace, path));
    const Result<Trace> read = read_trace(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->arrays[0].components, trace.arrays[0].components);
    const Array& array = read->arrays[0];
    EXPECT_EQ(array.type_at(4 * 5 + 1), ElementType::kInt16);
    EXPECT_EQ(array.type_at(4 * 5 + 2), ElementType::kUint8);
    EXPECT_EQ(array.type_at(4 * 5 + 3), ElementType::kBytes);
    EXPECT_EQ(array.component_at(4 * 5 + 2)->name, "flags[0]");
    EXPECT_EQ(array.component_at(4 * 5 + 3), nullptr);
}

TEST(AnyArrays, ClustersAndTheirSharedMemoryAreKept) {
    const ScratchFolder folder;
    const std::string path = (folder / "cluster.npz").string();
    Trace trace = chosen_trace();
    trace.arrays[0].space = Space::kSharedCluster;
    trace.arrays[0].first_bytes.clear();
    trace.arrays[0].last_bytes.clear();
    trace.launch.cluster = trace.launch.grid;
    ASSERT_TRUE(write_trace(trace, path));
    const Result<Trace> read = read_trace(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->launch.cluster, trace.launch.grid);
    EXPECT_EQ(read->arrays[0].space, Space::kSharedCluster);
}

struct Damage {
    const char* expected;
    void (*apply)(Trace&);
};

TEST(AnyArrays, InvalidNewerColumnsAreRefusedWithAReason) {
    const Damage damages[] = {
        {"impossible size", [](Trace& t) { t.launch.m = 4; }},
        {"content does not have its size", [](Trace& t) { t.arrays[0].first_bytes.resize(3); }},
        {"elements do not fit their type", [](Trace& t) { t.arrays[0].element_bytes = 3; }},
        {"does not begin at 0", [](Trace& t) { t.arrays[0].base_bytes = 4; }},
        {"not 1, 2, 4, 8 or 16", [](Trace& t) { t.sites[0].width_bytes = 3; }},
        {"atomic, exchange, fence or matrix access",
         [](Trace& t) {
             t.sites[0].operation = Operation::kAtomic;
             t.sites[0].variety = 11;
         }},
        {"atomic, exchange, fence or matrix access",
         [](Trace& t) {
             t.sites[0].operation = Operation::kArrive;
             t.sites[0].variety = 2;
         }},
        {"type or space", [](Trace& t) { t.arrays[0].space = Space::kLocal; }},
        {"clusters of which its grid is no multiple", [](Trace& t) { t.launch.cluster.y = 2; }},
        {"clusters of which its grid is no multiple", [](Trace& t) { t.launch.cluster.z = 0; }},
        {"local that does not exist", [](Trace& t) { t.sites[0].local = 0; }},
        {"outside the lines", [](Trace& t) { t.sites[0].file = 2; }},
        {"not in order",
         [](Trace& t) {
             t.chosen_blocks = {1, 1};
         }},
        {"beyond the grid", [](Trace& t) { t.chosen_blocks = {3}; }},
        {"not to be recorded", [](Trace& t) { t.chosen_blocks = {0}; }},
        {"finding of a kind", [](Trace& t) { t.findings[0].array = 1; }},
        {"outside its array", [](Trace& t) { t.records.base[0] += 40 * 2; }},
        {"outside its array", [](Trace& t) { ++t.records.base[0]; }},
    };
    for (const Damage& damage : damages) {
        Trace trace = chosen_trace();
        damage.apply(trace);
        const Status checked = check_trace(trace);
        ASSERT_FALSE(checked) << damage.expected;
        EXPECT_THAT(checked.error().message, HasSubstr(damage.expected));
    }
    using Break = void (*)(Array&);
    for (const Break apply : {Break([](Array& a) { a.components[1].offset_bytes = 1; }),
                              Break([](Array& a) { a.components[1].bytes = 3; }),
                              Break([](Array& a) { a.components[1].bytes = 0; }),
                              Break([](Array& a) { a.components[0].bytes = 1; }),
                              Break([](Array& a) { a.type = ElementType::kInt32; }),
                              Break([](Array& a) { a.components.resize(65); })}) {
        Trace trace = trace_with_components();
        ASSERT_TRUE(check_trace(trace));
        apply(trace.arrays[0]);
        EXPECT_THAT(check_trace(trace).error().message, HasSubstr("components do not fit"));
    }
    Trace trace = histogram_trace();
    for (std::size_t record = 0; record < trace.records.size(); ++record)
        if (site_at(trace, record).operation == Operation::kAtomic) {
            trace.records.site[record] = site_of(trace, record);
            break;
        }
    EXPECT_THAT(check_trace(trace).error().message, HasSubstr("lacks the values"));
}

}  // namespace
}  // namespace tilereel::tests::any_arrays_test
