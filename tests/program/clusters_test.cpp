// What is recorded of a launch with clusters: whole clusters, the barrier of the cluster, accesses
// of other blocks' shared memory, copies that several blocks get. Expected values follow from the
// programs' indices.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/views.h"
#include "tests/program/program_fixture.h"

namespace tilereel::program::clusters_test {
namespace {

class Clusters : public Program {
  protected:
    Trace only_trace(const std::string& text) {
        const ProgramRun ran = run(text);
        EXPECT_EQ(ran.launches.size(), 1u) << ran.end_sentence;
        EXPECT_EQ(ran.exit_code, 0) << ran.output;
        if (ran.launches.size() != 1) return {};
        EXPECT_TRUE(ran.launches[0].findings.empty()) << ran.launches[0].findings.front().what;
        const Trace trace = trace_of(ran.launches[0]);
        for (const Finding& found : find_hazards(trace)) ADD_FAILURE() << sentence_of(trace, found);
        return trace;
    }
};

std::set<std::uint32_t> recorded_blocks(const Trace& trace) {
    return {trace.segments.block.begin(), trace.segments.block.end()};
}

// The records of an operation in a block.
std::vector<std::uint64_t> operations_of(const Trace& trace, std::uint32_t block,
                                         Operation operation) {
    std::vector<std::uint64_t> found;
    for (std::size_t segment = 0; segment < trace.segments.size(); ++segment)
        if (trace.segments.block[segment] == block)
            for (const std::uint64_t record : records_of(trace.segments, segment))
                if (site_at(trace, record).operation == operation) found.push_back(record);
    return found;
}

// Each block reads the words of the next: lane i the word 31 - i.
constexpr const char* kNeighbours = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) k(int* to, int more) {
    __shared__ int before[8], words[32];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 8) before[threadIdx.x] = more;
    words[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    to[blockIdx.x * 32 + threadIdx.x] =
        cluster.map_shared_rank(words, (cluster.block_rank() + 1) % 4)[31 - threadIdx.x];
    cluster.sync();
}
int main() {
    constexpr int kBlocks = 4096;
    int* to;
    cudaMallocManaged(&to, kBlocks * 128);
    k<<<kBlocks, 32>>>(to, 3);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < kBlocks * 32; ++i) {
        const int block = i / 32, next = block / 4 * 4 + (block + 1) % 4;
        wrong += to[i] != 100 * next + 31 - i % 32;
    }
    cudaFree(to);
    return wrong != 0;
}
)";

TEST_F(Clusters, AreRecordedAsAWhole) {
    request_.blocks = {5, 4095};
    const Trace trace = only_trace(kNeighbours);
    EXPECT_EQ(recorded_blocks(trace),
              (std::set<std::uint32_t>{4, 5, 6, 7, 4092, 4093, 4094, 4095}));
    EXPECT_EQ(trace.chosen_blocks,
              (std::vector<std::uint32_t>{4, 5, 6, 7, 4092, 4093, 4094, 4095}));
}

TEST_F(Clusters, WithoutAChoiceTheFirstAndTheLastAreRecorded) {
    request_.limits.accesses_of_sample = 2000;
    request_.limits.accesses_a_launch = 4000;
    const std::set<std::uint32_t> blocks = recorded_blocks(only_trace(kNeighbours));
    EXPECT_LT(blocks.size(), 100u);
    for (const std::uint32_t block : {0u, 1u, 2u, 3u, 4092u, 4093u, 4094u, 4095u})
        EXPECT_TRUE(blocks.contains(block)) << block;
    for (const std::uint32_t block : blocks) EXPECT_TRUE(blocks.contains(block / 4 * 4)) << block;
}

TEST_F(Clusters, HaveABarrierOfTheirOwn) {
    request_.blocks = {0};
    const Trace trace = only_trace(kNeighbours);
    for (std::uint32_t block = 0; block < 4; ++block) {
        const std::vector<std::uint64_t> barriers =
            operations_of(trace, block, Operation::kBarrier);
        ASSERT_EQ(barriers.size(), 2u);
        for (const std::uint64_t record : barriers)
            EXPECT_EQ(site_at(trace, record).variety,
                      static_cast<std::uint8_t>(BarrierKind::kCluster));
    }
}

TEST_F(Clusters, ReadTheSharedMemoryOfOtherBlocksByRank) {
    request_.blocks = {0};
    const Trace trace = only_trace(kNeighbours);
    const auto array = std::ranges::find(trace.arrays, "words by rank", &Array::name);
    ASSERT_NE(array, trace.arrays.end());
    EXPECT_EQ(array->space, Space::kSharedCluster);
    EXPECT_EQ(array->extents(), (std::vector<std::uint32_t>{4, 32}));
    EXPECT_EQ(array->base_bytes, 0u);
    EXPECT_EQ(trace.launch.cluster, (Dim3{4, 1, 1}));
    for (std::uint32_t block = 0; block < 4; ++block) {
        const std::vector<std::uint64_t> loads = operations_of(trace, block, Operation::kLoad);
        ASSERT_EQ(loads.size(), 1u);
        const LaneOffsets lanes = lane_offsets(trace, loads[0]);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(lanes.bytes[lane], (block + 1) % 4 * 128 + (31 - lane) * 4);
    }
    const KernelCounts counts = count_kernel(trace);
    EXPECT_EQ(counts.cluster_access.requests, 4u);
    EXPECT_EQ(counts.cluster_access.bytes_requested, 4u * 128);
    EXPECT_EQ(counts.cluster_access.bank_conflicts, 0u);
    EXPECT_EQ(counts.shared_load.requests, 0u);
    EXPECT_EQ(counts.shared_store.requests, 4u * 2);
}

// Block r copies its half of 256 words to both blocks, and tells the other that it has read.
constexpr const char* kMulticast = R"(#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void __cluster_dims__(2, 1, 1) k(const float* from, float* to) {
    __shared__ alignas(128) float tile[256];
    __shared__ uint64_t full, empty;
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 64);
    }
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared,
                                       &full, 1024);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 128 * rank,
                           from + 128 * rank, 512, &full, 3);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    float sum = 0;
    for (int i = threadIdx.x; i < 256; i += 32) sum += tile[i];
    for (unsigned i = 0; i < 2; ++i) {
        uint64_t* const there = ptx::mapa(ptx::space_cluster, &empty, i);
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
    }
    while (!ptx::mbarrier_try_wait_parity(&empty, 0)) {
    }
    to[blockIdx.x * 32 + threadIdx.x] = sum;
}
int main() {
    float *from, *to;
    cudaMallocManaged(&from, 1024);
    cudaMallocManaged(&to, 256);
    for (int i = 0; i < 256; ++i) from[i] = i;
    k<<<2, 32>>>(from, to);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += to[i] != 8 * (i % 32) + 32 * 28;
    cudaFree(from), cudaFree(to);
    return wrong;
}
)";

TEST_F(Clusters, RecordCopiesToSeveralBlocksInEachOfThem) {
    const Trace trace = only_trace(kMulticast);
    for (std::uint32_t block = 0; block < 2; ++block) {
        std::vector<int> varieties;
        for (const std::uint64_t record : operations_of(trace, block, Operation::kStartBulkCopy))
            varieties.push_back(site_at(trace, record).variety);
        std::ranges::sort(varieties);
        EXPECT_EQ(varieties, (std::vector<int>{0, 1}));
        // 128 words are a record of 32 pieces of 16 bytes.
        std::set<std::uint32_t> of_own, of_other;  // bases
        for (const std::uint64_t record : operations_of(trace, block, Operation::kCopyLoad))
            (site_at(trace, record).is_of_other_block() ? of_other : of_own)
                .insert(trace.records.base[record]);
        EXPECT_EQ(of_own, std::set<std::uint32_t>{512 * block});
        EXPECT_EQ(of_other, std::set<std::uint32_t>{512 * (1 - block)});
        std::set<std::uint32_t> stored;
        for (const std::uint64_t record : operations_of(trace, block, Operation::kCopyStore))
            stored.insert(trace.records.base[record]);
        EXPECT_EQ(stored, (std::set<std::uint32_t>{0, 512}));
    }
    // Each word is read from global memory once, and written in both blocks.
    const KernelCounts counts = count_kernel(trace);
    EXPECT_EQ(counts.global_load.bytes_requested, 1024u);
    EXPECT_EQ(counts.global_load.sectors, 32u);
    EXPECT_EQ(counts.shared_copy.bytes_requested, 2048u);
}

TEST_F(Clusters, RecordArrivalsAtBarriersOfOtherBlocks) {
    const Trace trace = only_trace(kMulticast);
    for (std::uint32_t block = 0; block < 2; ++block) {
        std::set<std::uint32_t> own, other;  // barriers
        for (const std::uint64_t record : operations_of(trace, block, Operation::kArrive))
            (site_at(trace, record).is_of_other_block() ? other : own)
                .insert(MBarrierPhase::of(trace.records.base[record]).barrier);
        EXPECT_EQ(own.size(), 2u);  // full and empty
        ASSERT_EQ(other.size(), 1u);
        EXPECT_FALSE(own.contains(*other.begin()));
    }
}

// A block arrives at a barrier of the other, which does not wait for it. Whichever block runs first
// has ended when the other one arrives.
constexpr const char* kLateArrival = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int* done) {
    __shared__ unsigned long long barrier;
    const unsigned own = __cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
    cg::this_cluster().sync();
    if (threadIdx.x == 0) {
        unsigned other;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(other) : "r"(own), "r"(1 - blockIdx.x));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(other));
        done[blockIdx.x] = 1;
    }
}
int main() {
    int* done;
    cudaMallocManaged(&done, 8);
    k<<<2, 32>>>(done);
    const bool right = cudaDeviceSynchronize() == cudaSuccess && done[0] == 1 && done[1] == 1;
    cudaFree(done);
    return right ? 0 : 1;
}
)";

TEST_F(Clusters, AnArrivalAtABlockThatHasEndedIsAWarningAndTheLaunchGoesOn) {
    const ProgramRun ran = run(kLateArrival);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    ASSERT_EQ(ran.launches.size(), 1u);
    ASSERT_EQ(ran.launches[0].findings.size(), 1u);
    const RecordedFinding& found = ran.launches[0].findings.front();
    EXPECT_NE(found.what.find("arrives at a barrier of a block of its cluster that has ended"),
              std::string::npos)
        << found.what;
    EXPECT_NE(found.what.find("line 12"), std::string::npos) << found.what;
    EXPECT_FALSE(found.error);
}

}  // namespace
}  // namespace tilereel::program::clusters_test
