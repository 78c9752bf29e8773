#include "instrumentation/cuda/runtime/api/graph.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "instrumentation/cuda/runtime/api/copies.h"
#include "instrumentation/cuda/runtime/api/events.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

cudaError_t run_kernel(const KernelWork& work) {
    if (work.body != nullptr)
        return launch(work.text, work.shape, work.body, work.data.get(), work.cooperative);
    std::vector<void*> pointers = work.arguments->pointers();
    struct Thread {
        const KernelSignature& signature;
        void** arguments;
    } thread{work.signature, pointers.data()};
    return launch(
        work.text, work.shape,
        [](void* data) {
            const Thread& self = *static_cast<Thread*>(data);
            self.signature.call(self.signature.kernel, self.arguments);
        },
        &thread, work.cooperative);
}

cudaError_t fill(const cudaMemsetParams& params, const void* caller) {
    const std::size_t size = params.elementSize;
    if (size != 1 && size != 2 && size != 4) return set_error(cudaErrorInvalidValue);
    const std::size_t rows = std::max<std::size_t>(params.height, 1);
    const std::size_t bytes = params.width * size, pitch = rows == 1 ? bytes : params.pitch;
    const cudaError_t error =
        fill_rows(params.dst, pitch, static_cast<int>(params.value & 255), bytes, rows, caller);
    if (error != cudaSuccess || size == 1) return error;
    const HostCall call;
    const OpenMemory open;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < params.width; ++i)
            std::memcpy(static_cast<char*>(params.dst) + row * pitch + i * size, &params.value,
                        size);
    return cudaSuccess;
}

cudaError_t run_child(const CUgraph_st& graph, const void* caller) {
    for (const CUgraphNode_st* node : graph.ordered())
        if (const cudaError_t error = run_work(node->work, caller); error != cudaSuccess)
            return error;
    return cudaSuccess;
}

}  // namespace

KernelArguments::KernelArguments(const KernelSignature& signature, void** arguments) {
    std::size_t bytes = 0;
    for (unsigned i = 0; i < signature.count; ++i) {
        offsets_.push_back(bytes);
        bytes += (signature.sizes[i] + kAlignment - 1) / kAlignment * kAlignment;
    }
    lines_.resize(bytes / kAlignment);
    for (unsigned i = 0; i < signature.count; ++i)
        std::memcpy(reinterpret_cast<std::byte*>(lines_.data()) + offsets_[i], arguments[i],
                    signature.sizes[i]);
}
std::vector<void*> KernelArguments::pointers() const {
    std::vector<void*> result;
    for (const std::size_t offset : offsets_)
        result.push_back(reinterpret_cast<std::byte*>(lines_.data()) + offset);
    result.push_back(nullptr);
    return result;
}

cudaGraphNodeType type_of(const Work& work) {
    constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeKernel,
                                            cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
                                            cudaGraphNodeTypeHost,   cudaGraphNodeTypeGraph};
    if (const auto* event = std::get_if<EventWork>(&work))
        return event->records ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
    if (const auto* memory = std::get_if<MemoryWork>(&work))
        return memory->frees ? cudaGraphNodeTypeMemFree : cudaGraphNodeTypeMemAlloc;
    return kTypes[work.index()];
}

cudaError_t run_work(const Work& work, const void* caller) {
    if (const auto* kernel = std::get_if<KernelWork>(&work)) return run_kernel(*kernel);
    if (const auto* one = std::get_if<CopyWork>(&work)) return copy_3d(one->params, caller);
    if (const auto* memory = std::get_if<FillWork>(&work)) return fill(memory->params, caller);
    if (const auto* child = std::get_if<ChildWork>(&work)) return run_child(*child->graph, caller);
    if (const auto* host = std::get_if<HostWork>(&work)) host->params.fn(host->params.userData);
    if (const auto* event = std::get_if<EventWork>(&work))
        if (event->records) set_time(event->event);
    return sticky_error();
}

CopyWork linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return {tilereel_copy_of(to, from, bytes, kind)};
}

cudaError_t make_work(cudaGraphNodeParams& params, Work& work) {
    switch (params.type) {
        case cudaGraphNodeTypeKernel: {
            const cudaKernelNodeParams& of = params.kernel;
            const KernelSignature* const signature = registered_kernel(of.func);
            if (signature == nullptr) return cudaErrorInvalidDeviceFunction;
            if (of.kernelParams == nullptr && signature->count != 0) return cudaErrorInvalidValue;
            work = KernelWork{{"", "", 0},
                              {of.gridDim, of.blockDim, of.sharedMemBytes},
                              false,
                              *signature,
                              std::make_shared<const KernelArguments>(*signature, of.kernelParams)};
            return cudaSuccess;
        }
        case cudaGraphNodeTypeMemcpy:
            work = CopyWork{params.memcpy.copyParams};
            return cudaSuccess;
        case cudaGraphNodeTypeMemset:
            work = FillWork{params.memset};
            return cudaSuccess;
        case cudaGraphNodeTypeHost:
            work = HostWork{params.host};
            return params.host.fn == nullptr ? cudaErrorInvalidValue : cudaSuccess;
        case cudaGraphNodeTypeGraph:
            if (params.graph.graph == nullptr) return cudaErrorInvalidValue;
            work = ChildWork{params.graph.graph->clone()};
            return cudaSuccess;
        case cudaGraphNodeTypeEmpty:
            work = EmptyWork{};
            return cudaSuccess;
        case cudaGraphNodeTypeWaitEvent:
        case cudaGraphNodeTypeEventRecord:
            work = EventWork{params.eventRecord.event, params.type == cudaGraphNodeTypeEventRecord};
            return params.eventRecord.event == nullptr ? cudaErrorInvalidValue : cudaSuccess;
        case cudaGraphNodeTypeMemAlloc: {
            const cudaError_t error = cudaMalloc(&params.alloc.dptr, params.alloc.bytesize);
            work = MemoryWork{params.alloc, false};
            return error;
        }
        case cudaGraphNodeTypeMemFree:
            work = MemoryWork{{}, true};
            return cudaSuccess;
        default:
            return cudaErrorNotSupported;
    }
}

cudaGraphNodeParams params_of(const Work& work, std::vector<void*>& pointers) {
    cudaGraphNodeParams params;
    params.type = type_of(work);
    if (const auto* kernel = std::get_if<KernelWork>(&work)) {
        if (kernel->arguments != nullptr) pointers = kernel->arguments->pointers();
        params.kernel = {const_cast<void*>(kernel->signature.kernel),
                         kernel->shape.grid,
                         kernel->shape.block,
                         static_cast<unsigned>(kernel->shape.shared_bytes),
                         pointers.data(),
                         nullptr};
    } else if (const auto* one = std::get_if<CopyWork>(&work)) {
        params.memcpy = {0, {}, one->params};
    } else if (const auto* memory = std::get_if<FillWork>(&work)) {
        params.memset = memory->params;
    } else if (const auto* host = std::get_if<HostWork>(&work)) {
        params.host = host->params;
    } else if (const auto* child = std::get_if<ChildWork>(&work)) {
        params.graph.graph = child->graph.get();
    }
    return params;
}

}  // namespace tilereel::runtime

CUgraphNode_st* CUgraph_st::add(tilereel::runtime::Work work, std::vector<CUgraphNode_st*> after) {
    nodes.push_back(
        std::make_unique<CUgraphNode_st>(CUgraphNode_st{this, std::move(work), std::move(after)}));
    return nodes.back().get();
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
    auto copy = std::make_shared<CUgraph_st>();
    std::map<const CUgraphNode_st*, CUgraphNode_st*> clones;
    for (const auto& node : nodes) {
        CUgraphNode_st* const made = copy->add(node->work, {});
        made->origin = node.get();
        clones[node.get()] = made;
        if (auto* child = std::get_if<tilereel::runtime::ChildWork>(&made->work))
            child->graph = child->graph->clone();
    }
    for (const auto& node : nodes)
        for (const CUgraphNode_st* before : node->after)
            clones[node.get()]->after.push_back(clones[before]);
    return copy;
}

std::vector<const CUgraphNode_st*> CUgraph_st::ordered() const {
    std::map<const CUgraphNode_st*, std::size_t> numbers;
    for (std::size_t i = 0; i < nodes.size(); ++i) numbers[nodes[i].get()] = i;
    std::vector<std::size_t> missing(nodes.size());
    std::vector<std::vector<std::size_t>> next(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const CUgraphNode_st* before : nodes[i]->after) {
            ++missing[i];
            next[numbers[before]].push_back(i);
        }
    std::vector<std::size_t> ready;  // a heap, the first node at its front
    const auto later = std::greater<>();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (missing[i] == 0) ready.push_back(i);
    std::ranges::make_heap(ready, later);
    std::vector<const CUgraphNode_st*> order;
    while (!ready.empty()) {
        std::ranges::pop_heap(ready, later);
        const std::size_t at = ready.back();
        ready.pop_back();
        order.push_back(nodes[at].get());
        for (const std::size_t i : next[at])
            if (--missing[i] == 0) {
                ready.push_back(i);
                std::ranges::push_heap(ready, later);
            }
    }
    if (order.size() != nodes.size()) order.clear();
    return order;
}

cudaError_t CUgraphExec_st::run(const void* caller) const {
    for (const Step& step : steps)
        if (step.enabled)
            if (const cudaError_t error = tilereel::runtime::run_work(step.work, caller);
                error != cudaSuccess)
                return error;
    return tilereel::runtime::sticky_error();
}
