// Scenes of a lesson that compare: their words wait for both sides, and they are left by keys.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/workbench/comparison.h"
#include "tests/panels/lesson/lesson_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_lesson_compare_test {
using namespace std::chrono_literals;
namespace {

// A scene with two builds of a program, one after it with a kernel. `on_worker`: the replays come
// later than the scene.
void leave_a_compared_program(bool on_worker) {
    const LessonFile lesson;
    std::filesystem::path program = lesson.path;
    program.replace_extension(".cu");
    std::ofstream(program) << R"(
#ifndef PAD
#define PAD 0
#endif
__global__ void turn(const float* in, float* out) {
    __shared__ float t[32][32 + PAD];
    t[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    turn<<<1, dim3(32, 32)>>>(in, out);
    return cudaDeviceSynchronize();
}
)";
    lesson.write("title = 'T'\n[[scene]]\ntitle = 'One'\nprogram = '" + program.string() +
                 "'\ncompare = {define = 'PAD=1'}\nat = 'first read of t'\nthen = ['end']\n"
                 "text = 'A column takes {wavefronts} wavefronts, or {other.wavefronts}.'\n"
                 "[[scene]]\ntitle = 'Two'\nkernel = '09_tiled'\ntext = 'A kernel.'\n"
                 "[[scene]]\ntitle = 'Three'\nprogram = '" +
                 program.string() +
                 "'\ncompare = {define = 'PAD=1'}\nat = 'end'\ntext = 'The end.'\n");
    LessonWindow window(1920, 1080, on_worker);
    window.open(lesson.path);
    const auto settle = [&] {
        for (int i = 0; i < (on_worker ? 60 : 5); ++i) {
            if (on_worker) std::this_thread::sleep_for(10ms);
            window.driver.frames(1, 0.1);
        }
    };
    settle();
    ASSERT_TRUE(window.lesson().shows_scene());
    EXPECT_EQ(window.lesson().prepared_scene().text, "A column takes 32 wavefronts, or 1.");
    EXPECT_NE(window.bench.other(), nullptr);
    for (const std::size_t scene : {1u, 2u}) {
        for (int i = 0; i < 6 && window.lesson().scene < scene; ++i) {
            window.page_down();
            settle();
        }
        EXPECT_EQ(window.lesson().scene, scene);
        EXPECT_EQ(window.bench.replay()->trace().launch.kernel == "09_tiled", scene == 1);
        EXPECT_EQ(window.bench.other() != nullptr, scene == 2);
    }
    window.page_down();
    EXPECT_EQ(window.lesson().past_end, 1);
    for (int i = 0; i < 8 && window.lesson().scene > 0; ++i) {
        window.driver.press(Key::kPageUp);
        settle();
    }
    EXPECT_EQ(window.lesson().scene, 0u);
    std::filesystem::remove(program);
}

TEST(Lessons, ASceneThatComparesAProgramIsLeftByPageDown) { leave_a_compared_program(false); }
TEST(Lessons, ASceneThatComparesAProgramIsLeftByPageDownWhileItIsRead) {
    leave_a_compared_program(true);
}

// Words such as "at the right" would speak of a picture that is not there yet.
TEST(Lessons, WordsOfAComparisonWaitForItsOtherSide) {
    const LessonFile file;
    file.write(
        "title = \"Padding\"\n[[scene]]\ntitle = \"Side by side\"\n"
        "kernel = \"08_tiled_b_transposed\"\nm = 64\nk = 96\ncompare = {pad = 1}\n"
        "at = \"first conflict\"\ntext = \"At the right there is none.\"\n");
    LessonWindow window(1920, 1080, true);  // no other test has recorded this size
    window.open(file.path);
    bool waited = false, said = false;
    for (int i = 0; i < 60'000 && !said; ++i) {
        const auto texts = texts_of([&] { window.driver.frame(0.1); });
        said = std::ranges::any_of(
            texts, [](const DrawnText& each) { return each.text.starts_with("At the right"); });
        const bool is_there = window.bench.other() != nullptr;
        EXPECT_TRUE(is_there || !said);
        waited = waited || !is_there;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(waited);
    EXPECT_TRUE(said);
}

}  // namespace
}  // namespace tilereel::frame_lesson_compare_test
