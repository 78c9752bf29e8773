// Files written by other programs: NumPy rewrites a good file, one member at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/same_trace.h"
#include "tests/trace/sample_trace.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::trace_file_damage_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RewrittenFile : public ::testing::Test {
  protected:
    void SetUp() override {
        if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
            GTEST_SKIP() << "python3 has no numpy";
        ASSERT_TRUE(write_trace(sample_trace(), folder_ / "good.npz"));
    }

    struct Change {
        const char* sentence;  // a part of the expected error message
        const char* change;    // Python: changes `t` (all columns) or `meta` before they are saved
        const char* afterwards;  // Python: changes the saved file `bad`
    };

    // All changes in one run of Python: good.npz -> 0.npz, 1.npz, ...
    void rewrite(std::initializer_list<Change> changes) {
        std::string script = R"(
import json, sys, zipfile, io, numpy
def columns():
    t = dict(numpy.load('good.npz', allow_pickle=False))
    return t, json.loads(t['meta'].tobytes())
def save(bad, t, meta):
    if 'meta' in t and json.dumps(meta) != json.dumps(json.loads(t['meta'].tobytes())):
        t['meta'] = numpy.frombuffer(json.dumps(meta).encode(), 'u1')
    numpy.savez(bad, **t)
)";
        int number = 0;
        for (const Change& change : changes) {
            script += "bad = '" + std::to_string(number++) + ".npz'\nt, meta = columns()\n" +
                      change.change + "\nsave(bad, t, meta)\n" + change.afterwards + "\n";
        }
        write_bytes(folder_ / "change.py", script);
        const std::string command =
            "cd '" + folder_.path().string() + "' && /usr/bin/python3 -W ignore change.py";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }
    Result<Trace> read(int number) {
        return read_trace(folder_ / (std::to_string(number) + ".npz"));
    }
    void expect_refused(std::initializer_list<Change> changes) {
        rewrite(changes);
        int number = 0;
        for (const Change& change : changes) {
            const auto result = read(number++);
            ASSERT_FALSE(result) << change.change << change.afterwards;
            EXPECT_THAT(result.error().message, HasSubstr(change.sentence)) << change.change;
            EXPECT_THAT(result.error().message, Not(HasSubstr("\n")));
            EXPECT_EQ(result.error().kind, ErrorKind::kFailed);
        }
    }

    ScratchFolder folder_;
};

// Values that a trace may have, but not those that were written; of each kind of member one.
TEST_F(RewrittenFile, AChangeIsSeenByItsDigest) {
    rewrite({{"", "", ""},
             {"", "t['words'][3] ^= 1", ""},
             {"", "t['source'][0] ^= 1", ""},
             {"", "meta['launch']['seed'] += 1", ""},
             {"", "del t['digest']", ""},
             {"", "del t['digest']; t['words'][3] ^= 1", ""}});
    const bool expected[] = {false, true, true, true, false, false};
    for (int i = 0; i < 6; ++i) {
        const auto result = read(i);
        ASSERT_TRUE(result) << i << ": " << result.error().message;
        EXPECT_EQ(result->changed_file, expected[i]) << i;
    }
}

TEST_F(RewrittenFile, UnchangedIsTheSameTrace) {
    rewrite({{"", "", ""}});
    const auto result = read(0);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(first_difference(sample_trace(), *result), "");
}

// The same bytes may have other extents.
TEST_F(RewrittenFile, ExtentsSayHowManyPlanesAnArrayHas) {
    rewrite({{"", "meta['arrays'][3]['extents'] = [8, 16]", ""}});
    const auto result = read(0);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->arrays[3].outer_extents.empty());
    EXPECT_EQ(result->arrays[3].planes(), 1u);
    EXPECT_EQ(first_difference(sample_trace(), *result), "arrays");
}

TEST_F(RewrittenFile, MembersMustBeTheKnownOnes) {
    expect_refused(
        {{"'records_base.npy' is missing", "del t['records_base']", ""},
         {"'extra.npy' that a trace does not have", "t['extra'] = t['words']", ""},
         {"zip file but no trace", "del t['meta']", ""},
         {"", "", R"(zipfile.ZipFile(bad, 'a').writestr('words.npy', b'x'))"},
         {"'notes.txt'", "", R"(zipfile.ZipFile(bad, 'a').writestr('notes.txt', b'x'))"}});
}

TEST_F(RewrittenFile, ColumnsMustHaveTheirTypeOrderAndShape) {
    expect_refused(
        {{"elements of type '<i8'", "t['records_base'] = t['records_base'].astype('i8')", ""},
         {"elements of type '>u4'", "t['words'] = t['words'].astype('>u4')", ""},
         {"Fortran order",
          "t['patterns_delta_bytes'] = numpy.asfortranarray(t['patterns_delta_bytes'])", ""},
         {"shape", "t['irregular_offsets'] = t['irregular_offsets'].reshape(8, 4)", ""},
         {"shape", "t['irregular_offsets'] = t['irregular_offsets'].ravel()", ""},
         {"content does not have its size", "t['array_0_first'] = t['array_0_first'][:-4]", ""},
         {"lacks its content", "del t['array_1_first']", ""},
         {"lacks its content", "del t['array_2_last']", ""},
         {"shape", "t['records_site'] = t['records_site'].reshape(-1, 1)", ""},
         {"elements of type '|O'", "t['words'] = numpy.array([{}], object)", ""},
         {"equally long", "t['sites_line'] = t['sites_line'][:-1]", ""},
         {"equally long", "t['patterns_irregular'] = t['patterns_irregular'][:-1]", ""},
         {"operation that does not exist", "t['sites_operation'][0] = 23", ""}});
}

// A shape of 2^68 elements. The header is written by hand: no NumPy array has this shape.
TEST_F(RewrittenFile, AShapeLargerThanAnyMemoryIsRefused) {
    expect_refused(
        {{"its member 'irregular_offsets.npy' has a shape that is larger than any memory",
          "del t['irregular_offsets']",
          "head = repr({'descr': '<i4', 'fortran_order': False, 'shape': (2**62, 32)}).encode()\n"
          "zipfile.ZipFile(bad, 'a').writestr('irregular_offsets.npy', b'\\x93NUMPY\\x01\\x00' + "
          "len(head).to_bytes(2, 'little') + head)"}});
}

// Format 4 has no arithmetic.
TEST_F(RewrittenFile, TheFormatBeforeIsRead) {
    rewrite({{"", "meta['version'] = 4; del t['digest']", ""}});
    const Result<Trace> trace = read(0);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(first_difference(sample_trace(), *trace), "");
}

TEST_F(RewrittenFile, ArithmeticMustBeSound) {
    expect_refused(
        {{"its columns of sites are not equally long",
          "t['sites_arithmetic'] = numpy.zeros((4, 8), '<u2')", ""},
         {"'sites_arithmetic.npy'", "t['sites_arithmetic'] = numpy.zeros((5, 7), '<u2')", ""},
         {"'sites_arithmetic.npy'", "t['sites_arithmetic'] = numpy.zeros((5, 8), '<u4')", ""},
         {"it has a site whose address is of a kind that does not exist",
          "t['sites_arithmetic'] = numpy.full((5, 8), 3, '<u2')", ""}});
}

TEST_F(RewrittenFile, DescriptionMustBeSound) {
    expect_refused(
        {{"(format 6, this one reads format 5); update Tilereel", "meta['version'] = 6", ""},
         {"it is a trace of format 3, from an older Tilereel; record it again with 'tilereel trace",
          "meta['version'] = 3; t['a'] = t['words']; del t['sites_column']", ""},
         {"it is a trace of format 1, from an older Tilereel", "meta['version'] = 1", ""},
         {"not that of a trace", "meta['version'] = 0", ""},
         {"not that of a trace", "meta['format'] = 'x'", ""},
         {"not that of a trace", "meta = [1, 2]", ""},
         {"not that of a trace", "meta = None", ""},
         {"'m'", "del meta['product']['m']", ""},
         {"'m'", "meta['product']['m'] = -4", ""},
         {"'m'", "meta['product']['m'] = 4.0", ""},
         {"'m'", "meta['product']['m'] = 2**40", ""},
         {"'a'", "meta['product'] = 7", ""},
         {"'tile'", "meta['rung'] = []", ""},
         {"'tile'", "meta['rung'] = {'pad': 1}", ""},
         {"'pad'", "meta['rung']['pad'] = 0.5", ""},
         {"impossible TILE or PAD", "meta['rung']['tile'] = 1025", ""},
         {"'order'", "meta['rung']['order'] = 4", ""},
         {"'order'", "meta['rung']['order'] = 'lanes'", ""},
         {"'order'", "meta['rung']['order'] = -1", ""},
         {"order of threads", "meta['rung']['order'] = 1", ""},
         {"'removed_barrier'", "meta['rung']['removed_barrier'] = 2**32", ""},
         {"'removed_barrier'", "meta['rung']['removed_barrier'] = None", ""},
         {"left out on a line", "meta['rung']['removed_barrier'] = 99", ""},
         {"'grid'", "meta['launch']['grid'] = [1, 2]", ""},
         {"'grid'", "meta['launch']['grid'] = [1, 2, 'x']", ""},
         {"'kernel'", "meta['launch']['kernel'] = 9", ""},
         {"'launch'", "meta['launch'] = []", ""},
         {"'recorder'", "meta['recorded_by'] = {}", ""},
         {"'space'", "meta['arrays'][0]['space'] = 'texture'", ""},
         {"'extents'", "meta['arrays'][3]['extents'] = [2.0]", ""},
         {"'extents'", "meta['arrays'][3]['extents'] = 2", ""},
         {"'extents'", "meta['arrays'][3]['extents'] = []", ""},
         {"'extents'", "meta['arrays'][3]['extents'] = [1] * 17", ""},
         {"'type'", "meta['arrays'][3]['type'] = 'float'", ""},
         {"do not fit their type", "meta['arrays'][3]['type'] = 'float64'", ""},
         {"'value'", "meta['launch']['integers'] = [{'name': 'n', 'value': 0.5}]", ""},
         {"'error'", "meta['findings'] = [{'kind': 0}]", ""},
         {"'function'",
          "meta['locals'] = [{'name': 'i', 'type': 'int32', 'type_name': '', 'line': 1}]", ""},
         {"too many arrays", "meta['arrays'] = [0] * 65536", ""},
         {"cannot be read", "del meta; t['meta'] = t['meta'][:-1]; meta = t.pop('meta')",
          "zipfile.ZipFile(bad, 'a').writestr('meta.npy', (lambda f: (numpy.save(f, meta),"
          " f.getvalue())[1])(io.BytesIO()))"}});
}

TEST_F(RewrittenFile, RecordsMustStayInBounds) {
    expect_refused({{"outside its array", "t['records_base'][0] = 4000000000", ""},
                    {"pattern that does not exist", "t['records_pattern'][2] = 77", ""},
                    {"not a finite number", "t['array_0_first'].view('<f4')[0] = numpy.nan", ""}});
}

TEST_F(RewrittenFile, DecompressionBombsAreRefused) {
    // 400 MB of zeros in 400 KB: more than the limit allows.
    rewrite({{"", "t['words'] = numpy.zeros(10**8, 'u4')", "numpy.savez_compressed(bad, **t)"}});
    const auto result = read_trace(folder_ / "0.npz", {.memory_bytes = 100 << 20});
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("more memory than the limit of 100 MiB"));
}

// A source of line ends packs well, and each line costs memory where it is shown.
TEST_F(RewrittenFile, AVeryLongSourceIsRefused) {
    expect_refused(
        {{"its source has more than 33 MiB", "t['source'] = numpy.full(34 << 20, 10, 'u1')",
          "numpy.savez_compressed(bad, **t)"}});
}

}  // namespace
}  // namespace tilereel::tests::trace_file_damage_test
