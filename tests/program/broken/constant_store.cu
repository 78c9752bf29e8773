// says: writes constant memory, factor, on line 4
// ends: exit 0
__constant__ float factor[4];
__global__ void set(int i) { const_cast<float*>(factor)[i] = 1; }
int main() {
    set<<<1, 1>>>(2);
    cudaDeviceSynchronize();
}
