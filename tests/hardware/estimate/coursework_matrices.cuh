#pragma once
// Matrices: products, systems, rows and columns.
#include "blind_launches.cuh"

__global__ void add_by_columns(int wide, int high, const float* a, const float* b, float* c) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;  // neighbours are a row apart
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < high && column < wide)
        c[row * wide + column] = a[row * wide + column] + b[row * wide + column];
}
__global__ void product_turned(int edge, int k, const float* a, const float* b, float* c) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= edge || column >= edge) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * edge + column];
    c[row * edge + column] = sum;
}
__global__ void product_8x32(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float left[8][8], right[8][32];
    const int u = threadIdx.x, v = threadIdx.y;
    const int row = blockIdx.y * 8 + v, column = blockIdx.x * 32 + u;
    float sum = 0;
    for (int first = 0; first < k; first += 8) {
        if (u < 8) left[v][u] = row < m && first + u < k ? a[row * k + first + u] : 0.0f;
        right[v][u] = column < n && first + v < k ? b[(first + v) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 8; ++i) sum += left[v][i] * right[i][u];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
__global__ void product_of_integers(int edge, int k, const unsigned* a, const unsigned* b,
                                    unsigned* c) {  // four rows a thread
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * 4;
    if (column >= edge) return;
    unsigned sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < k; ++i) {
        const unsigned of_b = b[i * edge + column];
        for (int r = 0; r < 4; ++r) sum[r] += a[(row + r) * k + i] * of_b;
    }
    for (int r = 0; r < 4; ++r) c[(row + r) * edge + column] = sum[r];
}
__global__ void product_of_halves(int edge, const __half* a, const __half* b, __half* c) {
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < edge; ++i)
        sum += __half2float(a[row * edge + i]) * __half2float(b[i * edge + column]);
    c[row * edge + column] = __float2half(sum);
}
__global__ void gram_matrix(int wide, int high, const float* a, float* c) {  // a^T a
    __shared__ float left[16][17], right[16][17];
    const int u = threadIdx.x, v = threadIdx.y;
    float sum = 0;
    for (int first = 0; first < high; first += 16) {
        left[v][u] = a[(first + v) * wide + blockIdx.y * 16 + u];
        right[v][u] = a[(first + v) * wide + blockIdx.x * 16 + u];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) sum += left[i][v] * right[i][u];
        __syncthreads();
    }
    c[(blockIdx.y * 16 + v) * wide + blockIdx.x * 16 + u] = sum;
}
__global__ void product_of_triangles(int edge, const float* a, const float* b, float* c) {
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= edge || column > row) return;
    float sum = 0;
    for (int i = column; i <= row; ++i) sum += a[row * edge + i] * b[i * edge + column];
    c[row * edge + column] = sum;
}
__global__ void invert_4x4(int n, float more, const float4* in, float4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m[4][8];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        const float4 row = in[4 * i + r];
        m[r][0] = row.x, m[r][1] = row.y, m[r][2] = row.z, m[r][3] = row.w;
        m[r][r] += more;
#pragma unroll
        for (int c = 4; c < 8; ++c) m[r][c] = c - 4 == r ? 1.0f : 0.0f;
    }
#pragma unroll
    for (int p = 0; p < 4; ++p) {
        const float by = 1.0f / m[p][p];
#pragma unroll
        for (int c = 0; c < 8; ++c) m[p][c] *= by;
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            if (r == p) continue;
            const float factor = m[r][p];
#pragma unroll
            for (int c = 0; c < 8; ++c) m[r][c] -= factor * m[p][c];
        }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) out[4 * i + r] = make_float4(m[r][4], m[r][5], m[r][6], m[r][7]);
}
__global__ void substitute_step(int edge, int known, const float* a, float* b) {
    const int row = known + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < edge) b[row] -= a[row * edge + known] * b[known];
}
__global__ void solve_64(const float* lower, float* x) {  // a system with ones on its diagonal
    __shared__ float own[64];
    const int t = threadIdx.x;
    const float* a = lower + blockIdx.x * 4096;
    own[t] = x[blockIdx.x * 64 + t];
    for (int k = 0; k < 63; ++k) {
        __syncthreads();
        if (t > k) own[t] -= a[t * 64 + k] * own[k];
    }
    x[blockIdx.x * 64 + t] = own[t];
}
__global__ void outer_of_doubles(int wide, int high, const double* x, const double* y, double* a) {
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < high && column < wide) a[row * wide + column] = x[row] * y[column];
}
__global__ void matrix_vector_of_bytes(int columns, float scale, const char4* a, const float4* x,
                                       float* y) {  // a row a warp
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int i = lane; i < columns / 4; i += 32) {
        const char4 w = a[row * (columns / 4) + i];
        const float4 v = x[i];
        sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
    }
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(kAll, sum, half);
    if (lane == 0) y[row] = sum * scale;
}
__global__ void normalise_columns(int wide, int high, float* a) {  // a column a thread, twice
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= wide) return;
    float sum = 0;
    for (int row = 0; row < high; ++row) sum += a[row * wide + column] * a[row * wide + column];
    const float by = 1.0f / sqrtf(sum);
    for (int row = 0; row < high; ++row) a[row * wide + column] *= by;
}
__global__ void matrix_vector_doubles(int rows, int columns, const double* a, const double* x,
                                      double* y) {  // x in shared memory, a row a thread
    extern __shared__ double of_x[];
    for (int i = threadIdx.x; i < columns; i += blockDim.x) of_x[i] = x[i];
    __syncthreads();
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += a[row * columns + i] * of_x[i];
    y[row] = sum;
}

inline void matrix_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const auto& doubles = run.doubles;
    const int n = kElements;
    const dim3 sixteen(16, 16);

    const int wide = kEdge / 2 - 50, high = kEdge / 2 + 30;
    if (run.wanted())
        add_by_columns<<<dim3(blocks_for(high, 16), blocks_for(wide, 16)), sixteen>>>(
            wide, high, run.x, run.y, run.z);
    run.checked("add_by_columns", run.z, wide * high, 1, 1e-6,
                [&](int i) { return double(numbers[i]) + others[i]; });

    const int turned = kEdge / 8 - 12, depth = kEdge / 16 + 44;
    if (run.wanted())
        product_turned<<<dim3(blocks_for(turned, 16), blocks_for(turned, 16)), sixteen>>>(
            turned, depth, run.x, run.y, run.z);
    run.checked("product_turned", run.z, turned * turned, 7, 1e-4, [&](int i) {
        double sum = 0;
        for (int k = 0; k < depth; ++k)
            sum += double(numbers[i / turned * depth + k]) * others[k * turned + i % turned];
        return sum;
    });

    const int rm = kEdge / 4 - 21, rn = kEdge / 4 + 13, rk = kEdge / 8 - 5;
    if (run.wanted())
        product_8x32<<<dim3(blocks_for(rn, 32), blocks_for(rm, 8)), dim3(32, 8)>>>(
            rm, rn, rk, run.x, run.y, run.z);
    run.checked("product_8x32", run.z, rm * rn, 31, 1e-4, [&](int i) {
        double sum = 0;
        for (int k = 0; k < rk; ++k)
            sum += double(numbers[i / rn * rk + k]) * others[k * rn + i % rn];
        return sum;
    });

    const int counted = kEdge / 4;
    if (run.wanted())
        product_of_integers<<<dim3(blocks_for(counted, 128), counted / 4), 128>>>(
            counted, 200, run.p, run.p + n / 2, run.q);
    run.checked("product_of_integers", run.q, counted * counted, 13, 0, [&](int i) {
        unsigned sum = 0;
        for (int k = 0; k < 200; ++k)
            sum += places[i / counted * 200 + k] * places[n / 2 + k * counted + i % counted];
        return sum;
    });

    const int edge = kEdge / 8;
    std::vector<__half> small(edge * edge), more(edge * edge);
    for (int i = 0; i < edge * edge; ++i)
        small[i] = __float2half(numbers[i]), more[i] = __float2half(others[i]);
    __half *left = device(small), *right = device(more), *product = device(small);
    if (run.wanted())
        product_of_halves<<<dim3(edge / 32, edge / 4), dim3(32, 4)>>>(edge, left, right, product);
    run.checked("product_of_halves", product, edge * edge, 7, 2e-3, [&](int i) {
        double sum = 0;
        for (int k = 0; k < edge; ++k)
            sum += double(numbers[i / edge * edge + k]) * others[k * edge + i % edge];
        return sum;
    });
    cudaFree(left), cudaFree(right), cudaFree(product);

    if (run.wanted())
        gram_matrix<<<dim3(edge / 16, edge / 16), sixteen>>>(edge, kEdge / 2, run.x, run.z);
    run.checked("gram_matrix", run.z, edge * edge, 29, 1e-4, [&](int i) {
        double sum = 0;
        for (int k = 0; k < kEdge / 2; ++k)
            sum += double(numbers[k * edge + i / edge]) * numbers[k * edge + i % edge];
        return sum;
    });

    const int triangle = kEdge / 4 - 100;
    if (run.wanted())
        product_of_triangles<<<dim3(blocks_for(triangle, 16), blocks_for(triangle, 16)), sixteen>>>(
            triangle, run.x, run.y, run.z);
    run.checked("product_of_triangles", run.z, triangle * triangle, 17, 1e-4, [&](int i) {
        const int row = i / triangle, column = i % triangle;
        if (column > row) return double(others[i]);
        double sum = 0;
        for (int k = column; k <= row; ++k)
            sum += double(numbers[row * triangle + k]) * others[k * triangle + column];
        return sum;
    });

    const int matrices = n / 64 - 30;
    if (run.wanted())
        invert_4x4<<<blocks_for(matrices, 128), 128>>>(matrices, 4.0f, (float4*)run.x,
                                                       (float4*)run.z);
    run.checked("invert_4x4", run.z, 16 * matrices, 1, 1e-4, [&](int i) {
        // The inverse by the adjugate: cofactors of 3 x 3, over the determinant.
        const int at = i % 16, row = at / 4, column = at % 4;
        const auto value = [&](int r, int c) {
            return double(numbers[i / 16 * 16 + r * 4 + c]) + (r == c ? 4 : 0);
        };
        const auto cofactor = [&](int out_row, int out_column) {
            int r[3], c[3];
            for (int k = 0, p = 0, q = 0; k < 4; ++k) {
                if (k != out_row) r[p++] = k;
                if (k != out_column) c[q++] = k;
            }
            double sum = 0;
            for (int k = 0; k < 3; ++k)
                sum +=
                    value(r[0], c[k]) * (value(r[1], c[(k + 1) % 3]) * value(r[2], c[(k + 2) % 3]) -
                                         value(r[1], c[(k + 2) % 3]) * value(r[2], c[(k + 1) % 3]));
            return (out_row + out_column) % 2 == 0 ? sum : -sum;
        };
        double determinant = 0;
        for (int k = 0; k < 4; ++k) determinant += value(0, k) * cofactor(0, k);
        return cofactor(column, row) / determinant;
    });

    if (run.wanted()) substitute_step<<<blocks_for(kEdge - 8, 256), 256>>>(kEdge, 7, run.x, run.y);
    run.checked("substitute_step", run.y, kEdge, 1, 1e-6, [&](int i) {
        return others[i] - (i > 7 ? double(numbers[i * kEdge + 7]) * others[7] : 0.0);
    });

    std::vector<float> weak(n / 4);
    for (int i = 0; i < n / 4; ++i) weak[i] = numbers[i] / 16;
    float* systems = device(weak);
    std::vector<double> solved(64);
    if (run.wanted()) solve_64<<<n / 16384, 64>>>(systems, run.y);
    run.checked("solve_64", run.y, n / 256, 1, 1e-4, [&](int i) {
        double sum = others[i];
        for (int k = 0; k < i % 64; ++k) sum -= weak[i / 64 * 4096 + i % 64 * 64 + k] * solved[k];
        return solved[i % 64] = sum;
    });
    cudaFree(systems);

    const int wide_outer = kEdge / 4 + 176, high_outer = kEdge / 4 - 24;
    if (run.wanted())
        outer_of_doubles<<<dim3(blocks_for(wide_outer, 32), blocks_for(high_outer, 8)),
                           dim3(32, 8)>>>(wide_outer, high_outer, run.dx, run.dx + 2048, run.dy);
    run.checked("outer_of_doubles", run.dy, wide_outer * high_outer, 1, 1e-15,
                [&](int i) { return doubles[i / wide_outer] * doubles[2048 + i % wide_outer]; });

    const int rows = kEdge / 2, columns = kEdge;
    if (run.wanted())
        matrix_vector_of_bytes<<<rows / 8, 256>>>(columns, 0.125f, (char4*)run.in, (float4*)run.x,
                                                  run.s);
    run.checked("matrix_vector_of_bytes", run.s, rows, 1, 1e-2, [&](int row) {
        double sum = 0;
        for (int i = 0; i < columns; ++i)
            sum += double((signed char)run.bytes[row * columns + i]) * numbers[i];
        return sum / 8;
    });

    const int lines = kEdge / 4, across = kEdge - 60;
    std::vector<double> length(across);
    if (run.wanted()) normalise_columns<<<blocks_for(across, 128), 128>>>(across, lines, run.y);
    run.checked("normalise_columns", run.y, lines * across, 1, 1e-5, [&](int i) {
        for (int k = 0; i < across && k < lines; ++k)
            length[i] += double(others[k * across + i]) * others[k * across + i];
        return others[i] / std::sqrt(length[i % across]);
    });

    const int long_rows = kEdge / 2 - 5, of_row = kEdge / 8;
    if (run.wanted())
        matrix_vector_doubles<<<blocks_for(long_rows, 64), 64, of_row * sizeof(double)>>>(
            long_rows, of_row, run.dx, run.dx + 777, run.dy);
    run.checked("matrix_vector_doubles", run.dy, long_rows, 1, 1e-12, [&](int row) {
        double sum = 0;
        for (int i = 0; i < of_row; ++i) sum += doubles[row * of_row + i] * doubles[777 + i];
        return sum;
    });
}
