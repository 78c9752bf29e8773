#include "instrumentation/trace/file/trace_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <span>

#include "instrumentation/trace/file/trace_file_columns.h"
#include "tests/trace/matrix_values.h"
#include "tests/trace/same_trace.h"
#include "tests/trace/sample_trace.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::trace_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Recorded without the barrier on its last line, lane by lane; a sum is not a number.
Trace trace_without_barrier() {
    Trace trace = sample_trace();
    trace.source += "__syncthreads();";
    trace.launch.removed_barrier = 4;
    trace.launch.order = ThreadOrder::kLanes;
    trace.words[2] = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
    return trace;
}

// 20,000 more records with random bases and clocks, which hardly compress.
Trace long_trace() {
    Trace trace = sample_trace();
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        trace.records.site.push_back(0);
        trace.records.pattern.push_back(1);
        trace.records.base.push_back(static_cast<std::uint32_t>(4 * (random() % 400)));
        trace.records.clock.push_back(random());
    }
    trace.segments.record_begin.back() = trace.records.size();
    return trace;
}

// A file of a kernel with all its barriers has no keys of a removed barrier.
TEST(TraceFile, RemovedBarrierAndOrderAreWrittenOnlyIfThereAreAny) {
    const auto meta = [](const Trace& trace) {
        const std::vector<std::uint8_t> bytes = meta_of(trace);
        return std::string(bytes.begin(), bytes.end());
    };
    EXPECT_THAT(meta(sample_trace()), Not(HasSubstr("removed_barrier")));
    EXPECT_THAT(meta(sample_trace()), Not(HasSubstr("\"order\"")));
    EXPECT_THAT(meta(trace_without_barrier()), HasSubstr("\"removed_barrier\":4"));
}

// C was given before the launch, and the kernel left three wrong elements.
Trace trace_with_given_c() {
    Trace trace = sample_trace();
    std::vector<float> first(matrix_of(trace, MatrixRole::kC).size());
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = float(i) / 8;
    set_matrix(trace, MatrixRole::kFirstC, first);
    trace.wrong_elements = 3;
    trace.unexplained_values = 5;
    return trace;
}

Trace trace_with_arithmetic() {
    Trace trace = sample_trace();
    trace.sites[3].instructions = {1, 2, 3, 4, 5, 0xffff};
    trace.sites[3].latency_clocks = 300;
    trace.sites[0].address = AddressKind::kLoaded;
    return trace;
}

TEST(TraceFile, RoundTripKeepsEveryColumn) {
    const ScratchFolder folder;
    for (const Trace& trace : {sample_trace(), long_trace(), trace_without_barrier(),
                               trace_with_given_c(), trace_with_arithmetic()}) {
        const Status written = write_trace(trace, folder / "t.npz");
        ASSERT_TRUE(written) << written.error().message;
        const auto read = read_trace(folder / "t.npz");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(first_difference(trace, *read), "");
        EXPECT_TRUE(trace.sites == read->sites);
    }
}

// A of doubles by columns, B of padded rows, C of 16-bit floats, which was not zero.
Trace trace_of_other_matrices() {
    Trace trace = trace_with_given_c();
    const auto store = [](Array& array, const std::vector<float>& matrix, auto&& put) {
        std::vector<std::byte> content(array.size_bytes());
        const std::uint32_t bytes = type_bytes(array.type);
        for (std::uint32_t row = 0; row < array.rows; ++row)
            for (std::uint32_t column = 0; column < array.columns; ++column) {
                const auto value = put(matrix[std::size_t{row} * array.columns + column]);
                std::memcpy(content.data() + array.index_of({row, column}) * bytes, &value, bytes);
            }
        return content;
    };
    Array &a = trace.arrays[0], &b = trace.arrays[1], &c = trace.arrays[2];
    const std::vector<float> of_a = values_of(trace, MatrixRole::kA),
                             of_b = values_of(trace, MatrixRole::kB);
    a.type = ElementType::kFloat64;
    a.element_bytes = 8;
    a.by_columns = true;
    a.leading_dimension = a.rows;
    a.first_bytes = store(a, of_a, [](float value) { return double{value}; });
    b.leading_dimension = 66;
    b.first_bytes = store(b, of_b, [](float value) { return value; });
    trace.records = {};
    trace.words.clear();
    trace.segments = {{}, {}, {}, {0}, {0}};
    c.type = ElementType::kInt16;
    c.element_bytes = 2;
    std::vector<float> of_c(std::size_t{c.rows} * c.columns);
    for (std::size_t i = 0; i < of_c.size(); ++i) of_c[i] = static_cast<float>(i % 100);
    const auto number = [](float value) { return static_cast<std::int16_t>(value); };
    c.first_bytes = c.last_bytes = store(c, of_c, number);
    return trace;
}

// The elements are those that the matrices were stored from, row by row, before and after a file.
TEST(TraceFile, MatricesOfAnyTypeAndLayoutComeBackFromTheirArrays) {
    const ScratchFolder folder;
    const Trace trace = trace_of_other_matrices();
    const Status written = write_trace(trace, folder / "t.npz");
    ASSERT_TRUE(written) << written.error().message;
    const auto read = read_trace(folder / "t.npz");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(first_difference(trace, *read), "");
    const Trace floats = sample_trace();
    for (const MatrixRole which : {MatrixRole::kA, MatrixRole::kB})
        EXPECT_EQ(values_of(*read, which), values_of(floats, which));
    for (const MatrixRole which : {MatrixRole::kC, MatrixRole::kFirstC}) {
        const MatrixElements elements = matrix_of(*read, which);
        ASSERT_EQ(elements.size(), 4u * 64);
        for (std::size_t i = 0; i < elements.size(); ++i)
            EXPECT_EQ(elements[i], static_cast<float>(i % 100)) << i;
    }
    EXPECT_FALSE(is_first_c_zero(*read));
    EXPECT_TRUE(is_first_c_zero(floats));
}

// The bytes of A, B and C are in the file once: as the contents of their arrays.
TEST(TraceFile, MatricesAreStoredOnceWithTheirArrays) {
    const auto members = [](const Trace& trace) {
        std::map<std::string, std::size_t> bytes;
        const FileTables tables = tables_of(trace);
        visit_columns(trace, tables, [&](const std::string& name, const auto& column, unsigned) {
            if (!column.empty()) bytes[name] = std::as_bytes(std::span(column)).size();
        });
        return bytes;
    };
    const auto of_sample = members(sample_trace());
    EXPECT_EQ(of_sample.at("array_0_first.npy"), 4u * 8 * 4);
    EXPECT_EQ(of_sample.at("array_1_first.npy"), 8u * 64 * 4);
    EXPECT_EQ(of_sample.at("array_2_last.npy"), 4u * 64 * 4);
    EXPECT_FALSE(of_sample.contains("array_2_first.npy"));
    EXPECT_EQ(members(trace_with_given_c()).at("array_2_first.npy"), 4u * 64 * 4);
    EXPECT_EQ(members(trace_of_other_matrices()).at("array_0_first.npy"), 4u * 8 * 8);
    for (const char* matrix : {"a.npy", "b.npy", "c.npy", "c_before.npy"})
        EXPECT_FALSE(of_sample.contains(matrix)) << matrix;
}

// A launch of any program has neither.
TEST(TraceFile, ProductAndRungAreWrittenOnlyIfTheLaunchIsOne) {
    const auto meta = [](const Trace& trace) {
        const std::vector<std::uint8_t> bytes = meta_of(trace);
        return std::string(bytes.begin(), bytes.end());
    };
    EXPECT_THAT(meta(sample_trace()), HasSubstr("\"rung\":{\"pad\":1,\"tile\":16}"));
    Trace trace = sample_trace();
    trace.product.reset();
    trace.launch.m = trace.launch.n = trace.launch.k = trace.launch.tile = trace.launch.pad = 0;
    for (const char* absent : {"product", "rung", "\"m\"", "\"tile\"", "\"pad\""})
        EXPECT_THAT(meta(trace), Not(HasSubstr(absent)));
}

TEST(TraceFile, OptionalColumnsMayBeEmpty) {
    const ScratchFolder folder;
    Trace trace = sample_trace();
    trace.records.clock.clear();
    trace.multiprocessors.clear();
    trace.complete = false;
    ASSERT_TRUE(write_trace(trace, folder / "t.npz"));
    const auto read = read_trace(folder / "t.npz");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(first_difference(trace, *read), "");
}

TEST(TraceFile, SameTraceGivesSameBytesWhateverTheTimeAndZone) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(sample_trace(), folder / "one.npz"));
    ::setenv("TZ", "Asia/Kathmandu", 1);
    ::tzset();
    ASSERT_TRUE(write_trace(sample_trace(), folder / "two.npz"));
    ::unsetenv("TZ");
    ::tzset();
    EXPECT_EQ(read_bytes(folder / "one.npz"), read_bytes(folder / "two.npz"));
}

TEST(TraceFile, ReplacesAnOlderFileAndLeavesNothingElse) {
    const ScratchFolder folder;
    write_bytes(folder / "t.npz", "old");
    ASSERT_TRUE(write_trace(sample_trace(), folder / "t.npz"));
    EXPECT_TRUE(read_trace(folder / "t.npz"));
    EXPECT_EQ(folder.file_count(), 1);
}

TEST(TraceFile, ALinkStaysALink) {
    const ScratchFolder folder;
    write_bytes(folder / "real.npz", "old");
    std::filesystem::create_symlink("real.npz", folder / "link.npz");
    ASSERT_TRUE(write_trace(sample_trace(), folder / "link.npz"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npz"));
    EXPECT_TRUE(read_trace(folder / "real.npz"));
}

TEST(TraceFile, LongestNamesWork) {
    const ScratchFolder folder;
    const std::string name = std::string(251, 'x') + ".npz";
    const Status written = write_trace(sample_trace(), folder / name);
    EXPECT_TRUE(written) << written.error().message;
}

// Files of this process may not grow beyond `bytes` while this lives, as if the disk were full.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST(TraceFile, AFullDiskKeepsTheOldFileAndLeavesNothing) {
    const ScratchFolder folder;
    write_bytes(folder / "t.npz", "old");
    for (const rlim_t limit : {0, 1, 100, 1000, 4000, 20000}) {
        Status written = Done{};
        {
            const FileSizeLimit full(limit);
            written = write_trace(long_trace(), folder / "t.npz");
        }
        ASSERT_FALSE(written) << limit;
        EXPECT_EQ(written.error().kind, ErrorKind::kFailed);
        EXPECT_THAT(written.error().message, HasSubstr("cannot write"));
        EXPECT_THAT(written.error().message, Not(HasSubstr("\n")));
        EXPECT_EQ(read_bytes(folder / "t.npz"), "old");
        EXPECT_EQ(folder.file_count(), 1);
    }
}

TEST(TraceFile, ImpossibleTargetsAreRefused) {
    const ScratchFolder folder;
    const auto message = [&](const std::filesystem::path& path) {
        const Status written = write_trace(sample_trace(), path);
        return written ? std::string("written") : written.error().message;
    };
    EXPECT_THAT(message(folder.path()), HasSubstr("it is a folder"));
    EXPECT_THAT(message(folder / "none/t.npz"), HasSubstr("its folder does not exist"));
    EXPECT_THAT(message("/dev/full"), HasSubstr("not a plain file"));
    EXPECT_THAT(message("/proc/t.npz"), HasSubstr("cannot write"));
    EXPECT_THAT(message(folder / std::string(300, 'x')), HasSubstr("cannot write"));
    EXPECT_THAT(message(""), HasSubstr("without a name"));
    EXPECT_EQ(folder.file_count(), 0);
}

TEST(TraceFile, OpensInNumpy) {
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
        GTEST_SKIP() << "python3 has no numpy";
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(sample_trace(), folder / "t.npz"));
    write_bytes(folder / "check.py", R"(
import json, sys, numpy
trace = numpy.load(sys.argv[1], allow_pickle=False)
columns = {name: trace[name] for name in trace.files}
assert len(columns) == 29, sorted(columns)
meta = json.loads(columns['meta'].tobytes())
assert meta['version'] == 5 and meta['launch']['kernel'] == '09_tiled', meta
assert columns['source'].tobytes() == b'line one\nline two\nline three\n'
assert meta['rung'] == {'tile': 16, 'pad': 1} and meta['product']['k'] == 8
matrices = [columns['array_%d_%s' % at].view('<f4').reshape(meta['arrays'][at[0]]['extents'])
            for at in ((0, 'first'), (1, 'first'), (2, 'last'))]
assert matrices[0][1, 3] == 11 % 6 and matrices[1][1, 3] == 67 % 5
assert numpy.isnan(matrices[2]).sum() == 4 * 64 - 1
assert columns['patterns_delta_bytes'].tolist()[3] == [-8, -16, -32, 0, 0]
assert columns['irregular_offsets'].shape == (1, 32)
assert columns['records_site'].dtype == numpy.uint16
assert columns['blocks_multiprocessor'].tolist() == [131, 7]
assert columns['digest'].shape == (4,)
assert len(columns['records_site']) == len(columns['records_base']) == 20
assert columns['segments_record_begin'].tolist() == [0, 3, 6, 8, 10, 13, 16, 18, 20]
)");
    const std::string command = "/usr/bin/python3 '" + (folder / "check.py").string() + "' '" +
                                (folder / "t.npz").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(TraceFile, MoreThanTheLimitIsRefused) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(long_trace(), folder / "t.npz"));
    const auto read = read_trace(folder / "t.npz", {.memory_bytes = 100000});
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("limit"));
}

TEST(TraceFile, OtherFilesAreRefused) {
    const ScratchFolder folder;
    write_bytes(folder / "text", "hello\n");
    write_bytes(folder / "empty", "");
    const auto message = [&](const std::filesystem::path& path) {
        const auto read = read_trace(path);
        return read ? std::string("read") : read.error().message;
    };
    EXPECT_THAT(message(folder / "text"), HasSubstr("it is a text file, no trace file"));
    write_bytes(folder / "binary", std::string("\0\1\2text", 7));
    EXPECT_THAT(message(folder / "binary"), HasSubstr("it is no trace file, or is cut off"));
    EXPECT_THAT(message(folder / "empty"), HasSubstr("cannot open"));
    EXPECT_THAT(message(folder / "none"), HasSubstr("no such file"));
    EXPECT_THAT(message(folder.path()), HasSubstr("a folder; name a CUDA program (.cu)"));
    EXPECT_THAT(message("/dev/zero"), HasSubstr("not a plain file"));
}

// For any change of the bytes, reading fails or gives exactly the trace that was written.
void expect_harmless(const std::filesystem::path& path, const Trace& original, std::size_t& read) {
    const auto result = read_trace(path);
    if (!result) {
        EXPECT_THAT(result.error().message, Not(HasSubstr("\n")));
        return;
    }
    ++read;
    EXPECT_EQ(first_difference(original, *result), "");
}

TEST(TraceFile, FlippedBytesAreNeverTakenForData) {
    const ScratchFolder folder;
    const Trace trace = sample_trace();
    ASSERT_TRUE(write_trace(trace, folder / "t.npz"));
    const std::string bytes = read_bytes(folder / "t.npz");
    std::mt19937 random(1);
    std::size_t read = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ (1 + random() % 255));
        write_bytes(folder / "f.npz", changed);
        expect_harmless(folder / "f.npz", trace, read);
    }
    // Only bytes that carry nothing (times, versions, attributes) may go unnoticed.
    EXPECT_LT(read, bytes.size() / 8);
}

TEST(TraceFile, CutOffFilesAreRefused) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_trace(sample_trace(), folder / "t.npz"));
    const std::string bytes = read_bytes(folder / "t.npz");
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        write_bytes(folder / "f.npz", bytes.substr(0, size));
        EXPECT_FALSE(read_trace(folder / "f.npz")) << size;
    }
}

}  // namespace
}  // namespace tilereel::tests::trace_file_test
