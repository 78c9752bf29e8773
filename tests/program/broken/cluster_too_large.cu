// says: A cluster of 16 x 1 x 1 blocks has 16; at most 8 run on every GPU with clusters
// ends: exit 3
__global__ void k() {}
int main() {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 16;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 32;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, k) == cudaSuccess ? 0 : 3;
}
