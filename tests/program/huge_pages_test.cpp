// An allocation that the host writes completely gets huge pages: a launch opens and closes all
// allocations, which takes long with many small pages.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/program/program_fixture.h"

namespace tilereel::program::huge_pages_test {
namespace {

using HugePages = Program;

// The program reads which of its mappings the kernel may give huge pages ("hg").
TEST_F(HugePages, AreForWhatTheHostWritesCompletely) {
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
        GTEST_SKIP() << "the system has no huge pages";
    const ProgramRun ran = run(R"(#include <cstdio>
#include <cstring>
#include <vector>
bool huge(void* pointer) {
    FILE* maps = fopen("/proc/self/smaps", "r");
    if (!maps) return false;
    const unsigned long address = (unsigned long)pointer + (4 << 20);
    char line[4096];
    bool here = false, found = false;
    while (fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) here = begin <= address && address < end;
        if (here && strncmp(line, "VmFlags:", 8) == 0) found = strstr(line, " hg") != nullptr;
    }
    fclose(maps);
    return found;
}
__global__ void k(char* a) { a[threadIdx.x] = 1; }
int main() {
    const size_t bytes = 8 << 20;
    std::vector<char> host(bytes);
    char *copied, *set, *half, *untouched;
    for (char** a : {&copied, &set, &half, &untouched}) cudaMalloc(a, bytes);
    cudaMemcpy(copied, host.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(set, 0, bytes);
    cudaMemset(half, 0, bytes / 2);
    k<<<1, 32>>>(untouched);
    printf("%d %d %d %d", huge(copied), huge(set), huge(half), huge(untouched));
    for (char* a : {copied, set, half, untouched}) cudaFree(a);
}
)");
    EXPECT_EQ(ran.output, "1 1 0 0");
}

}  // namespace
}  // namespace tilereel::program::huge_pages_test
