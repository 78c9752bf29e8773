// Compares programs recorded with the hooks of -fsanitize=thread, which are used if g++ has no
// headers for plugins, with the same programs recorded with the plugin: every count of every line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "instrumentation/analysis/counters.h"
#include "tests/plain/cuda_programs.h"
#include "tests/plain/program_fixture.h"
#include "tests/plain/without_plugin.h"

namespace tilereel::plain::compiler_hooks_test {
namespace {

using testing::HasSubstr;

// By line, operation and array. Without sums and locals, which these hooks do not report.
using Counts = std::map<std::tuple<std::uint32_t, Operation, std::string>, AccessCounts>;

Counts counts_of(const LaunchSummary& launch, bool accesses_only) {
    Counts counts;
    const Result<Trace> trace = read_trace(launch.trace);
    EXPECT_TRUE(trace) << launch.kernel << ": " << launch.reason;
    if (!trace) return counts;
    EXPECT_EQ(trace->recorded_by.accesses_only, accesses_only);
    for (const SiteCounts& counted : count_sites(*trace)) {
        const tilereel::Site& site = trace->sites[counted.site];
        if (site.operation == Operation::kAssign || site.operation == Operation::kMultiplyAdd)
            continue;
        const std::string array = site.array == kNoArray ? "" : trace->arrays[site.array].name;
        counts[{site.line, site.operation, array}] += counted.counts;
    }
    return counts;
}

std::string text_of(const Counts& counts) {
    std::ostringstream text;
    for (const auto& [what, c] : counts) {
        const auto& [line, operation, array] = what;
        text << "  line " << line << ", operation " << static_cast<int>(operation) << " " << array
             << ": " << c.accesses << " accesses, " << c.requests << " requests, " << c.sectors
             << " sectors, " << c.bytes_requested << " bytes, " << c.wavefronts << " wavefronts, "
             << c.bank_conflicts << " conflicts\n";
    }
    return text.str();
}

using Runs = std::map<std::string, ProgramRun>;

Runs run_each(const std::vector<NamedRequest>& programs) {
    Runs runs;
    run_all(programs, [&](const NamedRequest& program, const Result<ProgramRun>& run) {
        ASSERT_TRUE(run) << program.name << ": " << run.error().message;
        EXPECT_TRUE(run->compile_errors.empty() && run->exit_code == 0) << program.name << ":\n"
                                                                        << text_of(*run);
        runs[program.name] = *run;
    });
    return runs;
}

void compare(const std::string& name, const ProgramRun& hooks, const ProgramRun& plugin) {
    ASSERT_EQ(hooks.launches.size(), plugin.launches.size()) << name;
    for (std::size_t i = 0; i < hooks.launches.size(); ++i) {
        const LaunchSummary &ours = hooks.launches[i], &theirs = plugin.launches[i];
        EXPECT_EQ(ours.kernel, theirs.kernel) << name;
        EXPECT_EQ(ours.recorded_blocks, theirs.recorded_blocks) << name << ", " << ours.kernel;
        EXPECT_EQ(ours.findings, theirs.findings) << name << ", " << ours.kernel;
        const Counts one = counts_of(ours, true), other = counts_of(theirs, false);
        EXPECT_TRUE(one == other) << name << ", " << ours.kernel << "\nby the compiler's hooks:\n"
                                  << text_of(one) << "by the plugin:\n"
                                  << text_of(other);
    }
}

const std::filesystem::path kFolder = std::filesystem::path(TILEREEL_SOURCE_DIR) / "tests/plain";

// The named programs, or all.
std::vector<NamedRequest> programs_of(const char* folder, const std::set<std::string>& names) {
    std::vector<NamedRequest> programs = programs_in(kFolder / folder);
    if (!names.empty())
        std::erase_if(programs,
                      [&](const NamedRequest& program) { return !names.contains(program.name); });
    EXPECT_GE(programs.size(), names.size());
    return programs;
}

TEST(CompilerHooks, ProgramsCountAsWithThePlugin) {
    std::vector<NamedRequest> programs = programs_of("programs", {});
    // It takes 20 CPU-seconds at -O0, nearly all of them in blocks that are not recorded.
    std::erase_if(programs,
                  [](const NamedRequest& program) { return program.name == "tiled_product.cu"; });
    ASSERT_GE(programs.size(), 10u);
    const Runs with = run_each(programs);
    const WithoutPlugin without;
    for (const auto& [name, run] : run_each(programs)) compare(name, run, with.at(name));
}

// Loops of different lengths, a recursion, a switch, structures, and lanes that look at each
// other's elements, so that they run in lockstep.
TEST_F(Program, DivergedLanesCountAsWithThePlugin) {
    const char* const text = R"(struct P { double x, y, z; };
__device__ int depth(int n, const int* a) { return n <= 0 ? a[0] : a[n] + depth(n - 1, a); }
__global__ void k(const int* a, int* b, P* p, int n) {
    __shared__ P tile[32];
    __shared__ char flags[40];
    const int t = threadIdx.x;
    tile[t] = p[t];
    flags[t] = t & 1;
    __syncthreads();
    int s = 0;
    for (int i = 0; i < (t & 3) + 1; ++i) {
        for (int j = i; j < n; j += 8) s += a[(j * 3 + t) % n];
        if (flags[(t + i) % 32]) {
            s -= a[i];
            continue;
        }
        s += depth(i, a);
    }
    while (s > 1000) {
        s -= a[s % n] + 1;
        if (s & 64) break;
    }
    p[31 - t] = tile[t];
    do { b[t] = s; --s; } while (s > 0 && s % 7);
    switch (t % 4) {
        case 0: b[t] += a[1]; break;
        case 1: b[t] -= a[2]; break;
        default: b[t] ^= a[3];
    }
    if (t < 16) {
        auto m = [&](int q) { return a[q] + tile[q].y; };
        b[t] += int(m(t));
    }
    for (int d = 16; d > 0; d >>= 1) b[t] += __shfl_down_sync(~0u, b[t], d);
    atomicAdd(&b[t / 8], 1);
}
int main() {
    const int n = 96;
    int h[n], *a, *b;
    P* p;
    for (int i = 0; i < n; ++i) h[i] = i * 37 % 101;
    cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h), cudaMalloc(&p, 32 * sizeof(P));
    cudaMemset(p, 0, 32 * sizeof(P));
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<2, 32>>>(a, b, p, n);
    cudaFree(a), cudaFree(b), cudaFree(p);
}
)";
    const ProgramRun with = run(text);
    const WithoutPlugin without;
    compare("lanes that part", run(text), with);
}

void expect_own_checks_to_pass(const std::set<std::string>& names) {
    const WithoutPlugin without;
    for (const auto& [name, run] : run_each(programs_of("cuda", names))) {
        EXPECT_THAT(run.findings, testing::IsEmpty()) << name << ":\n" << text_of(run);
        for (const LaunchSummary& launch : run.launches)
            EXPECT_THAT(launch.findings, testing::IsEmpty()) << name << ":\n" << text_of(run);
    }
}

TEST(CompilerHooks, SupportedCudaWorksWithoutThePlugin) {
    expect_own_checks_to_pass({"atomics.cu", "barrier_copies.cu", "device_heap.cu", "groups.cu",
                               "half.cu", "language.cu", "shared_memory.cu", "variables.cu"});
}

// On request: ctest -C all -L oracle-all
TEST(CompilerHooks, DISABLED_AllSupportedCudaWorksWithoutThePlugin) {
    expect_own_checks_to_pass({});
}

// The first line of a program gives the expected text of a finding.
std::string expectation(const std::filesystem::path& file) {
    std::ifstream text(file);
    std::string line;
    std::getline(text, line);
    return line.substr(std::string("// says: ").size());
}

TEST(CompilerHooks, MistakesGetTheirMessagesWithoutThePlugin) {
    const WithoutPlugin without;
    const std::set<std::string> names = {"constant_store.cu",
                                         "device_touches_host_memory.cu",
                                         "freed_before_the_launch.cu",
                                         "misaligned_vector.cu",
                                         "null_pointer.cu",
                                         "shared_beyond.cu",
                                         "write_beyond.cu"};
    run_all(programs_of("broken", names),
            [](const NamedRequest& program, const Result<ProgramRun>& run) {
                ASSERT_TRUE(run) << program.name << ": " << run.error().message;
                EXPECT_THAT(text_of(*run), HasSubstr(expectation(program.request.file)));
            });
}

TEST_F(Program, WithoutThePluginInvalidAccessesDoNoHarm) {
    const WithoutPlugin without;
    const ProgramRun ran = run(R"(#include <cstdio>
__device__ int kept[4] = {1, 2, 3, 4};
__global__ void stray(int* x) {
    __shared__ int near[8];
    near[threadIdx.x] = 7;
    near[threadIdx.x + 8] = 9;
    __syncthreads();
    x[threadIdx.x] = near[threadIdx.x];
}
int main() {
    int *x, h[8];
    cudaMalloc(&x, 32);
    stray<<<1, 8>>>(x);
    cudaMemcpy(h, x, 32, cudaMemcpyDeviceToHost);
    for (int i : h) printf("%d ", i);
    cudaFree(x);
}
)");
    EXPECT_EQ(ran.output, "7 7 7 7 7 7 7 7 ");
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    EXPECT_THAT(ran.launches[0].findings[0].what,
                HasSubstr("writes near[8], beyond its 8 elements"));
}

TEST_F(Program, WithoutThePluginMembersOfStructuresHaveTheirTypes) {
    const WithoutPlugin without;
    expect_the_types_of_members();
}

TEST_F(Program, WithoutThePluginAVectorIsStoredAtOnce) {
    const WithoutPlugin without;
    const ProgramRun ran = run(R"(
__global__ void fill(float4* v) {
    v[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x);
}
int main() {
    float4* v;
    cudaMalloc(&v, 512);
    fill<<<1, 32>>>(v);
    cudaFree(v);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].accesses, 32u);
}

TEST_F(Program, WithoutThePluginAnUnnamedNamespaceHasDynamicSharedMemory) {
    const WithoutPlugin without;
    const ProgramRun ran = run(R"(#include <cstdio>
namespace inner {
namespace {
template <int N>
__global__ void turn(int* x) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[N - 1 - threadIdx.x];
}
}
void go(int* x) { turn<8><<<1, 8, 32>>>(x); }
}
int main() {
    int *x, h[8];
    cudaMalloc(&x, 32);
    inner::go(x);
    cudaMemcpy(h, x, 32, cudaMemcpyDeviceToHost);
    for (int i : h) printf("%d ", i);
    cudaFree(x);
}
)");
    EXPECT_EQ(ran.output, "7 6 5 4 3 2 1 0 ");
    ASSERT_EQ(ran.launches.size(), 1u);
    EXPECT_EQ(ran.launches[0].kernel, "inner::{anonymous}::turn<8>");
    EXPECT_THAT(ran.launches[0].findings, testing::IsEmpty());
    EXPECT_EQ(accesses(trace_of(ran.launches[0]), 7, "s", Operation::kStore), 8u);
}

// Block 70 is not recorded. When time is up, it is most likely in a hook.
TEST_F(Program, WithoutThePluginAnEndlessLoopHasItsLine) {
    const WithoutPlugin without;
    request_.limits.seconds = 0.5;
    const ProgramRun ran = run(kEndlessLoop);
    EXPECT_EQ(ran.end, ProgramEnd::kTimeLimit);
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_THAT(ran.findings[0].what, HasSubstr("on line 4"));
}

TEST_F(Program, WithoutThePluginTheValuesOfStoresAreThere) {
    const WithoutPlugin without;
    const ProgramRun ran = run(R"(
struct Number { int value; };
__global__ void fill(Number* x) {
    x[threadIdx.x].value = 5 + threadIdx.x;
    x[threadIdx.x].value *= 2;
    x[32 + threadIdx.x] = x[threadIdx.x];
}
int main() {
    Number* x;
    cudaMalloc(&x, 64 * sizeof(Number));
    fill<<<1, 32>>>(x);
    cudaFree(x);
}
)");
    ASSERT_EQ(ran.launches.size(), 1u);
    const Trace trace = trace_of(ran.launches[0]);
    std::vector<std::uint32_t> stored;  // by lane 1
    std::size_t word = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        if (!has_values(trace, i)) continue;
        EXPECT_EQ(trace.sites[site_of(trace, i)].operation, Operation::kStore);
        stored.push_back(trace.words[word + 1]);
        word += value_count(trace, i);
    }
    EXPECT_THAT(stored, testing::ElementsAre(6, 12, 12));
    EXPECT_THAT(missing_facts(trace.recorded_by), HasSubstr("-plugin-dev"));
}

}  // namespace
}  // namespace tilereel::plain::compiler_hooks_test
