// Every error gives one line on stderr that says what to do, and exit code 1 or 2. Each mistake in
// a lesson has a line of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file/trace_file.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::errors_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_error(const std::string& call, int exit_code, const std::string& sentence,
                  const std::filesystem::path& folder) {
    const Ended ended = shell(call, folder);
    EXPECT_EQ(ended.exit_code, exit_code) << call << "\n" << ended.err;
    EXPECT_EQ(ended.out, "") << call;
    EXPECT_THAT(ended.err, StartsWith("tilereel")) << call;
    EXPECT_THAT(ended.err, HasSubstr(sentence)) << call;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << call << "\n" << ended.err;
}

class Errors : public ::testing::Test {
  protected:
    void expect(const std::string& call, int exit_code, const std::string& sentence) {
        expect_error(call, exit_code, sentence, folder_.path());
        EXPECT_EQ(folder_.file_count(), files_) << call << " left something behind";
    }
    void put(const std::string& name, const std::string& bytes) {
        write_bytes(folder_ / name, bytes);
        ++files_;
    }
    ScratchFolder folder_;
    std::ptrdiff_t files_ = 0;
};

TEST_F(Errors, ALessonWithAMistake) {
    put("lesson.toml", "title = \"T\"\n[[scene]]\ntitle = \"S\"\nkernel = \"09_tilde\"\n");
    expect("tilereel lesson lesson.toml --check", 1,
           "lesson.toml, line 4: there is no kernel \"09_tilde\"");
    put("two.toml", "title = \"T\"\n[[scene]]\nkernel = \"09_tilde\"\nwhere = 1\n");
    const Ended two = shell("tilereel lesson two.toml --check", folder_.path());
    EXPECT_EQ(two.exit_code, 1);
    EXPECT_THAT(two.err, HasSubstr("tilereel lesson: two.toml, line 3: "));
    EXPECT_THAT(two.err, HasSubstr("\ntilereel lesson: two.toml, line 4: "));
    expect("tilereel lesson nowhere --check", 2, "there is no lesson 'nowhere'");
    expect("tilereel lesson --check", 2, "name the lesson to check");
}

TEST_F(Errors, ImpossibleSizes) {
    for (const char* size : {"0", "-1", "-64", "abc", "", "1e3", "64.5", "0x40", "1048577",
                             "99999999999999999999999"}) {
        for (const char* option : {"--m", "--n", "--k"}) {
            expect("tilereel report 09_tiled " + std::string(option) + " '" + size + "'", 2,
                   std::string(option) + " takes a whole number from 1 to 1,048,576");
        }
    }
    expect("tilereel report 09_tiled --m 65", 2, "multiple of TILE");
    expect("tilereel trace 09_tiled --k 8 -o t.npz", 2, "multiple of TILE");
    expect("tilereel report 09_tiled --tile 0", 2, "--tile takes");
    expect("tilereel report 09_tiled --tile 33", 2, "33 x 33 = 1,089 threads");
    expect("tilereel report 04_guide_a_shared --tile 13", 2, "takes 1, 2, 4, 8, 16 or 32");
    expect("tilereel trace 09_tiled --tile 32 --pad 200 -o t.npz", 2,
           "59,392 bytes of shared memory a block, and a block has 49,152");
    expect("tilereel report 09_tiled --tile 25 --generation 1.1", 2, "625 threads");
    expect("tilereel report 11_tiled_dynamic --tile 32 --pad 300 --generation 7.5", 2,
           "84,992 bytes of shared memory, and");
    for (const char* format : {"--csv c.csv", "--png p.png"})
        expect("tilereel export 11_tiled_dynamic --tile 32 --pad 300 --generation 7.5 " +
                   std::string(format),
               2, "84,992 bytes of shared memory, and");
    expect("tilereel report 20_champion --tile 64", 2, "20_champion takes 16, 32 or 256");
    expect("tilereel report 09_tiled --m 64 --tile 13", 2, "M is 64: 09_tiled needs a multiple");
    expect("CUDA_VISIBLE_DEVICES= tilereel report 09_tiled --tile 13 --device gpu", 1,
           "use the CPU");
    expect("tilereel race 09_tiled --tile 13 --sizes 26", 2, "only what is built in can race");
    expect("TILEREEL_CXX=/no/g++ tilereel report 09_tiled --tile 13", 1, "apt-get install g++");
    for (const char* compiler : {"true", "echo"})
        expect("TILEREEL_CXX=" + std::string(compiler) + " tilereel report 09_tiled --tile 13", 1,
               "apt-get install g++");
    expect("tilereel report 09_tiled --pad -1", 2, "--pad takes");
    expect("tilereel report 09_tiled --seed x", 2, "--seed takes");
    expect("tilereel report 09_tiled --workers 0", 2, "--workers takes");
    for (const char* limit : {"0", "-1", "many", "nan", "inf", "1e300", "4 pounds"})
        expect("tilereel report 09_tiled --memory-limit '" + std::string(limit) + "'", 2,
               "--memory-limit takes");
}

TEST_F(Errors, TooMuchForTheMemoryLimit) {
    expect("tilereel trace 09_tiled --m 256 --n 256 --k 256 --memory-limit 1MiB -o t.npz", 1,
           "limit");
    expect("tilereel trace 09_tiled --memory-limit 1KB -o t.npz", 1, "the limit is 1000 bytes");
    expect("tilereel report 02_naive --m 16384 --n 16384 --k 16384", 1, "the limit is 4096 MiB");
    expect("tilereel report 02_naive --m 1048576 --n 1048576 --k 1048576", 2, "smaller");
}

TEST_F(Errors, NamesThatDoNotExist) {
    expect("tilereel report 99_none", 2, "01_naive_by_column, 02_naive");
    expect("tilereel trace tiled -o t.npz", 2, "the kernels are");
    expect("tilereel report none.npz", 2, "there is no file");
    for (const char* misspelt : {"tiled", "9_tiled", "09_tield", "09tiled"})
        expect(std::string("tilereel trace ") + misspelt + " -o t.npz", 2,
               "(did you mean 09_tiled?)");
    expect("tilereel frobnicate", 2, "the kernels are");
    expect("tilereel --kernel frobnicate", 2, "the kernels are");
    expect("tilereel explain --csv none.csv", 1, "there is no file");
}

TEST_F(Errors, CallsThatAreIncomplete) {
    expect("tilereel report", 2, "KERNEL-OR-FILE is required");
    expect("tilereel trace 09_tiled", 2, "--output is required");
    expect("tilereel export 09_tiled", 2, "give --png, --svg, --pdf, --gif, --mp4");
    expect("tilereel explain", 2, "nothing to explain");
    expect("tilereel explain --expression 'ty*'", 2, "letter 4 of the expression");
    expect("tilereel explain --expression tx --block 64x64", 2, "at most 1,024");
    expect("tilereel explain --expression '(8,32' --op ldmatrix", 2, "letter 6 of the expression");
    expect("tilereel explain --expression tx --matrices 2", 2, "for --op ldmatrix and stmatrix");
    expect("tilereel explain --expression '(8,8)' --op ldmatrix --width 2 --matrices 3", 2,
           "is 1, 2 or 4");
    expect("tilereel explain --expression '(64,64):(64,1)' --row 8", 2, "leave out --row");
    expect("tilereel explain --expression '(64,64):(64,1)' --op ldmatrix --width 2 --warp 16", 2,
           "the tile has 16 loads; use --warp 0 to 15");
    expect("tilereel explain --expression tx --block 16xa", 2, "--block takes threads as 16x16");
    expect("tilereel explain --expression tx --warp 8", 2, "use --warp 0 to 7");
    expect("tilereel explain --expression '1/lane'", 2, "divides by 0");
    expect("tilereel explain --pad 1", 2, "there is no index");
    expect("tilereel report 09_tiled --nonsense", 2, "--nonsense");
    expect("tilereel report 09_tiled 02_naive", 2, "02_naive");
    expect("tilereel --size 5", 2, "--size takes");
    expect("tilereel --text 99", 2, "--text takes");
    expect("tilereel --tick never", 2, "--tick takes");
    expect("tilereel --block 3", 2, "--block takes");
    expect("tilereel report x.cu --product a,b", 2,
           "--product takes the names of three arrays, A,B,C, or A,B,C,M,N,K, not 'a,b'");
    expect("tilereel report 09_tiled --product a,b,c", 2, "'09_tiled' is no CUDA file");
}

TEST_F(Errors, ForeignFiles) {
    put("text.npz", "hello\n");
    put("empty.npz", "");
    expect("tilereel report text.npz", 1, "no trace file");
    expect("tilereel report empty.npz", 1, "cannot open 'empty.npz'");
    expect("tilereel report .", 2, "a folder");
    expect("tilereel report /dev/zero", 2, "not a regular file");
    expect("tilereel export text.npz --png p.png", 1, "no trace file");
    expect("tilereel trace 09_tiled --a text.npz --b empty.npz -o t.npz", 2, "no .npy file");
}

TEST_F(Errors, MatricesThatDoNotFit) {
    const std::string npy = "\x93NUMPY\x01";
    const auto matrix = [&](const std::string& rows, const std::string& columns,
                            std::size_t count) {
        std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ", " +
                             columns + "), }\n";
        return npy + '\0' + static_cast<char>(header.size()) + '\0' + header +
               std::string(4 * count, '\0');
    };
    put("a.npy", matrix("2", "4", 8));
    put("b.npy", matrix("6", "2", 12));
    expect("tilereel report 02_naive --a a.npy --b b.npy", 2, "as many columns as B has rows");
    expect("tilereel report 02_naive --a a.npy", 2, "belong together");
    expect("tilereel report 02_naive --a a.npy --b b.npy --m 2", 2, "leave out --m");
    expect("tilereel report 02_naive --a a.npy --b b.npy --seed 2", 2, "--seed");
}

TEST_F(Errors, ARecordedTraceTakesNoMatrices) {
    ASSERT_EQ(shell("tilereel trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o t.npz", folder_.path())
                  .exit_code,
              0);
    files_ = 1;
    for (const char* option : {"--a", "--b", "--c"})
        expect("tilereel report t.npz " + std::string(option) + " X.npy", 2,
               "'t.npz' is a recorded trace: leave out the options that choose what to record");
    expect("tilereel facts --c C.npy", 2, "name the kernel that the options are for");
}

TEST_F(Errors, OutputsThatCannotBeWritten) {
    put("old.npz", "old");
    expect("tilereel trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o none/t.npz", 1, "does not exist");
    expect("tilereel trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o .", 1, "a folder");
    expect("tilereel trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o /dev/full", 1, "plain file");
    expect("ulimit -f 600; tilereel trace 09_tiled --m 256 --n 256 --k 256 -o old.npz", 1,
           "cannot write");
    expect("ulimit -f 1; tilereel trace 09_tiled -o old.npz", 1, "raise it to 1 MiB");
    EXPECT_EQ(read_bytes(folder_ / "old.npz"), "old");
    for (const char* call : {"kernels", "--help", "report 02_naive --json", "explain --lanes 0"}) {
        const Ended full = shell("tilereel " + std::string(call) + " >/dev/full", folder_.path());
        EXPECT_EQ(full.exit_code, 1) << call;
        EXPECT_THAT(full.err, HasSubstr("cannot print"));
        EXPECT_EQ(std::ranges::count(full.err, '\n'), 1);
    }
}

// The name may be written in another way, or be a link.
TEST_F(Errors, OutputsThatWouldReplaceWhatIsRead) {
    put("k.cu", "int main() {}\n");
    put("r.json", "{}");
    std::filesystem::create_symlink("k.cu", folder_ / "link");
    ++files_;
    for (const char* call : {"trace k.cu -o k.cu", "trace k.cu -o ./k.cu", "trace k.cu -o link",
                             "export k.cu --png k.cu", "export k.cu --csv $PWD/k.cu",
                             "export 09_tiled --compare k.cu --png k.cu", "lesson k.cu --png k.cu",
                             "race r.json --png r.json", "trace 09_tiled --a k.cu --b k.cu -o k.cu",
                             "trace x.cu --with k.cu -o k.cu"})
        expect("tilereel " + std::string(call), 2, "is read here; name another file");
    expect("tilereel export k.cu --csv both --html ./both", 2, "name the same file");
    EXPECT_EQ(read_bytes(folder_ / "k.cu"), "int main() {}\n");
}

TEST_F(Errors, AClosedPipeIsReportedInOneLine) {
    const Ended ended =
        shell("{ tilereel report 09_tiled --json; echo \"code $?\" >&2; } | true", folder_.path());
    EXPECT_THAT(ended.err, ::testing::AnyOf(HasSubstr("code 1"), HasSubstr("code 0")));
    const Ended early = shell("(sleep 0.3; tilereel kernels; echo \"code $?\" >&2) | true");
    EXPECT_THAT(early.err, HasSubstr("code 1"));
    EXPECT_THAT(early.err, HasSubstr("closed before its end"));
}

TEST_F(Errors, StayOnOneLineIfTheyQuoteControlCharacters) {
    expect("tilereel report $'a\\nb\\r\\e[31mc'", 2, "no kernel 'a b  [31mc'");
}

TEST_F(Errors, EmptyFileNames) {
    for (const char* call :
         {"race --open ''", "race --compare ''", "race -o ''", "race --png ''",
          "trace 02_naive -o ''", "export 02_naive --png ''", "export 02_naive --gif ''",
          "report 02_naive --a '' --b ''", "--frames 1 --screenshot ''"})
        expect("tilereel " + std::string(call), 2, "takes the name of a file, not ''");
}

TEST_F(Errors, ReferencesTakeNoTile) {
    expect("tilereel race cublas:32:1", 2, "cublas takes neither TILE nor PAD");
    expect("tilereel race openblas:32", 2, "openblas takes neither TILE nor PAD");
}

bool has_control_sequence(const std::string& text) {
    return text.find_first_of("\x1b\x7f") != std::string::npos ||
           text.find("\xc2\x9b") != std::string::npos;  // U+009B: ESC [ in one
}

TEST_F(Errors, ARacesNamesCannotSendControlSequencesToTheTerminal) {
    std::string race = read_bytes(TILEREEL_SOURCE_DIR "/assets/races/h100_shapes.json");
    const std::size_t begin = race.find("\"device\":\"") + 10;
    race.replace(begin, race.find('"', begin) - begin, "H100 \xc2\x9b\x32J");
    put("race.json", race);
    for (const char* form : {"", "--csv", "--json"}) {
        const Ended ended = shell("tilereel race race.json " + std::string(form), folder_.path());
        EXPECT_EQ(ended.exit_code, 0) << ended.err;
        EXPECT_FALSE(has_control_sequence(ended.out)) << ended.out;
    }
    EXPECT_THAT(shell("tilereel race race.json", folder_.path()).out, HasSubstr("H100 \\u009b2J"));
}

TEST_F(Errors, ATracesNamesCannotSendControlSequencesToTheTerminal) {
    ASSERT_EQ(shell("tilereel trace 02_naive --m 4 --n 4 --k 4 --tile 4 -o t.npz", folder_.path())
                  .exit_code,
              0);
    Result<Trace> trace = read_trace(folder_ / "t.npz");
    ASSERT_TRUE(trace) << trace.error().message;
    trace->arrays[0].name = "A\x1b[31m\x7f\xc2\x9b";
    trace->recorded_by.device = "H100\x1b[2J";
    if (!write_trace(*trace, folder_ / "t.npz")) return;  // then no command can print them
    for (const char* call :
         {"report t.npz", "report t.npz --json", "check t.npz", "check t.npz --json"}) {
        const Ended ended = shell("tilereel " + std::string(call), folder_.path());
        EXPECT_FALSE(has_control_sequence(ended.out + ended.err)) << ended.out << ended.err;
    }
}

TEST_F(Errors, NamesCannotTurnTheDirectionOfTheText) {
    const std::string turned =
        "a\xe2\x80\xae"
        "exe.cu";  // U+202E: the rest reads backwards
    const Ended ended = shell("tilereel report '" + turned + "'", folder_.path());
    EXPECT_THAT(ended.err, HasSubstr("a\\u202eexe.cu"));
    EXPECT_EQ(ended.err.find("\xe2\x80\xae"), std::string::npos);
}

TEST_F(Errors, BadRowsAreNamedByLine) {
    const auto csv = [&](const std::string& row) {
        std::string header = "id,space,op,width_bytes";
        std::string lanes;
        for (int lane = 0; lane < 32; ++lane) {
            header += ",lane" + std::to_string(lane);
            if (lane >= 1) lanes += ",-1";
        }
        write_bytes(folder_ / "rows.csv",
                    header + "\n1,shared,load,4,0" + lanes + "\n" + row + lanes + "\n");
        files_ = 1;
    };
    const auto expect_row = [&](const std::string& row, const std::string& sentence) {
        csv(row);
        expect("tilereel explain --csv rows.csv", 2, "rows.csv:3: " + sentence);
    };
    expect_row("2,texture,load,4,0", "the space is shared or global");
    expect_row("2,shared,copy,4,0", "the operation is load or store");
    expect_row("2,shared,load,5,0", "the width is 4, 8 or 16");
    expect_row("2,shared,load,4,x", "lane0 is an offset of 0 to 4294967292 bytes");
    expect_row("2,shared,load,4,-2", "lane0 is an offset of 0 to 4294967292 bytes");
    expect_row("2,shared,load,4,99999999999", "lane0 is an offset of 0 to 4294967292 bytes");
    expect_row("2,shared,load,8,4", "lane0 is at 4, no multiple");
    expect_row("2,shared,load,4,", "lane0 is empty");
    expect_row("2,shared,load,4", "it has 35 fields");
    put("other.csv", "a,b,c\n1,2,3\n");
    expect("tilereel explain --csv other.csv", 2, "other.csv:1: there is no column 'space'");
    expect("tilereel explain --csv /dev/zero", 1, "not a plain file");
}

}  // namespace
}  // namespace tilereel::tests::errors_test
