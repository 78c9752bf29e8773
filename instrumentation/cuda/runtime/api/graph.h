#pragma once
// A CUDA graph: nodes with what they do, and what must come before them.
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cuda_runtime_api.h"
#include "instrumentation/cuda/include/tilereel/launch_types.h"

namespace tilereel::runtime {

// The arguments of a kernel as bytes.
class KernelArguments {
  public:
    KernelArguments(const KernelSignature& signature, void** arguments);
    [[nodiscard]] std::vector<void*> pointers() const;

  private:
    static constexpr std::size_t kAlignment = 64;
    struct alignas(kAlignment) Line {
        std::byte bytes[kAlignment];
    };
    std::vector<std::size_t> offsets_;
    mutable std::vector<Line> lines_;
};
struct KernelWork {
    LaunchText text;
    LaunchShape shape;
    bool cooperative = false;
    KernelSignature signature{};
    std::shared_ptr<const KernelArguments> arguments{};
    std::shared_ptr<void> data{};  // of a kernel without a signature, and what runs it
    void (*body)(void*) = nullptr;
};
struct CopyWork {
    cudaMemcpy3DParms params;
};
struct FillWork {
    cudaMemsetParams params;
};
struct HostWork {
    cudaHostNodeParams params;
};
struct ChildWork {
    std::shared_ptr<CUgraph_st> graph;
};
struct EventWork {
    cudaEvent_t event;
    bool records;
};
struct MemoryWork {  // memory is allocated when the node is made, and freed with the program
    cudaMemAllocNodeParams params;
    bool frees;
};
struct EmptyWork {};
using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork, EventWork,
                          MemoryWork>;
[[nodiscard]] cudaGraphNodeType type_of(const Work& work);
// `caller`: the return address of the call that runs it.
cudaError_t run_work(const Work& work, const void* caller);
// The work that a node's parameters describe.
cudaError_t make_work(cudaGraphNodeParams& params, Work& work);
cudaGraphNodeParams params_of(const Work& work, std::vector<void*>& pointers);

[[nodiscard]] CopyWork linear_copy(void* to, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind);

}  // namespace tilereel::runtime

struct CUgraphNode_st {
    CUgraph_st* graph = nullptr;
    tilereel::runtime::Work work{};
    std::vector<CUgraphNode_st*> after{};
    const CUgraphNode_st* origin = nullptr;  // of a clone
    std::vector<void*> given_pointers{};     // for cudaGraphKernelNodeGetParams
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

    CUgraphNode_st* add(tilereel::runtime::Work work, std::vector<CUgraphNode_st*> after);
    [[nodiscard]] std::shared_ptr<CUgraph_st> clone() const;
    // In the order in which they run: each after those that it depends on, else as they were made.
    // Empty if nodes wait for each other in a circle.
    [[nodiscard]] std::vector<const CUgraphNode_st*> ordered() const;
};
struct CUgraphExec_st {
    struct Step {
        const CUgraphNode_st* node;  // of the graph that was instantiated
        tilereel::runtime::Work work;
        bool enabled = true;
    };
    std::vector<Step> steps;
    unsigned long long flags = 0;

    cudaError_t run(const void* caller) const;
};
