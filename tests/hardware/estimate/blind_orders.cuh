#pragma once
// Scans, sorting, graphs, sparse rows, text.
#include "blind_launches.cuh"

__global__ void scan_kogge_stone(int n, const float* in, float* out) {
    __shared__ float part[1024];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float sum = 0;
        if (t >= stride) sum = part[t] + part[t - stride];
        __syncthreads();
        if (t >= stride) part[t] = sum;
    }
    if (i < n) out[i] = part[t];
}
__global__ void add_block_sums(int n, const unsigned* sums, unsigned* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += sums[blockIdx.x];
}
__global__ void split_by_bit(int bit, const unsigned* in, unsigned* out) {  // 256 a block, stable
    __shared__ unsigned zeros_of_warp[8], sorted[256];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const unsigned key = in[blockIdx.x * 256 + t];
    const bool zero = (key >> bit & 1) == 0;
    const unsigned zeros = __ballot_sync(kAll, zero);
    if (lane == 0) zeros_of_warp[warp] = __popc(zeros);
    __syncthreads();
    unsigned before = __popc(zeros & ((1u << lane) - 1)), all = 0;
    for (int w = 0; w < 8; ++w) {
        if (w < warp) before += zeros_of_warp[w];
        all += zeros_of_warp[w];
    }
    sorted[zero ? before : all + t - before] = key;
    __syncthreads();
    out[blockIdx.x * 256 + t] = sorted[t];
}
__global__ void odd_even_step(int n, int phase, unsigned* keys) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 >= n) return;
    const unsigned a = keys[i], b = keys[i + 1];
    if (a > b) {
        keys[i] = b;
        keys[i + 1] = a;
    }
}
__global__ void merge_by_rank(int n, const unsigned* a, const unsigned* b, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * n) return;
    const bool of_a = i < n;
    const unsigned key = of_a ? a[i] : b[i - n];
    const unsigned* other = of_a ? b : a;
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (other[middle] < key || (!of_a && other[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    out[(of_a ? i : i - n) + low] = key;
}
__global__ void rank_by_counting(int n, const unsigned* keys, unsigned* sorted) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned key = keys[i];
    int rank = 0;
    for (int j = 0; j < n; ++j) {
        const unsigned other = keys[j];
        if (other < key || (other == key && j < i)) ++rank;
    }
    sorted[rank] = key;
}
__global__ void visit_level(int vertices, int level, const int* begin, const int* to, int* levels) {
    const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || levels[vertex] != level) return;
    for (int i = begin[vertex]; i < begin[vertex + 1]; ++i)
        if (levels[to[i]] == -1) levels[to[i]] = level + 1;
}
__global__ void pull_ranks(int vertices, const int* begin, const int* from, const float* rank,
                           const float* degree, float* next) {
    const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices) return;
    float sum = 0;
    for (int i = begin[vertex]; i < begin[vertex + 1]; ++i) {
        const int other = from[i];
        sum += rank[other] / degree[other];
    }
    next[vertex] = 0.15f / vertices + 0.85f * sum;
}
__global__ void sparse_diagonals(int rows, int diagonals, const int* offset, const float* value,
                                 const float* x, float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int d = 0; d < diagonals; ++d) {
        const int column = row + offset[d];
        if (column >= 0 && column < rows) sum += value[d * rows + row] * x[column];
    }
    y[row] = sum;
}
__global__ void mark_runs(int n, const unsigned char* in, unsigned char* first, unsigned* count) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool begins = false;
    if (i < n) {
        begins = i == 0 || (in[i] & 3) != (in[i - 1] & 3);
        first[i] = begins ? 1 : 0;
    }
    if (begins) atomicAdd(&of_block, 1u);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, of_block);
}
__constant__ unsigned char pattern[8];
__global__ void find_pattern(int n, const unsigned char* text, unsigned char* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - 8) return;
    int k = 0;
    while (k < 8 && (text[i + k] & 15) == pattern[k]) ++k;
    found[i] = k == 8 ? 1 : 0;
}
__global__ void hash_records(int n, const unsigned char* text, unsigned* hash) {  // FNV, of 32
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned value = 2166136261u;
    for (int k = 0; k < 32; ++k) value = (value ^ text[i * 32 + k]) * 16777619u;
    hash[i] = value;
}
__global__ void histogram_of_levels(int n, const float* in, unsigned* bins) {  // 64 levels
    __shared__ unsigned own[64];
    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[(int)(in[i] * 64)], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void histogram_coarse(int n, const unsigned char* text, unsigned* bins) {
    __shared__ unsigned own[8];  // runs of equal bins are joined
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    unsigned sum = 0;
    int latest = -1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bin = text[i] % 32 / 4;
        if (bin == latest) {
            ++sum;
            continue;
        }
        if (latest >= 0) atomicAdd(&own[latest], sum);
        latest = bin;
        sum = 1;
    }
    if (latest >= 0) atomicAdd(&own[latest], sum);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

inline void order_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const auto& bytes = run.bytes;
    const int n = kElements;

    double before = 0;
    if (run.wanted())
        scan_kogge_stone<<<blocks_for(n / 2 - 77, 1024), 1024>>>(n / 2 - 77, run.x, run.y);
    run.checked("scan_kogge_stone", run.y, n / 2 - 77, 1, 1e-5, [&](int i) {
        return before = i % 1024 ? before + numbers[i] : double(numbers[i]);
    });

    if (run.wanted()) add_block_sums<<<blocks_for(n - 99, 512), 512>>>(n - 99, run.p, run.q);
    run.checked("add_block_sums", run.q, n - 99, 1, 0,
                [&](int i) { return places[i] + places[i / 512]; });

    std::vector<unsigned> sorted;
    if (run.wanted()) split_by_bit<<<n / 512, 256>>>(3, run.p, run.q);
    run.checked("split_by_bit", run.q, n / 2, 1, 0, [&](int i) {
        if (i % 256 == 0) {
            sorted.assign(&places[i], &places[i] + 256);
            std::stable_partition(sorted.begin(), sorted.end(),
                                  [](unsigned key) { return (key >> 3 & 1) == 0; });
        }
        return sorted[i % 256];
    });

    if (run.wanted()) odd_even_step<<<n / 512, 256>>>(n - 1, 1, run.q);
    run.checked("odd_even_step", run.q, n - 1, 1, 0, [&](int i) {
        if (i == 0) return places[0];
        return i % 2 == 1 ? (i + 1 < n - 1 ? std::min(places[i], places[i + 1]) : places[i])
                          : std::max(places[i - 1], places[i]);
    });

    const int half = n / 16;
    std::vector<unsigned> a(half), b(half);
    for (int i = 0; i < half; ++i)
        a[i] = i * 16u + places[i] % 16, b[i] = i * 16u + places[n - 1 - i] % 16;
    unsigned *first = device(a), *second = device(b);
    if (run.wanted()) merge_by_rank<<<blocks_for(2 * half, 256), 256>>>(half, first, second, run.q);
    run.checked("merge_by_rank", run.q, 2 * half, 1, 0, [&](int i) {
        if (i == 0) {
            sorted.resize(2 * half);
            std::merge(a.begin(), a.end(), b.begin(), b.end(), sorted.begin());
        }
        return sorted[i];
    });

    const int ranked = kEdge * 4 - 20;
    if (run.wanted()) rank_by_counting<<<blocks_for(ranked, 256), 256>>>(ranked, run.p, run.q);
    run.checked("rank_by_counting", run.q, ranked, 1, 0, [&](int i) {
        if (i == 0) {
            sorted.assign(places.begin(), places.begin() + ranked);
            std::sort(sorted.begin(), sorted.end());
        }
        return sorted[i];
    });

    // A graph of 1 to 16 neighbours of a vertex; of its vertices a quarter is at level 2, half at
    // none.
    const int vertices = n / 32 - 3;
    std::vector<int> begin(vertices + 1), to, levels(vertices);
    unsigned state = 5;
    for (int v = 0; v < vertices; ++v) begin[v + 1] = begin[v] + 1 + (next_of(state) >> 28);
    to.resize(begin[vertices]);
    for (int& vertex : to) vertex = (int)((next_of(state) >> 8) % vertices);
    for (int& level : levels) {
        const unsigned chance = next_of(state) >> 30;
        level = chance < 2 ? -1 : chance == 2 ? 2 : 1;
    }
    std::vector<float> degrees(vertices);
    for (int v = 0; v < vertices; ++v) degrees[v] = (float)(begin[v + 1] - begin[v]);
    int *begins = device(begin), *tos = device(to), *of_vertex = device(levels);
    float* degree = device(degrees);
    if (run.wanted())
        visit_level<<<blocks_for(vertices, 256), 256>>>(vertices, 2, begins, tos, of_vertex);
    std::vector<int> visited = levels;
    for (int v = 0; v < vertices; ++v)
        if (levels[v] == 2)
            for (int i = begin[v]; i < begin[v + 1]; ++i)
                if (levels[to[i]] == -1) visited[to[i]] = 3;
    run.checked("visit_level", of_vertex, vertices, 1, 0, [&](int v) { return visited[v]; });

    if (run.wanted())
        pull_ranks<<<blocks_for(vertices, 128), 128>>>(vertices, begins, tos, run.x, degree, run.s);
    run.checked("pull_ranks", run.s, vertices, 1, 1e-5, [&](int v) {
        double sum = 0;
        for (int i = begin[v]; i < begin[v + 1]; ++i)
            sum += double(numbers[to[i]]) / degrees[to[i]];
        return 0.15 / vertices + 0.85 * sum;
    });

    const int rows = n / 16 - 7, far = kEdge / 4;
    const std::vector<int> offsets = {-far, -far / 2, -2, -1, 0, 1, 2, far / 2, far};
    int* offset = device(offsets);
    if (run.wanted())
        sparse_diagonals<<<blocks_for(rows, 256), 256>>>(rows, 9, offset, run.x, run.y, run.s);
    run.checked("sparse_diagonals", run.s, rows, 1, 1e-5, [&](int row) {
        double sum = 0;
        for (int d = 0; d < 9; ++d) {
            const int column = row + offsets[d];
            if (column >= 0 && column < rows)
                sum += double(numbers[d * rows + row]) * others[column];
        }
        return sum;
    });

    const int text = n / 2 - 9;
    if (run.wanted()) mark_runs<<<blocks_for(text, 256), 256>>>(text, run.in, run.out, run.bins);
    run.checked("mark_runs", run.out, text, 1, 0,
                [&](int i) { return i == 0 || bytes[i] % 4 != bytes[i - 1] % 4 ? 1 : 0; });

    const std::vector<unsigned char> wanted = {1, 14, 3, 7, 7, 2, 9, 0};
    cudaMemcpyToSymbol(pattern, wanted.data(), wanted.size());
    if (run.wanted()) find_pattern<<<blocks_for(n - 3, 256), 256>>>(n - 3, run.in, run.out);
    run.checked("find_pattern", run.out, n - 10, 1, 0, [&](int i) {
        for (int k = 0; k < 8; ++k)
            if (bytes[i + k] % 16 != wanted[k]) return 0;
        return 1;
    });

    const int records = n / 32;
    if (run.wanted()) hash_records<<<blocks_for(records, 128), 128>>>(records, run.in, run.q);
    run.checked("hash_records", run.q, records, 1, 0, [&](int i) {
        unsigned value = 2166136261u;
        for (int k = 0; k < 32; ++k) value = (value ^ bytes[i * 32 + k]) * 16777619u;
        return value;
    });

    std::vector<unsigned> counts(64);
    if (run.wanted())
        histogram_of_levels<<<blocks_for(n - 33, 256), 256>>>(n - 33, run.x, run.bins);
    run.checked("histogram_of_levels", run.bins, 64, 1, 0, [&](int level) {
        if (level == 0)
            for (int i = 0; i < n - 33; ++i) ++counts[(int)(numbers[i] * 64)];
        return counts[level];
    });

    if (run.wanted()) histogram_coarse<<<528, 256>>>(n - 1, run.in, run.bins);
    run.checked("histogram_coarse", run.bins, 8, 1, 0, [&](int bin) {
        if (bin == 0) counts.assign(8, 0);
        for (int i = 0; i < n - 1 && bin == 0; ++i) ++counts[bytes[i] % 32 / 4];
        return counts[bin];
    });
}
