// says: cudaStreamBeginCapture is not supported: Tilereel runs no CUDA graphs; launch the kernels one after another instead
// ends: not compiled
__global__ void k() {}
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    k<<<1, 1, 0, stream>>>();
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
}
