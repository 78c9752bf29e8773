// CUDA graphs: captured from one stream and from two, made of nodes, changed, and launched again.
#include <vector>

#include "check.h"

constexpr int kN = 256;

__global__ void add(int* x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] += value; }
template <class T>
__global__ void multiply(T* x, T factor) {
    x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
struct Offsets {
    long long unused;
    int by[3];
};
__global__ void add_offset(int* x, Offsets offsets, short which) {
    x[threadIdx.x] += offsets.by[which];
}
void count_call(void* calls) { ++*static_cast<int*>(calls); }

int value_of(const int* x, int at = 0) {
    int value = 0;
    cudaMemcpy(&value, x + at, sizeof(int), cudaMemcpyDeviceToHost);
    return value;
}

// Nothing runs while it is captured. Each launch of the graph runs all of it.
void check_capture(int* x) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemset(x, 0, kN * sizeof(int));
    std::vector<int> from(kN, 5), to(kN);
    int calls = 0;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    cudaMemcpyAsync(x, from.data(), kN * sizeof(int), cudaMemcpyHostToDevice, stream);
    for (int i = 1; i <= 3; ++i) add<<<kN / 64, 64, 0, stream>>>(x, i);
    multiply<<<1, kN, 0, stream>>>(x, 2);
    int factor = 3;
    void* arguments[] = {&x, &factor};
    cudaLaunchKernel(multiply<int>, dim3(1), dim3(kN), arguments, 0, stream);
    factor = 100;  // the node has its own copy
    cudaLaunchHostFunc(stream, count_call, &calls);
    cudaMemcpyAsync(to.data(), x, kN * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
          status == cudaStreamCaptureStatusActive);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess && calls == 0 && to[0] == 0);
    size_t nodes = 0, edges = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    CHECK(nodes == 8 && edges == 7);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    from[0] = 1;
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    cudaStreamSynchronize(stream);
    CHECK(calls == 2 && to[0] == (1 + 6) * 6 && to[1] == (5 + 6) * 6);
    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
}

// A second stream joins by an event; the branches meet before the end.
void check_two_streams(int* x) {
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    const auto capture = [&](bool joins, cudaGraph_t* graph) {
        cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
        cudaMemsetAsync(x, 0, kN * sizeof(int), first);
        cudaEventRecord(begin, first);
        cudaStreamWaitEvent(second, begin);
        add<<<1, 64, 0, second>>>(x, 7);
        add<<<1, 64, 0, first>>>(x + 64, 8);
        cudaEventRecord(end, second);
        if (joins) cudaStreamWaitEvent(first, end);
        add<<<1, 128, 0, first>>>(x, 1);
        return cudaStreamEndCapture(first, graph);
    };
    cudaGraph_t graph;
    CHECK(capture(false, &graph) == cudaErrorStreamCaptureUnjoined && graph == nullptr);
    CHECK(capture(true, &graph) == cudaSuccess);
    cudaGraphNode_t roots[4];
    size_t count = 4, edges = 0;
    cudaGraphGetRootNodes(graph, roots, &count);
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    CHECK(count == 1 && edges == 4);
    cudaGraphExec_t exec;
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphLaunch(exec, first);
    CHECK(value_of(x) == 8 && value_of(x, 64) == 9 && value_of(x, 128) == 0);
    // A stream that is captured cannot be waited for. That ends the capture.
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    CHECK(cudaStreamSynchronize(first) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    cudaGraphExecDestroy(exec);
    for (cudaStream_t stream : {first, second}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {begin, end}) cudaEventDestroy(event);
}

// Nodes run after those that they depend on, even if they were made before them.
void check_nodes(int* x) {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    Offsets offsets = {0, {10, 20, 30}};
    short which = 1;
    void* arguments[] = {&x, &offsets, &which};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)add_offset;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(kN);
    kernel.kernelParams = arguments;
    cudaGraphNode_t kernel_node, memset_node, host_node, empty_node, copy_node;
    CHECK(cudaGraphAddKernelNode(&kernel_node, graph, nullptr, 0, &kernel) == cudaSuccess);
    cudaMemsetParams fill = {};
    fill.dst = x;
    fill.value = 0x01020304;
    fill.elementSize = 4;
    fill.width = kN;
    fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&memset_node, graph, nullptr, 0, &fill) == cudaSuccess);
    CHECK(cudaGraphAddEmptyNode(&empty_node, graph, &memset_node, 1) == cudaSuccess);
    CHECK(cudaGraphAddDependencies(graph, &empty_node, &kernel_node, nullptr, 1) == cudaSuccess);
    int calls = 0, result = 0;
    cudaHostNodeParams host = {count_call, &calls};
    CHECK(cudaGraphAddHostNode(&host_node, graph, &kernel_node, 1, &host) == cudaSuccess);
    CHECK(cudaGraphAddMemcpyNode1D(&copy_node, graph, &host_node, 1, &result, x, sizeof(int),
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, 0) == cudaSuccess && calls == 1);
    CHECK(result == 0x01020304 + 20);

    // New arguments for the executable graph, for the graph itself, and by an update.
    which = 2;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel_node, &kernel) == cudaSuccess);
    cudaGraphLaunch(exec, 0);
    CHECK(result == 0x01020304 + 30);
    fill.value = 5;
    CHECK(cudaGraphMemsetNodeSetParams(memset_node, &fill) == cudaSuccess);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess &&
          info.result == cudaGraphExecUpdateSuccess);
    cudaGraphLaunch(exec, 0);
    CHECK(result == 5 + 20);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(host_node, &type) == cudaSuccess && type == cudaGraphNodeTypeHost);
    cudaKernelNodeParams read;
    CHECK(cudaGraphKernelNodeGetParams(kernel_node, &read) == cudaSuccess &&
          read.blockDim.x == kN && *(short*)read.kernelParams[2] == 1);

    // A graph as a node of another one; a node that does not run.
    cudaGraph_t outer;
    cudaGraphCreate(&outer, 0);
    cudaGraphNode_t child, last;
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph) == cudaSuccess);
    CHECK(cudaGraphAddKernelNode(&last, outer, &child, 1, &kernel) == cudaSuccess);
    cudaGraphExec_t all;
    CHECK(cudaGraphInstantiate(&all, outer, 0) == cudaSuccess);
    cudaGraphLaunch(all, 0);
    CHECK(value_of(x) == 5 + 20 + 30);
    CHECK(cudaGraphNodeSetEnabled(all, last, 0) == cudaSuccess);
    cudaGraphLaunch(all, 0);
    CHECK(value_of(x) == 5 + 20 && calls == 5);
    // Another shape cannot take the place of this one.
    CHECK(cudaGraphExecUpdate(all, graph, &info) == cudaErrorGraphExecUpdateFailure &&
          info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    // A circle cannot be launched.
    cudaGraphAddDependencies(graph, &kernel_node, &memset_node, nullptr, 1);
    cudaGraphExec_t none;
    CHECK(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    for (cudaGraphExec_t each : {exec, all}) cudaGraphExecDestroy(each);
    for (cudaGraph_t each : {graph, outer}) cudaGraphDestroy(each);
}

int main() {
    int* x;
    cudaMalloc(&x, kN * sizeof(int));
    check_capture(x);
    check_two_streams(x);
    check_nodes(x);
    cudaFree(x);
    return failures;
}
