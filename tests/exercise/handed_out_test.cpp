// What the file that is handed out says about the points, where it cannot be checked: that it does
// not compile or does not end well is a fact, and so no check is a condition. That it did not end
// in time is none: a busy computer must not change a grade.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exercise/graded.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::handed_out_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kExercise =
    "title = \"Scale\"\ntask = \"Write it.\"\n"
    "function = \"void scale(const float* in, float* out, int n)\"\n"
    "sizes = {n = \"100 to 200\"}\narrays = {in = \"n\", out = \"n\"}\n"
    "reference = \"for (int i = 0; i < n; ++i) out[i] = 2 * in[i];\"\n"
    "checks = [\"out is right\", \"no findings\", \"launches == 1\"]\n";

std::string file_with(const std::string& kernel, const std::string& host = "") {
    return "#include <cuda_runtime.h>\n__global__ void k(const float* in, float* out, int n) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    " +
           kernel +
           "\n}\nvoid scale(const float* in, float* out, int n) {\n"
           "    k<<<(n + 127) / 128, 128>>>(in, out, n);\n    " +
           host + "\n}\n";
}

// The grade of a right solution.
Result<Grade> grade_beside(const std::string& handed_out, const std::shared_ptr<SharedWork>& shared,
                           const std::atomic<bool>* stop = nullptr) {
    const ScratchFolder folder;
    write_bytes(folder / "scale.toml", kExercise);
    write_bytes(folder / "scale.cu", handed_out);
    write_bytes(folder / "mine.cu", file_with("if (i < n) out[i] = 2 * in[i];"));
    ExerciseReading reading = read_exercise(folder / "scale.toml");
    EXPECT_TRUE(reading.mistakes.empty());
    return grade({.submission = folder / "mine.cu",
                  .exercise = std::move(reading.exercise),
                  .seed = 1,
                  .runs = 1,
                  .stop = stop,
                  .seconds = 1,
                  .shared = shared,
                  .trusted = !program::why_no_sandbox().empty()});
}

TEST(HandedOut, ThatDoesNotEndInTimeMakesNoGrade) {
    for (const std::string& text : {file_with("while (*(volatile float*)out != 77) {}"),
                                    file_with("", "for (volatile int i = 0; i < 1;) {}")}) {
        const auto shared = std::make_shared<SharedWork>();
        const Result<Grade> grade = grade_beside(text, shared);
        ASSERT_FALSE(grade) << text << words_of(*grade);
        EXPECT_EQ(grade.error().kind, ErrorKind::kFailed);
        EXPECT_THAT(grade.error().message,
                    AllOf(HasSubstr("scale.cu, the file that is handed out, did not end in time "
                                    "(n = "),
                          HasSubstr("--seconds")));
        EXPECT_EQ(shared->handed_out_fails, "") << "the next grade must try again";
    }
}

// Nothing is a condition: each check earns its point.
TEST(HandedOut, ThatCannotRunMakesNoConditions) {
    for (const std::string& text :
         {file_with("this is no CUDA"), file_with("out[i] = *(volatile float*)0;"),
          file_with("if (i == 0) __trap();")}) {
        const Result<Grade> grade = grade_beside(text, std::make_shared<SharedWork>());
        ASSERT_TRUE(grade) << grade.error().message;
        EXPECT_TRUE(grade->all_passed()) << words_of(*grade);
        EXPECT_EQ(grade->points(), 3);
    }
}

// While its output is wrong nothing else passes; with a second launch it passes two of three
// checks.
TEST(HandedOut, ThatRunsMakesConditionsOfWhatItPasses) {
    const Result<Grade> grade =
        grade_beside(file_with("if (i < n) out[i] = in[i];"), std::make_shared<SharedWork>());
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_TRUE(grade->all_passed()) << words_of(*grade);
    EXPECT_EQ(grade->points(), 3);
    const Result<Grade> costs =
        grade_beside(file_with("if (i < n) out[i] = 2 * in[i];", "k<<<1, 1>>>(in, out, 0);"),
                     std::make_shared<SharedWork>());
    ASSERT_TRUE(costs) << costs.error().message;
    EXPECT_EQ(costs->points(), 1);
}

}  // namespace
}  // namespace tilereel::tests::handed_out_test
