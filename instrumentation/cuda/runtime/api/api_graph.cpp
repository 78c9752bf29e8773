// CUDA graphs: their nodes, and graphs that can be launched. The nodes run in order when a graph is
// launched; everything is done when the call returns.
#include <algorithm>
#include <fstream>

#include "instrumentation/cuda/runtime/api/graph.h"
#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/program_state.h"

using namespace tilereel::runtime;

namespace tilereel::runtime {
namespace {

cudaError_t give(const std::vector<cudaGraphNode_t>& from, cudaGraphNode_t* to, size_t* count) {
    if (count == nullptr) return set_error(cudaErrorInvalidValue);
    if (to == nullptr) {
        *count = from.size();
        return sticky_error();
    }
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < from.size() ? from[i] : nullptr;
    *count = std::min(*count, from.size());
    return sticky_error();
}
std::vector<cudaGraphNode_t> nodes_where(cudaGraph_t graph, const auto& fits) {
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
        if (fits(*node)) found.push_back(node.get());
    return found;
}
bool depends_on(const CUgraphNode_st& node, cudaGraphNode_t other) {
    return std::ranges::find(node.after, other) != node.after.end();
}
CUgraphExec_st::Step* find_step(cudaGraphExec_t exec, cudaGraphNode_t node) {
    if (exec == nullptr) return nullptr;
    for (CUgraphExec_st::Step& step : exec->steps)
        if (step.node == node) return &step;
    return nullptr;
}
// Whether the second work can take the place of the first: the same kind, and the same kernel.
cudaGraphExecUpdateResult replaces(const Work& before, const Work& now) {
    if (type_of(before) != type_of(now)) return cudaGraphExecUpdateErrorNodeTypeChanged;
    const auto* const kernel = std::get_if<KernelWork>(&before);
    if (kernel != nullptr && kernel->signature.kernel != std::get<KernelWork>(now).signature.kernel)
        return cudaGraphExecUpdateErrorFunctionChanged;
    return cudaGraphExecUpdateSuccess;
}

}  // namespace
}  // namespace tilereel::runtime

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
    *graph = new CUgraph_st;
    return sticky_error();
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    if (graph == nullptr) return set_error(cudaErrorInvalidValue);
    delete graph;
    return sticky_error();
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    *clone = new CUgraph_st(std::move(*graph->clone()));
    for (const auto& node : (*clone)->nodes) node->graph = *clone;
    return sticky_error();
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node,
                                     cudaGraph_t clone) {
    const auto nodes =
        nodes_where(clone, [&](const CUgraphNode_st& each) { return each.origin == node; });
    *found = nodes.empty() ? nullptr : nodes.front();
    return nodes.empty() ? set_error(cudaErrorInvalidValue) : sticky_error();
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return give(nodes_where(graph, [](const auto&) { return true; }), nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return give(nodes_where(graph, [](const CUgraphNode_st& node) { return node.after.empty(); }),
                nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
    std::vector<cudaGraphNode_t> begins, ends;
    for (const auto& node : graph->nodes)
        for (const cudaGraphNode_t before : node->after) {
            begins.push_back(before);
            ends.push_back(node.get());
        }
    size_t room = *count;
    if (to != nullptr) give(ends, to, &room);
    return give(begins, from, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    *type = type_of(node->work);
    return sticky_error();
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count) {
    return give(node->after, nodes, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count) {
    return give(nodes_where(node->graph,
                            [&](const CUgraphNode_st& each) { return depends_on(each, node); }),
                nodes, count);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (from[i] == nullptr || to[i] == nullptr || depends_on(*to[i], from[i]))
            return set_error(cudaErrorInvalidValue);
        to[i]->after.push_back(from[i]);
    }
    return sticky_error();
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
    for (size_t i = 0; i < count; ++i) std::erase(to[i]->after, from[i]);
    return sticky_error();
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    if (node == nullptr) return set_error(cudaErrorInvalidValue);
    CUgraph_st& graph = *node->graph;
    for (const auto& each : graph.nodes) std::erase(each->after, node);
    std::erase_if(graph.nodes, [&](const auto& each) { return each.get() == node; });
    return sticky_error();
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
    std::ofstream file(path);
    file << "digraph {\n";
    for (const auto& node : graph->nodes) {
        file << "n" << node.get() << " [label=\"" << type_of(node->work) << "\"];\n";
        for (const cudaGraphNode_t before : node->after)
            file << "n" << before << " -> n" << node.get() << ";\n";
    }
    file << "}\n";
    return file.flush() ? sticky_error() : set_error(cudaErrorOperatingSystem);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* params) {
    if (node == nullptr || graph == nullptr || params == nullptr || (count > 0 && after == nullptr))
        return set_error(cudaErrorInvalidValue);
    Work work;
    if (const cudaError_t error = make_work(*params, work); error != cudaSuccess)
        return set_error(error);
    *node = graph->add(std::move(work), {after, after + count});
    return sticky_error();
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    Work work;
    if (node == nullptr || type_of(node->work) != params->type)
        return set_error(cudaErrorInvalidValue);
    if (const cudaError_t error = make_work(*params, work); error != cudaSuccess)
        return set_error(error);
    node->work = std::move(work);
    return sticky_error();
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
    CUgraphExec_st::Step* const step = find_step(exec, node);
    Work work;
    if (step == nullptr || type_of(step->work) != params->type)
        return set_error(cudaErrorInvalidValue);
    if (const cudaError_t error = make_work(*params, work); error != cudaSuccess)
        return set_error(error);
    // The launch stays where it is in the source.
    if (const auto* const before = std::get_if<KernelWork>(&step->work))
        std::get<KernelWork>(work).text = before->text;
    step->work = std::move(work);
    return sticky_error();
}
cudaError_t tilereel_node_params(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    if (node == nullptr) return set_error(cudaErrorInvalidValue);
    *params = params_of(node->work, node->given_pointers);
    return sticky_error();
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    if (exec == nullptr || graph == nullptr) return set_error(cudaErrorInvalidValue);
    const std::vector<const CUgraphNode_st*> order = graph->ordered();
    if (order.size() != graph->nodes.size()) return set_error(cudaErrorInvalidValue);
    *exec = new CUgraphExec_st;
    (*exec)->flags = flags;
    for (const CUgraphNode_st* node : order) (*exec)->steps.push_back({node, node->work});
    return sticky_error();
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    if (exec == nullptr) return set_error(cudaErrorInvalidValue);
    delete exec;
    return sticky_error();
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    cudaGraphExecUpdateResultInfo told{cudaGraphExecUpdateSuccess, nullptr, nullptr};
    const std::vector<const CUgraphNode_st*> order = graph->ordered();
    if (order.size() != exec->steps.size()) told.result = cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t i = 0; told.result == cudaGraphExecUpdateSuccess && i < order.size(); ++i) {
        told.result = replaces(exec->steps[i].work, order[i]->work);
        if (told.result != cudaGraphExecUpdateSuccess)
            told.errorNode = const_cast<cudaGraphNode_t>(order[i]);
    }
    if (info != nullptr) *info = told;
    if (told.result != cudaGraphExecUpdateSuccess)
        return set_error(cudaErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < order.size(); ++i) exec->steps[i].work = order[i]->work;
    return sticky_error();
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
    CUgraphExec_st::Step* const step = find_step(exec, node);
    if (step == nullptr) return set_error(cudaErrorInvalidValue);
    step->enabled = enabled != 0;
    return sticky_error();
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
    const CUgraphExec_st::Step* const step = find_step(exec, node);
    if (step == nullptr) return set_error(cudaErrorInvalidValue);
    *enabled = step->enabled ? 1 : 0;
    return sticky_error();
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return sticky_error(); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    if (exec == nullptr) return set_error(cudaErrorInvalidValue);
    // In a captured stream, the graph becomes a node with its own graph.
    if (const auto done = captured(stream, [&]() -> Work {
            auto graph = std::make_shared<CUgraph_st>();
            for (const CUgraphExec_st::Step& step : exec->steps)
                if (step.enabled)
                    graph->add(step.work, graph->nodes.empty()
                                              ? std::vector<cudaGraphNode_t>()
                                              : std::vector{graph->nodes.back().get()});
            return ChildWork{std::move(graph)};
        }))
        return *done;
    const cudaError_t error = exec->run(__builtin_return_address(0));
    return error == cudaSuccess ? sticky_error() : set_error(error);
}
}
