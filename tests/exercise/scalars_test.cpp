// Scalars of an exercise, such as alpha of saxpy: drawn like the elements of inputs, so that a
// submission that leaves them out, or makes whole numbers of them, is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/program/program.h"
#include "tests/exercise/graded.h"

namespace tilereel::scalars_test {
namespace {

using ::testing::HasSubstr;
using Role = ExerciseParameter::Role;

std::string exercise_with(const std::string& sizes) {
    return "title = \"Saxpy\"\ntask = \"Write it.\"\n"
           "function = \"void saxpy(float alpha, const float* x, double beta, const float* y, "
           "float* out, int n)\"\n"
           "sizes = {" +
           sizes +
           "}\narrays = {x = \"n\", y = \"n\", out = \"n\"}\n"
           "reference = \"for (int i = 0; i < n; ++i) out[i] = alpha * x[i] + beta * y[i];\"\n"
           "checks = [\"out is right\", \"no findings\"]\n";
}

std::string saxpy(const std::string& value) {
    return "#include <cuda_runtime.h>\n"
           "__global__ void kernel(float alpha, const float* x, double beta, const float* y,\n"
           "                       float* out, int n) {\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (i < n) out[i] = " +
           value +
           ";\n}\n"
           "void saxpy(float alpha, const float* x, double beta, const float* y, float* out,\n"
           "           int n) {\n"
           "    kernel<<<(n + 127) / 128, 128>>>(alpha, x, beta, y, out, n);\n}\n";
}

TEST(Scalars, AreFloatsThatSizesDoesNotName) {
    const ExerciseReading reading = exercise_of_text(exercise_with("n = \"100 to 200\""), "s.toml");
    ASSERT_TRUE(reading.mistakes.empty()) << reading.mistakes.front().sentence;
    EXPECT_EQ(reading.exercise.parameters[0].role, Role::kScalar);
    EXPECT_EQ(reading.exercise.parameters[2].role, Role::kScalar);
    EXPECT_EQ(reading.exercise.parameters[5].role, Role::kSize);
    const ExerciseReading whole =
        exercise_of_text(exercise_with("n = \"100 to 200\", alpha = \"2 to 5\""), "s.toml");
    ASSERT_TRUE(whole.mistakes.empty()) << whole.mistakes.front().sentence;
    EXPECT_EQ(whole.exercise.parameters[0].role, Role::kSize);
    EXPECT_EQ(whole.exercise.parameters[0].to, 5);
    EXPECT_EQ(whole.exercise.parameters[2].role, Role::kScalar);
}

TEST(Scalars, AreDrawnAndCompared) {
    const auto folder = program::temporary_folder();
    ASSERT_TRUE(folder) << folder.error().message;
    const std::filesystem::path toml = **folder / "saxpy.toml";
    const auto write = [&](const std::filesystem::path& to, const std::string& text) {
        std::ofstream(to) << text;
    };
    write(toml, exercise_with("n = \"100 to 200\""));
    write(**folder / "saxpy.cu", saxpy("0"));
    const auto shared = std::make_shared<SharedWork>();
    const auto passes = [&](const std::string& value) {
        const std::filesystem::path file = **folder / "mine.cu";
        write(file, saxpy(value));
        ExerciseReading reading = read_exercise(toml);
        EXPECT_TRUE(reading.mistakes.empty());
        const auto found = grade({.submission = file,
                                  .exercise = std::move(reading.exercise),
                                  .seed = 3,
                                  .runs = 2,
                                  .seconds = 60,
                                  .shared = shared,
                                  .trusted = !program::why_no_sandbox().empty()});
        EXPECT_TRUE(found) << found.error().message;
        if (!found->all_passed()) {
            EXPECT_THAT(words_of(*found), HasSubstr("- out is right"));
        }
        return found->all_passed();
    };
    EXPECT_TRUE(passes("float(alpha * x[i] + beta * y[i])"));
    EXPECT_FALSE(passes("x[i] + float(beta) * y[i]"));
    EXPECT_FALSE(passes("alpha * x[i] + y[i]"));
    EXPECT_FALSE(passes("int(alpha) * x[i] + float(beta) * y[i]"));
}

}  // namespace
}  // namespace tilereel::scalars_test
