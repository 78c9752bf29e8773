// GCC's garbage collector may run between any two functions. What the plugin keeps from one
// function to the next must outlive it. The flags make it run each time that a little memory was
// used, so that a tree that is not kept is freed within a few functions.
#include "tests/program/cuda_programs.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::eager_collection_test {
namespace {

const std::vector<std::string> kEager = {"--param", "ggc-min-expand=2", "--param",
                                         "ggc-min-heapsize=0"};

class EagerCollection : public Program {};

TEST_F(EagerCollection, TreesOfThePluginOutliveIt) {
    request_.compiler_flags = kEager;
    std::string text = "template <class T> __global__ void add(T* a) { a[0] += 1; }\n", launches;
    for (const char* const n : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        text += std::string("__device__ int v") + n + ";\n__global__ void k" + n +
                "(int* a) { __shared__ int s[4]; s[0] = v" + n + "; a[0] = s[0]; }\n";
        launches += std::string("k") + n + "<<<1, 1>>>(a);\n";
    }
    const ProgramRun ran = run(text + "int main() { int* a; cudaMalloc(&a, 4);\n" + launches +
                               "void (*last)(int*) = add; last<<<1, 1>>>(a); cudaFree(a); }\n");
    EXPECT_TRUE(ran.compile_errors.empty()) << ran.compile_errors[0].message;
    ASSERT_EQ(ran.launches.size(), 9u);
    EXPECT_EQ(accesses(trace_of(ran.launches[7]), 9 * 2 - 1, "s", Operation::kStore), 1u);
}

// On request, because each program takes several seconds longer.
TEST(EagerCollectionOfAll, DISABLED_EachCudaProgramCompiles) {
    std::vector<NamedRequest> programs =
        programs_in(std::filesystem::path(TILEREEL_TESTS_FOLDER) / "cuda");
    for (NamedRequest& program : programs) program.request.compiler_flags = kEager;
    run_all(programs, [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        EXPECT_TRUE(run->compile_errors.empty() && run->exit_code == 0) << program.name << ":\n"
                                                                        << text_of(*run);
    });
}

}  // namespace
}  // namespace tilereel::program::eager_collection_test
