// out = in, rows and columns exchanged, through a tile with a padded row.
#include <cstdio>
#include <vector>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int width = 100, height = 75;
    std::vector<float> in(width * height);
    for (int i = 0; i < width * height; ++i) in[i] = float(i);
    float *din, *dout;
    cudaMalloc(&din, in.size() * sizeof(float));
    cudaMalloc(&dout, in.size() * sizeof(float));
    cudaMemcpy(din, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3((width + kTile - 1) / kTile, (height + kTile - 1) / kTile),
                dim3(kTile, kRows)>>>(dout, din, width, height);
    cudaMemcpy(in.data(), dout, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", in[1]);
    cudaFree(din);
    cudaFree(dout);
}
