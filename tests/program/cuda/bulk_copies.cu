// Tensor maps, barriers in shared memory, boxes that the TMA copies: cuda::ptx.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cuda/ptx>
#include <vector>

#include "check.h"
namespace ptx = cuda::ptx;

__device__ void wait(uint64_t* barrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}
__device__ void expect(uint64_t* barrier, int bytes) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier,
                                   bytes);
}

// One box of 8 rows of BOX_COLUMNS floats.
template <int BOX_COLUMNS>
__global__ void one_box(const __grid_constant__ CUtensorMap map, float* out, int row, int column) {
    __shared__ alignas(1024) float tile[8][BOX_COLUMNS];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, {column, row},
                                  &full);
        expect(&full, sizeof tile);
    }
    __syncthreads();
    wait(&full, 0);
    for (int i = threadIdx.x; i < 8 * BOX_COLUMNS; i += blockDim.x)
        out[i] = tile[i / BOX_COLUMNS][i % BOX_COLUMNS];
}

// A ring of two stages between warp 0, which fills them, and warp 1, which adds them up.
__global__ void ring(const __grid_constant__ CUtensorMap map, float* out, int boxes) {
    __shared__ alignas(128) float stage[2][32];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 32);
        }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < boxes && lane == 0; ++i) {
            if (i >= 2) wait(&empty[i % 2], (i / 2 - 1) % 2);
            expect(&full[i % 2], sizeof stage[0]);
            const int32_t at[] = {32 * i};
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage[i % 2], &map, at,
                                      &full[i % 2]);
        }
        return;
    }
    float sum = 0;
    for (int i = 0; i < boxes; ++i) {
        while (!ptx::mbarrier_test_wait_parity(&full[i % 2], i / 2 % 2)) {
        }
        sum += stage[i % 2][lane];
        ptx::mbarrier_arrive(&empty[i % 2]);
    }
    out[lane] = sum;
}

// A bulk copy without a tensor map, and a wait for the phase that an arrival returned.
__global__ void bytes_in_bulk(const float* in, float* out) {
    __shared__ alignas(16) float tile[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) ptx::mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    uint64_t phase;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &bar);
        phase = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &bar, sizeof tile);
    } else {
        phase = ptx::mbarrier_arrive(&bar);
    }
    while (!ptx::mbarrier_try_wait(&bar, phase)) {
    }
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// A box of a tensor with three dimensions and 2-byte elements.
__global__ void three_dimensions(const __grid_constant__ CUtensorMap map, unsigned short* out) {
    __shared__ alignas(128) unsigned short box[2][2][8];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        expect(&full, sizeof box);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map, {8, 1, 1},
                                  &full);
    }
    __syncthreads();
    wait(&full, 0);
    out[threadIdx.x] = (&box[0][0][0])[threadIdx.x];
}

static PFN_cuTensorMapEncodeTiled_v12000 encode;

static CUresult make(CUtensorMap* map, CUtensorMapDataType type, int rank, void* first,
                     std::vector<cuuint64_t> extents, std::vector<cuuint64_t> strides,
                     std::vector<cuuint32_t> box, CUtensorMapSwizzle swizzle) {
    const std::vector<cuuint32_t> steps(rank, 1);
    strides.push_back(0);  // never read
    return encode(map, type, rank, first, extents.data(), strides.data(), box.data(), steps.data(),
                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Element (r, c) of the matrix is 100 r + c; outside the matrix, 0.
static float element(int r, int c) {
    return r < 0 || r >= 20 || c < 0 || c >= 50 ? 0.0f : float(100 * r + c);
}

// PTX ISA, "Swizzling Modes": the 16-byte piece p of row r is stored in the position of piece
// p ^ r % 8 if rows have 128 bytes, p ^ r / 2 % 4 if 64, and p ^ r / 4 % 2 if 32.
template <int COLUMNS>
static void check_box(float* matrix, float* out, CUtensorMapSwizzle swizzle, int row, int column) {
    CUtensorMap map;
    CHECK(make(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, {50, 20}, {52 * sizeof(float)},
               {COLUMNS, 8}, swizzle) == CUDA_SUCCESS);
    one_box<COLUMNS><<<1, 64>>>(map, out, row, column);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int r = 0; r < 8; ++r)
        for (int c = 0; c < COLUMNS; ++c) {
            int piece = c / 4;
            if (swizzle == CU_TENSOR_MAP_SWIZZLE_128B) piece ^= r % 8;
            if (swizzle == CU_TENSOR_MAP_SWIZZLE_64B) piece ^= r / 2 % 4;
            if (swizzle == CU_TENSOR_MAP_SWIZZLE_32B) piece ^= r / 4 % 2;
            CHECK(out[r * COLUMNS + piece * 4 + c % 4] == element(row + r, column + c));
        }
}

int main() {
    cudaDriverEntryPointQueryResult found;
    void* function = nullptr;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                           cudaEnableDefault, &found) == cudaSuccess);
    CHECK(found == cudaDriverEntryPointSuccess);
    encode = (PFN_cuTensorMapEncodeTiled_v12000)function;
    float *matrix, *out;
    cudaMallocManaged(&matrix, 1024 * sizeof(float) + 20 * 52 * sizeof(float));
    cudaMallocManaged(&out, 1024 * sizeof(float));
    for (int i = 0; i < 20 * 52; ++i) matrix[i] = float(100 * (i / 52) + i % 52);
    check_box<32>(matrix, out, CU_TENSOR_MAP_SWIZZLE_NONE, 4, 8);
    check_box<32>(matrix, out, CU_TENSOR_MAP_SWIZZLE_128B, 4, 8);
    check_box<32>(matrix, out, CU_TENSOR_MAP_SWIZZLE_128B, 15, 28);  // beyond both edges
    check_box<32>(matrix, out, CU_TENSOR_MAP_SWIZZLE_NONE, -3, -4);  // before both
    check_box<32>(matrix, out, CU_TENSOR_MAP_SWIZZLE_NONE, 20, 0);   // wholly outside
    check_box<16>(matrix, out, CU_TENSOR_MAP_SWIZZLE_64B, 0, 36);
    check_box<8>(matrix, out, CU_TENSOR_MAP_SWIZZLE_32B, 2, 16);

    CUtensorMap row;
    CHECK(make(&row, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, matrix, {160}, {}, {32},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
    for (int i = 0; i < 160; ++i) matrix[i] = float(i);
    ring<<<1, 64>>>(row, out, 5);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 32; ++i) CHECK(out[i] == 5 * i + 32 * (1 + 2 + 3 + 4));

    bytes_in_bulk<<<3, 64>>>(matrix, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(out[i] == float(63 - i));

    unsigned short *cube, *picked;
    cudaMallocManaged(&cube, 2 * 3 * 16 * sizeof *cube);
    cudaMallocManaged(&picked, 32 * sizeof *picked);
    for (int i = 0; i < 2 * 3 * 16; ++i) cube[i] = (unsigned short)i;
    CUtensorMap cubes;
    CHECK(make(&cubes, CU_TENSOR_MAP_DATA_TYPE_UINT16, 3, cube, {16, 3, 2}, {32, 96}, {8, 2, 2},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
    three_dimensions<<<1, 32>>>(cubes, picked);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 8; ++x)
                CHECK(picked[z * 16 + y * 8 + x] == (z == 0 ? 48 + 16 * (1 + y) + 8 + x : 0));

    // What the driver refuses.
    CHECK(make(&row, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, {50, 20}, {200}, {32, 8},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);  // a stride of 200 bytes
    CHECK(make(&row, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, matrix, {50}, {}, {6},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);  // a box of 24 bytes
    CHECK(make(&row, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, matrix + 1, {50}, {}, {32},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);  // not aligned to 16 bytes
    CHECK(make(&row, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, matrix, {500}, {}, {512},
               CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);  // a box of 512 elements
    cudaFree(matrix), cudaFree(out), cudaFree(cube), cudaFree(picked);
    return failures;
}
