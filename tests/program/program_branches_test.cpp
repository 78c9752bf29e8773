// Lanes that take no part in a request: who they are and why, in programs of every kind of branch.
#include <gtest/gtest.h>

#include <algorithm>

#include "instrumentation/analysis/source/off_lanes.h"
#include "instrumentation/trace/views.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::program_branches_test {
namespace {

// Each block has 40 threads: a whole warp and one of 8 lanes. A comment names the lines.
constexpr const char* kBranches = R"(
__device__ int twice(const int* x, int i) {
    if (i > 99) return 0;
    return 2 * x[i];                                                  // function
}
__global__ void branches(const int* x, int* y, int n) {
    __shared__ int t[64];
    int i = threadIdx.x;
    t[i] = i;                                                         // all
    if (i < 4) y[i] = 1;                                              // first four
    if (i % 2) y[i] = 2;                                              // odd
    if (i % 2) {
        y[i] = 3;                                                     // then
    } else {
        y[i] = 4;                                                     // else
    }
    if (i < 16)
        if (i < 8) y[i] = 5;                                          // nested
    y[i] = i < 4 ? x[i] : x[i + 1];                                   // both sides
    y[i] = i < 4 ? 6 : 7;                                             // select
    switch (i % 4) {
        case 0: y[i] = 8; break;                                      // case 0
        case 1:
        case 2: y[i] = 9; break;                                      // case 1 and 2
        default: y[i] = 10;                                           // default
    }
    int sum = 0;
    for (int j = 0; j < i; j++) sum += x[j];                          // own trips
    y[i] = sum;                                                       // after the loop
    for (int s = 16; s > 0; s >>= 1) {
        __syncthreads();
        if (i < s) t[i] += t[i + s];                                  // reduction
    }
    __syncthreads();
    if (i < 32)
        for (int s = 16; s > 0; s >>= 1) {
            if (i < s) t[i] += t[i + s];                              // in one warp
            __syncwarp();
        }
    if (i < n) y[i] = twice(x, i);
    if (i == 0) y[0] = t[0];                                          // last
}
__global__ void guarded(const int* x, int* y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    y[i] = x[i];                                                      // behind a return
    for (int j = 0; j < 3; j++) y[i] += x[j];                         // loop behind a return
    if (i % 2) y[i] = 1;                                              // branch behind a return
    y[i] = 2;
    if (i == 0) y[0] = 3;                                             // last behind a return
}
__global__ void unclear(int* y, int n) {
    if (threadIdx.x >= n) return;
    if (threadIdx.x < 4) y[threadIdx.x] = 1;                          // skip or return
}
int main() {
    int *x, *y;
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 256);
    cudaMemset(x, 0, 256);
    cudaMemset(y, 0, 256);
    branches<<<1, 40>>>(x, y, 4);
    guarded<<<1, 40>>>(x, y, 20);
    unclear<<<1, 40>>>(y, 20);
    cudaFree(x);
    cudaFree(y);
}
)";

// The lanes below `end`.
constexpr std::uint32_t below(std::uint32_t end) { return end == 32 ? ~0u : ~(~0u << end); }
constexpr std::uint32_t kAll = ~0u, kOdd = 0xaaaaaaaau;

class Branches {
  public:
    explicit Branches(const Trace& trace) : trace_(trace), finder_(trace, 0) {}

    // The `n`th request of the line with this comment, of a warp.
    [[nodiscard]] OffLanes at(const std::string& comment, std::size_t n = 0, std::uint16_t warp = 0,
                              Operation operation = Operation::kStore) const {
        const std::uint32_t line = line_of(comment);
        const Segments& segments = trace_.segments;
        for (std::size_t segment = 0; segment < segments.size(); ++segment) {
            if (segments.warp[segment] != warp) continue;
            for (const std::uint64_t record : records_of(segments, segment)) {
                const tilereel::Site& site = site_at(trace_, record);
                if (site.line == line && site.operation == operation && n-- == 0)
                    return finder_.find(segment, record);
            }
        }
        ADD_FAILURE() << "no request: " << comment;
        return {};
    }

  private:
    static std::uint32_t line_of(const std::string& comment) {
        const std::string text = kBranches;
        const std::size_t at = text.find("// " + comment + "\n");
        return static_cast<std::uint32_t>(
            1 +
            std::ranges::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
    const Trace& trace_;
    OffLaneFinder finder_;
};

void expect_branches(const Branches& in) {
    const auto skip = [](std::uint32_t lanes) { return OffLanes{.skip = lanes}; };
    EXPECT_EQ(in.at("all"), OffLanes{});
    EXPECT_EQ(in.at("all", 0, 1), OffLanes{});  // lanes 8 to 31 of warp 1 do not exist
    EXPECT_EQ(in.at("first four"), skip(kAll << 4));
    EXPECT_EQ(in.at("odd"), skip(~kOdd));
    EXPECT_EQ(in.at("odd", 0, 1), skip(0x55));
    EXPECT_EQ(in.at("then"), skip(~kOdd));
    EXPECT_EQ(in.at("else"), skip(kOdd));
    EXPECT_EQ(in.at("nested"), skip(kAll << 8));
    const std::uint32_t apart = in.at("both sides", 0, 0, Operation::kLoad).apart;
    EXPECT_TRUE(apart == kAll << 4 || apart == 0xf) << apart;
    EXPECT_EQ(in.at("both sides", 1, 0, Operation::kLoad), OffLanes{.apart = ~apart});
    EXPECT_EQ(in.at("both sides"), OffLanes{});
    EXPECT_EQ(in.at("select"), OffLanes{});
    EXPECT_EQ(in.at("case 0"), skip(0xeeeeeeeeu));
    EXPECT_EQ(in.at("case 1 and 2"), skip(0x99999999u));
    EXPECT_EQ(in.at("default"), skip(0x77777777u));
    EXPECT_EQ(in.at("after the loop"), OffLanes{});
}

// Lane i makes i trips, so in trip j the lanes up to j are off. Lane 0 never enters the loop.
void expect_loops(const Branches& in) {
    for (std::uint32_t trip = 0; trip < 31; ++trip) {
        const OffLanes off = in.at("own trips", trip, 0, Operation::kLoad);
        EXPECT_EQ(off.all(), below(trip + 1)) << trip;
        EXPECT_EQ(off.skip, 1u) << trip;
        EXPECT_EQ(off.out_of_loop, below(trip + 1) & ~1u) << trip;
    }
    for (std::uint32_t trip = 0, s = 16; s > 0; ++trip, s /= 2) {
        EXPECT_EQ(in.at("reduction", trip), OffLanes{.skip = kAll << s}) << s;
        EXPECT_EQ(in.at("in one warp", trip), OffLanes{.skip = kAll << s}) << s;
    }
    EXPECT_EQ(in.at("function", 0, 0, Operation::kLoad), OffLanes{.skip = kAll << 4});
    EXPECT_EQ(in.at("last"), OffLanes{.skip = kAll << 1});
}

TEST_F(Program, LanesThatABranchLeavesOutSkipTheLine) {
    const ProgramRun ran = run(kBranches);
    ASSERT_EQ(ran.launches.size(), 3u);
    const Trace trace = trace_of(ran.launches[0]);
    const Branches branches(trace);
    expect_branches(branches);
    expect_loops(branches);
    const Trace guarded = trace_of(ran.launches[1]);
    const Branches in(guarded);
    const std::uint32_t gone = kAll << 20;
    EXPECT_EQ(in.at("behind a return"), OffLanes{.returned = gone});
    EXPECT_EQ(in.at("loop behind a return"), OffLanes{.returned = gone});
    EXPECT_EQ(in.at("branch behind a return"), (OffLanes{.skip = ~kOdd & ~gone, .returned = gone}));
    EXPECT_EQ(in.at("last behind a return"), (OffLanes{.skip = below(20) & ~1u, .returned = gone}));
    const Trace unclear = trace_of(ran.launches[2]);
    EXPECT_EQ(Branches(unclear).at("skip or return"), OffLanes{.unknown = kAll << 4});
}

// The kernel calls both() on line 8, which is `body`.
std::vector<std::string> warnings_of_both(const std::string& body) {
    struct Run : Program {
        using Program::run;
        void TestBody() override {}
    } program;
    const ProgramRun ran = program.run(R"(
float of_host(const float* x) { return *x; }
__host__ __device__ float both(const float* x) {
)" + body + R"(
}
__global__ void k(float* x) { x[threadIdx.x] = both(x + threadIdx.x); }
int main() {
    float h = 1, *x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return both(&h) != 1;
}
)");
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.launches.size(), 1u);
    std::vector<std::string> warnings;
    for (const RecordedFinding& finding : ran.launches.at(0).findings)
        warnings.push_back(finding.what);
    return warnings;
}

TEST(HostCode, ThatAKernelComesToIsAWarning) {
    EXPECT_EQ(warnings_of_both("return of_host(x);"),
              (std::vector<std::string>{
                  "Thread 0 of block 0 calls of_host(), which is host code, on line 4."}));
    EXPECT_TRUE(warnings_of_both("return *x;").empty());
    EXPECT_TRUE(warnings_of_both("#ifdef __CUDA_ARCH__\n    return *x;\n#else\n"
                                 "    return of_host(x);\n#endif")
                    .empty());
}

}  // namespace
}  // namespace tilereel::program::program_branches_test
