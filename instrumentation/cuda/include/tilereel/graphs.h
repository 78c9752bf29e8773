#pragma once
// CUDA graphs: captured from streams or made of nodes. Their nodes run one after another, in an
// order that their dependencies allow. CUDA Runtime API, "Graph Management".
#include "driver_types.h"
#include "tilereel/memory_pools.h"

typedef struct CUgraphNode_st* cudaGraphNode_t;
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
    cudaGraphNodeTypeConditional = 13,
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
};
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagUseNodePriority = 8,
};
#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaEventWaitExternal 1
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
struct cudaMemsetParams {
    void* dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
typedef cudaMemsetParams cudaMemsetParamsV2;
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};
typedef cudaHostNodeParams cudaHostNodeParamsV2;
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
};
struct cudaEventRecordNodeParams {
    cudaEvent_t event;
};
struct cudaEventWaitNodeParams {
    cudaEvent_t event;
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc* accessDescs;
    size_t accessDescCount, bytesize;
    void* dptr;
};
typedef cudaMemAllocNodeParams cudaMemAllocNodeParamsV2;
struct cudaMemFreeNodeParams {
    void* dptr;
};
// Of a node of any type. `type` says which member is meant.
struct cudaGraphNodeParams {
    cudaGraphNodeParams(int node_type = 0)
        : type(cudaGraphNodeType(node_type)), reserved0{}, reserved1{} {}
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        cudaKernelNodeParamsV2 kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParamsV2 memset;
        cudaHostNodeParamsV2 host;
        cudaChildGraphNodeParams graph;
        cudaEventRecordNodeParams eventRecord;
        cudaEventWaitNodeParams eventWait;
        cudaMemAllocNodeParamsV2 alloc;
        cudaMemFreeNodeParams free;
    };
};

extern "C" {
// Capture.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id = 0, cudaGraph_t* graph = 0,
                                     const cudaGraphNode_t** nodes = 0, size_t* count = 0);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode);
// Graphs and their nodes.
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node,
                                     cudaGraph_t clone);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags);
// A node of any type; `params` is changed by a node that allocates memory.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, struct cudaGraphNodeParams* params);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* params);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams* params);
// What was given for a node last.
cudaError_t tilereel_node_params(cudaGraphNode_t node, struct cudaGraphNodeParams* params);
// Graphs that can be launched.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags = 0);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
}

// The functions for nodes of one type.
#define TILEREEL_GRAPH_NODE(Name, Params, Type, member)                                            \
    inline cudaGraphNodeParams tilereel_params_of(Type value) {                                    \
        cudaGraphNodeParams params;                                                                \
        params.type = cudaGraphNodeType##Name;                                                     \
        params.member = value;                                                                     \
        return params;                                                                             \
    }                                                                                              \
    inline cudaError_t cudaGraphAdd##Name##Node(cudaGraphNode_t* node, cudaGraph_t graph,          \
                                                const cudaGraphNode_t* after, size_t count,        \
                                                const Params* given) {                             \
        if (given == nullptr) return cudaErrorInvalidValue;                                        \
        cudaGraphNodeParams params = tilereel_params_of(Type(*given));                             \
        return cudaGraphAddNode(node, graph, after, count, &params);                               \
    }                                                                                              \
    inline cudaError_t cudaGraph##Name##NodeSetParams(cudaGraphNode_t node, const Params* given) { \
        if (given == nullptr) return cudaErrorInvalidValue;                                        \
        cudaGraphNodeParams params = tilereel_params_of(Type(*given));                             \
        return cudaGraphNodeSetParams(node, &params);                                              \
    }                                                                                              \
    inline cudaError_t cudaGraphExec##Name##NodeSetParams(                                         \
        cudaGraphExec_t exec, cudaGraphNode_t node, const Params* given) {                         \
        if (given == nullptr) return cudaErrorInvalidValue;                                        \
        cudaGraphNodeParams params = tilereel_params_of(Type(*given));                             \
        return cudaGraphExecNodeSetParams(exec, node, &params);                                    \
    }
TILEREEL_GRAPH_NODE(Kernel, cudaKernelNodeParams, cudaKernelNodeParams, kernel)
TILEREEL_GRAPH_NODE(Memset, cudaMemsetParams, cudaMemsetParams, memset)
TILEREEL_GRAPH_NODE(Host, cudaHostNodeParams, cudaHostNodeParams, host)
namespace tilereel::runtime {
struct CopyParams : cudaMemcpyNodeParams {
    explicit CopyParams(const cudaMemcpy3DParms& copy) : cudaMemcpyNodeParams{0, {}, copy} {}
};
}  // namespace tilereel::runtime
TILEREEL_GRAPH_NODE(Memcpy, cudaMemcpy3DParms, tilereel::runtime::CopyParams, memcpy)
#undef TILEREEL_GRAPH_NODE
#define TILEREEL_GRAPH_GETTER(name, Params, type_of_node, value)       \
    inline cudaError_t name(cudaGraphNode_t node, Params* given) {     \
        cudaGraphNodeParams params;                                    \
        const cudaError_t error = tilereel_node_params(node, &params); \
        if (error != cudaSuccess) return error;                        \
        if (params.type != type_of_node) return cudaErrorInvalidValue; \
        *given = params.value;                                         \
        return cudaSuccess;                                            \
    }
TILEREEL_GRAPH_GETTER(cudaGraphKernelNodeGetParams, cudaKernelNodeParams, cudaGraphNodeTypeKernel,
                      kernel)
TILEREEL_GRAPH_GETTER(cudaGraphMemsetNodeGetParams, cudaMemsetParams, cudaGraphNodeTypeMemset,
                      memset)
TILEREEL_GRAPH_GETTER(cudaGraphHostNodeGetParams, cudaHostNodeParams, cudaGraphNodeTypeHost, host)
TILEREEL_GRAPH_GETTER(cudaGraphMemcpyNodeGetParams, cudaMemcpy3DParms, cudaGraphNodeTypeMemcpy,
                      memcpy.copyParams)
TILEREEL_GRAPH_GETTER(cudaGraphChildGraphNodeGetGraph, cudaGraph_t, cudaGraphNodeTypeGraph,
                      graph.graph)
#undef TILEREEL_GRAPH_GETTER

// A copy of consecutive bytes.
inline cudaMemcpy3DParms tilereel_copy_of(void* to, const void* from, size_t bytes,
                                          cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = cudaPitchedPtr{const_cast<void*>(from), bytes, bytes, 1};
    copy.dstPtr = cudaPitchedPtr{to, bytes, bytes, 1};
    copy.extent = cudaExtent{bytes, 1, 1};
    copy.kind = kind;
    return copy;
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count, void* to,
                                            const void* from, size_t bytes, cudaMemcpyKind kind) {
    const cudaMemcpy3DParms copy = tilereel_copy_of(to, from, bytes, kind);
    return cudaGraphAddMemcpyNode(node, graph, after, count, &copy);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                  size_t bytes, cudaMemcpyKind kind) {
    const cudaMemcpy3DParms copy = tilereel_copy_of(to, from, bytes, kind);
    return cudaGraphMemcpyNodeSetParams(node, &copy);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      void* to, const void* from, size_t bytes,
                                                      cudaMemcpyKind kind) {
    const cudaMemcpy3DParms copy = tilereel_copy_of(to, from, bytes, kind);
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &copy);
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* after, size_t count) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeEmpty;
    return cudaGraphAddNode(node, graph, after, count, &params);
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, size_t count,
                                              cudaGraph_t child) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = child;
    return cudaGraphAddNode(node, graph, after, count, &params);
}
inline cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaGraph_t child) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = child;
    return cudaGraphExecNodeSetParams(exec, node, &params);
}
inline cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* after, size_t count,
                                               cudaEvent_t event) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeEventRecord;
    params.eventRecord.event = event;
    return cudaGraphAddNode(node, graph, after, count, &params);
}
inline cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count,
                                             cudaEvent_t event) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeWaitEvent;
    params.eventWait.event = event;
    return cudaGraphAddNode(node, graph, after, count, &params);
}
inline cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count,
                                            cudaMemAllocNodeParams* given) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeMemAlloc;
    params.alloc = *given;
    const cudaError_t error = cudaGraphAddNode(node, graph, after, count, &params);
    given->dptr = params.alloc.dptr;
    return error;
}
inline cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           void* pointer) {
    cudaGraphNodeParams params;
    params.type = cudaGraphNodeTypeMemFree;
    params.free.dptr = pointer;
    return cudaGraphAddNode(node, graph, after, count, &params);
}
// The signatures before CUDA 12, and those of CUDA 13 with data of edges.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*,
                                        char*, size_t) {
    return cudaGraphInstantiate(exec, graph, 0ull);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t* node, cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (node != nullptr) *node = info.errorNode;
    if (result != nullptr) *result = info.result;
    return error;
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                    size_t count, cudaGraphNodeParams* params) {
    return cudaGraphAddNode(node, graph, after, count, params);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                            size_t count) {
    return cudaGraphAddDependencies(graph, from, to, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData*, size_t* count) {
    return cudaGraphGetEdges(graph, from, to, count);
}
