#pragma once
// Rows of a network, neighbours.
#include "blind_launches.cuh"

__global__ void softmax_by_thread(int rows, int columns, const float* in, float* out) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float most = -1e30f, sum = 0;
    for (int i = 0; i < columns; ++i) most = fmaxf(most, in[row * columns + i]);
    for (int i = 0; i < columns; ++i) sum += expf(in[row * columns + i] - most);
    for (int i = 0; i < columns; ++i)
        out[row * columns + i] = expf(in[row * columns + i] - most) / sum;
}
__global__ void softmax_online(int columns, const float* in, float* out) {  // a row a block
    __shared__ float mosts[4], sums[4];
    const float* row = in + blockIdx.x * columns;
    const int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < columns; i += 128) {
        const float value = row[i], more = fmaxf(most, value);
        sum = sum * __expf(most - more) + __expf(value - more);
        most = more;
    }
    for (int half = 16; half > 0; half /= 2) {
        const float other = __shfl_xor_sync(kAll, most, half), more = fmaxf(most, other);
        const float of_other = __shfl_xor_sync(kAll, sum, half);
        sum = sum * __expf(most - more) + of_other * __expf(other - more);
        most = more;
    }
    if (t % 32 == 0) mosts[t / 32] = most, sums[t / 32] = sum;
    __syncthreads();
    most = fmaxf(fmaxf(mosts[0], mosts[1]), fmaxf(mosts[2], mosts[3]));
    sum = 0;
    for (int i = 0; i < 4; ++i) sum += sums[i] * __expf(mosts[i] - most);
    const float by = 1.0f / sum;
    for (int i = t; i < columns; i += 128)
        out[blockIdx.x * columns + i] = __expf(row[i] - most) * by;
}
__device__ float total_of_warp(float value) {
    for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(kAll, value, half);
    return value;
}
__global__ void layer_norm_by_warp(int rows, int columns, const float* in, const float* scale,
                                   const float* shift, float* out) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* own = in + row * columns;
    float sum = 0, squares = 0;
    for (int i = lane; i < columns; i += 32) sum += own[i];
    const float mean = total_of_warp(sum) / columns;
    for (int i = lane; i < columns; i += 32) squares += (own[i] - mean) * (own[i] - mean);
    const float by = rsqrtf(total_of_warp(squares) / columns + 1e-5f);
    for (int i = lane; i < columns; i += 32)
        out[row * columns + i] = (own[i] - mean) * by * scale[i] + shift[i];
}
__global__ void cross_entropy(int rows, int classes, const float* in, const unsigned* label,
                              float* loss) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* own = in + row * classes;
    float most = -1e30f;
    for (int i = lane; i < classes; i += 32) most = fmaxf(most, own[i]);
    for (int half = 16; half > 0; half /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    float sum = 0;
    for (int i = lane; i < classes; i += 32) sum += expf(own[i] - most);
    sum = total_of_warp(sum);
    if (lane == 0) loss[row] = logf(sum) + most - own[label[row] % classes];
}
__global__ void batch_norm(int n, int channels, int area, const float* in, const float* mean,
                           const float* variance, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int channel = i / area % channels;
    out[i] = (in[i] - mean[channel]) / sqrtf(variance[channel] + 1e-5f);
}
__host__ __device__ inline unsigned mixed(unsigned value) {
    value = (value ^ 61) ^ (value >> 16);
    value *= 9;
    value ^= value >> 4;
    value *= 0x27d4eb2d;
    return value ^ (value >> 15);
}
__global__ void dropout(int n, unsigned seed, float kept, const float* in, float* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float chance = (mixed(seed + i) >> 8) / 16777216.0f;
        out[i] = chance < kept ? in[i] / kept : 0.0f;
    }
}
__global__ void embed_with_position(int width, int words, int length, const unsigned* token,
                                    const float* table, const float* position, float* out) {
    const int t = blockIdx.x, i = blockIdx.y * blockDim.x + threadIdx.x;
    const int word = token[t] % words;
    out[t * width + i] = table[word * width + i] + position[t % length * width + i];
}
__global__ void attend(int length, const float* query, const float* key, const float* value,
                       float* out) {  // a query a block, 64 wide
    __shared__ float q[64], weight[256], part[128];
    const int t = threadIdx.x, head = blockIdx.y * length;
    if (t < 64) q[t] = query[(head + blockIdx.x) * 64 + t];
    __syncthreads();
    float most = -1e30f;
    for (int j = t; j < length; j += 128) {
        float sum = 0;
        for (int i = 0; i < 64; ++i) sum += q[i] * key[(head + j) * 64 + i];
        weight[j] = sum * 0.125f;
        most = fmaxf(most, weight[j]);
    }
    part[t] = most;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    float sum = 0;
    for (int j = t; j < length; j += 128) sum += weight[j] = expf(weight[j] - most);
    part[t] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t >= 64) return;
    float own = 0;
    for (int j = 0; j < length; ++j) own += weight[j] * value[(head + j) * 64 + t];
    out[(head + blockIdx.x) * 64 + t] = own / part[0];
}
__global__ void scores_plain(int length, int width, const float* query, const float* key,
                             float* out) {
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= length || column >= length) return;
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += query[row * width + i] * key[column * width + i];
    out[row * length + column] = sum * 0.125f;
}
__global__ void linear_relu(int batch, int from, int to, const float* in, const float* weight,
                            const float* bias, float* out) {
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= batch || column >= to) return;
    float sum = bias[column];
    for (int i = 0; i < from; ++i) sum += in[row * from + i] * weight[i * to + column];
    out[row * to + column] = fmaxf(sum, 0.0f);
}
__global__ void distances_of_pairs(int n, int width, const float* a, const float* b, float* out) {
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        const float d = a[k * n + row] - b[k * n + column];  // by columns
        sum += d * d;
    }
    out[row * n + column] = sqrtf(sum);
}
__global__ void nearest_four(int queries, int points, const float2* query, const float2* point,
                             float4* out) {  // the four least squares of distances
    __shared__ float2 tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float2 own = i < queries ? query[i] : make_float2(0, 0);
    float4 least = {1e30f, 1e30f, 1e30f, 1e30f};
    for (int first = 0; first < points; first += 128) {
        tile[threadIdx.x] = point[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            const float u = tile[j].x - own.x, v = tile[j].y - own.y, d = u * u + v * v;
            if (d >= least.w) continue;
            least.w = fmaxf(least.z, d);
            least.z = fmaxf(least.y, fminf(least.z, d));
            least.y = fmaxf(least.x, fminf(least.y, d));
            least.x = fminf(least.x, d);
        }
        __syncthreads();
    }
    if (i < queries) out[i] = least;
}

inline void row_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const int n = kElements, quarter = n / 4;
    const dim3 sixteen(16, 16);
    // The sum of what exp() gives for a row, counted once a row.
    int of_row = -1;
    double total = 0;
    const auto exps = [&](int row, int columns) {
        if (row == of_row) return total;
        of_row = row, total = 0;
        for (int i = 0; i < columns; ++i) total += std::exp(double(numbers[row * columns + i]));
        return total;
    };

    const int narrow = 256, wide = 1500;
    if (run.wanted())
        softmax_by_thread<<<quarter / narrow / 128, 128>>>(quarter / narrow, narrow, run.x, run.y);
    run.checked("softmax_by_thread", run.y, quarter, 1, 1e-5,
                [&](int i) { return std::exp(double(numbers[i])) / exps(i / narrow, narrow); });

    of_row = -1;
    if (run.wanted()) softmax_online<<<n / 2048, 128>>>(wide, run.x, run.y);
    run.checked("softmax_online", run.y, n / 2048 * wide, 1, 1e-5,
                [&](int i) { return std::exp(double(numbers[i])) / exps(i / wide, wide); });

    const int width = 768, lines = n / 1024;
    double mean = 0, by = 0;
    if (run.wanted())
        layer_norm_by_warp<<<lines / 4, 128>>>(lines, width, run.x, run.y, run.y + width, run.z);
    run.checked("layer_norm_by_warp", run.z, lines * width, 1, 1e-4, [&](int i) {
        if (i % width == 0) {
            double sum = 0, squares = 0;
            for (int k = 0; k < width; ++k) sum += numbers[i + k];
            mean = sum / width;
            for (int k = 0; k < width; ++k) squares += std::pow(numbers[i + k] - mean, 2);
            by = 1 / std::sqrt(squares / width + 1e-5);
        }
        return (numbers[i] - mean) * by * others[i % width] + others[width + i % width];
    });

    const int classes = 1000;
    of_row = -1;
    if (run.wanted()) cross_entropy<<<lines / 8, 256>>>(lines, classes, run.x, run.p, run.s);
    run.checked("cross_entropy", run.s, lines, 1, 1e-4, [&](int row) {
        return std::log(exps(row, classes)) - numbers[row * classes + places[row] % classes];
    });

    const int channels = 64, area = 56 * 56, normed = quarter - 21;
    if (run.wanted())
        batch_norm<<<blocks_for(normed, 256), 256>>>(normed, channels, area, run.x, run.y,
                                                     run.y + channels, run.z);
    run.checked("batch_norm", run.z, normed, 1, 1e-5, [&](int i) {
        const int channel = i / area % channels;
        return (numbers[i] - double(others[channel])) /
               std::sqrt(others[channels + channel] + 1e-5);
    });

    if (run.wanted()) dropout<<<1056, 256>>>(n / 2 - 5, 99, 0.75f, run.x, run.y);
    run.checked("dropout", run.y, n / 2 - 5, 1, 1e-6, [&](int i) {
        return (mixed(99 + i) >> 8) / 16777216.0f < 0.75f ? numbers[i] / 0.75 : 0.0;
    });

    const int tokens = std::min(kEdge, n / 1024), words = n / width, context = 128;
    if (run.wanted())
        embed_with_position<<<dim3(tokens, width / 256), 256>>>(width, words, context, run.p, run.x,
                                                                run.y, run.z);
    run.checked("embed_with_position", run.z, tokens * width, 1, 1e-6, [&](int i) {
        const int token = i / width, at = i % width;
        return double(numbers[places[token] % words * width + at]) +
               others[token % context * width + at];
    });

    const int length = 256, heads = std::max(kEdge / 256, 1);
    std::vector<double> weight(length);
    if (run.wanted())
        attend<<<dim3(length, heads), 128>>>(length, run.x, run.x + quarter, run.y, run.z);
    run.checked("attend", run.z, length * heads * 64, 1, 1e-4, [&](int i) {
        const int head = i / (length * 64) * length;
        if (i % 64 == 0) {
            total = 0;
            for (int j = 0; j < length; ++j) {
                double sum = 0;
                for (int k = 0; k < 64; ++k)
                    sum += double(numbers[i + k]) * numbers[quarter + (head + j) * 64 + k];
                total += weight[j] = std::exp(sum / 8);
            }
        }
        double sum = 0;
        for (int j = 0; j < length; ++j) sum += weight[j] * others[(head + j) * 64 + i % 64];
        return sum / total;
    });

    const int long_row = kEdge / 4;
    if (run.wanted())
        scores_plain<<<dim3(long_row / 16, long_row / 16), sixteen>>>(long_row, 64, run.x, run.y,
                                                                      run.z);
    run.checked("scores_plain", run.z, long_row * long_row, 3, 1e-5, [&](int i) {
        double sum = 0;
        for (int k = 0; k < 64; ++k)
            sum += double(numbers[i / long_row * 64 + k]) * others[i % long_row * 64 + k];
        return sum / 8;
    });

    const int batch = 256, from = kEdge / 4 - 240, to = kEdge / 8;
    if (run.wanted())
        linear_relu<<<dim3(to / 16, batch / 16), sixteen>>>(batch, from, to, run.x, run.y,
                                                            run.x + quarter, run.z);
    run.checked("linear_relu", run.z, batch * to, 3, 1e-4, [&](int i) {
        double sum = numbers[quarter + i % to];
        for (int k = 0; k < from; ++k)
            sum += double(numbers[i / to * from + k]) * others[k * to + i % to];
        return sum;
    });

    const int pairs = kEdge / 2 - 48;
    if (run.wanted())
        distances_of_pairs<<<dim3(pairs / 16, pairs / 16), sixteen>>>(pairs, 32, run.x, run.y,
                                                                      run.z);
    run.checked("distances_of_pairs", run.z, pairs * pairs, 5, 1e-5, [&](int i) {
        double sum = 0;
        for (int k = 0; k < 32; ++k)
            sum +=
                std::pow(double(numbers[k * pairs + i / pairs]) - others[k * pairs + i % pairs], 2);
        return std::sqrt(sum);
    });

    const int queries = kEdge * 4 - 30, points = std::min(2048, n / 4);
    if (run.wanted())
        nearest_four<<<blocks_for(queries, 128), 128>>>(queries, points, (float2*)run.x,
                                                        (float2*)run.y, (float4*)run.z);
    std::vector<float> squares(points);
    run.checked("nearest_four", run.z, 4 * queries, 1, 1e-6, [&](int i) {
        if (i % 4 == 0) {
            for (int j = 0; j < points; ++j) {
                const float u = others[2 * j] - numbers[i / 2],
                            v = others[2 * j + 1] - numbers[i / 2 + 1];
                squares[j] = u * u + v * v;
            }
            std::partial_sort(squares.begin(), squares.begin() + 4, squares.end());
        }
        return squares[i % 4];
    });
}
