// says: cudaGraphConditionalHandle is not supported: Tilereel runs no graphs with conditions; decide on the host which graph to launch instead
// ends: not compiled
int main() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph);
}
