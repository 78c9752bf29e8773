#pragma once
// Prefix sums, counters, sorting, texts, graphs, sparse matrices.
#include "blind_launches.cuh"

__global__ void scan_of_longs(const unsigned* in, unsigned long long* out) {  // Hillis, Steele
    __shared__ unsigned long long part[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = in[i];
    __syncthreads();
    for (int by = 1; by < 256; by *= 2) {
        const unsigned long long more = t >= by ? part[t - by] : 0;
        __syncthreads();
        part[t] += more;
        __syncthreads();
    }
    out[i] = part[t];
}
__device__ int padded(int i) { return i + i / 32; }
__global__ void scan_blelloch(const unsigned* in, unsigned* out) {  // exclusive, 1,024 a block
    __shared__ unsigned tree[1024 + 32];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    tree[padded(t)] = in[first + t];
    tree[padded(t + 512)] = in[first + t + 512];
    int by = 1;
    for (int count = 512; count > 0; count /= 2, by *= 2) {
        __syncthreads();
        if (t < count) tree[padded(by * (2 * t + 2) - 1)] += tree[padded(by * (2 * t + 1) - 1)];
    }
    if (t == 0) tree[padded(1023)] = 0;
    for (int count = 1; count < 1024; count *= 2) {
        by /= 2;
        __syncthreads();
        if (t >= count) continue;
        const int left = padded(by * (2 * t + 1) - 1), right = padded(by * (2 * t + 2) - 1);
        const unsigned kept = tree[left];
        tree[left] = tree[right];
        tree[right] += kept;
    }
    __syncthreads();
    out[first + t] = tree[padded(t)];
    out[first + t + 512] = tree[padded(t + 512)];
}
__global__ void scan_of_warps(int n, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = i < n ? in[i] : 0.0f;
    for (int by = 1; by < 32; by *= 2) {
        const float more = __shfl_up_sync(kAll, sum, by);
        if (lane >= by) sum += more;
    }
    if (i < n) out[i] = sum;
}
__global__ void digit_histograms(int shift, const unsigned* in, unsigned* counts) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; ++k)
        atomicAdd(&own[in[blockIdx.x * 2048 + k * 256 + threadIdx.x] >> shift & 255], 1u);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];  // by digits
}
__global__ void add_to_four_places(int n, const unsigned* in, unsigned* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[in[i] >> 5 & 3], 1u);
}
__global__ void add_to_many_places(int n, unsigned mask_of_places, const unsigned* in,
                                   float* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[in[i] & mask_of_places], 1.0f);
}
__global__ void compact_by_block(const float* in, float least, float* out, int* counts) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const float v = in[blockIdx.x * 256 + threadIdx.x];
    if (v > least) out[blockIdx.x * 256 + atomicAdd(&count, 1)] = v;
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}
__global__ void sort_sixteen(int n, const unsigned* in, unsigned* out) {  // by insertion, a thread
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned own[16];
    for (int k = 0; k < 16; ++k) {
        const unsigned key = in[i * 16 + k];
        int at = k;
        while (at > 0 && own[at - 1] > key) {
            own[at] = own[at - 1];
            --at;
        }
        own[at] = key;
    }
    for (int k = 0; k < 16; ++k) out[i * 16 + k] = own[k];
}
__global__ void run_lengths(int n, const unsigned char* in, int* length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    if (i == 0 || in[i] / 64 != in[i - 1] / 64)
        while (i + count < n && in[i + count] / 64 == in[i] / 64) ++count;
    length[i] = count;
}
__constant__ unsigned char wanted_text[16];
__global__ void count_in_lines(int lines, int length, int of_text, const unsigned char* text,
                               int* counts) {  // a line a thread
    const int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines) return;
    int count = 0;
    for (int i = 0; i + of_text <= length; ++i) {
        bool found = true;
        for (int k = 0; k < of_text && found; ++k)
            found = (text[line * length + i + k] & 7) == wanted_text[k];
        if (found) ++count;
    }
    counts[line] = count;
}
__global__ void shift_letters(int n, int by, const unsigned char* in, unsigned char* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned char c = in[i];
        if (c >= 'a' && c <= 'z')
            out[i] = (c - 'a' + by) % 26 + 'a';
        else if (c >= 'A' && c <= 'Z')
            out[i] = (c - 'A' + by) % 26 + 'A';
        else
            out[i] = c;
    }
}
__global__ void expand_frontier(int count, int degree, int vertices, const unsigned* to,
                                const int* frontier, int* seen, int* next, int* next_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int vertex = frontier[i];
    for (int k = 0; k < degree; ++k) {
        const int other = to[vertex * degree + k] % vertices;
        if (atomicExch(&seen[other], 1) == 0) next[atomicAdd(next_count, 1)] = other;
    }
}
__global__ void reach_by_bits(int words, int by, const unsigned* from, unsigned* reach) {
    const int word = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (word < words && (from[row * words + by / 32] >> by % 32 & 1))
        reach[row * words + word] |= from[by * words + word];
}
__global__ void sparse_band_of_doubles(int rows, const int* begin, const int* column,
                                       const double* value, const double* x, double* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
}
__global__ void sparse_rows_first(int rows, int most, const unsigned* column, const float* value,
                                  const float* x, float* y) {  // ELLPACK, the wrong way round
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < most; ++k) sum += value[row * most + k] * x[column[row * most + k] % rows];
    y[row] = sum;
}

inline void order_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const auto& bytes = run.bytes;
    const int n = kElements;

    unsigned long long total = 0;
    if (run.wanted()) scan_of_longs<<<n / 1024, 256>>>(run.p, (unsigned long long*)run.q);
    run.checked("scan_of_longs", (unsigned long long*)run.q, n / 4, 1, 0,
                [&](int i) { return total = (i % 256 == 0 ? 0 : total) + places[i]; });

    unsigned before = 0;
    if (run.wanted()) scan_blelloch<<<n / 2048, 512>>>(run.p, run.q);
    run.checked("scan_blelloch", run.q, n / 2, 1, 0, [&](int i) {
        before = i % 1024 == 0 ? 0 : before + places[i - 1];
        return before;
    });

    double sum = 0;
    if (run.wanted()) scan_of_warps<<<blocks_for(n - 40, 256), 256>>>(n - 40, run.x, run.y);
    run.checked("scan_of_warps", run.y, n - 40, 1, 1e-5,
                [&](int i) { return sum = (i % 32 == 0 ? 0 : sum) + numbers[i]; });

    const int tiles = n / 8192;
    std::vector<unsigned> digits(256 * tiles);
    for (int i = 0; i < 2048 * tiles; ++i) ++digits[(places[i] >> 8 & 255) * tiles + i / 2048];
    if (run.wanted()) digit_histograms<<<tiles, 256>>>(8, run.p, run.q);
    run.checked("digit_histograms", run.q, 256 * tiles, 1, 0, [&](int i) { return digits[i]; });

    const int few = n / 8 - 12;
    if (run.wanted()) add_to_four_places<<<blocks_for(few, 256), 256>>>(few, run.p, run.bins);
    run.checked("add_to_four_places", run.bins, 5, 1, 0, [&](int place) {
        return std::count_if(places.begin(), places.begin() + few,
                             [&](unsigned v) { return int(v >> 5 & 3) == place; });
    });

    const unsigned mask = n / 16 - 1;
    std::vector<int> counted(n / 16);
    for (int i = 0; i < n / 4; ++i) ++counted[places[i] & mask];
    if (run.wanted()) add_to_many_places<<<n / 4 / 256, 256>>>(n / 4, mask, run.p, run.s);
    run.checked("add_to_many_places", run.s, n / 16, 1, 0, [&](int i) { return counted[i]; });

    if (run.wanted()) compact_by_block<<<n / 1024, 256>>>(run.x, 0.7f, run.y, (int*)run.q);
    std::vector<float> written, kept;
    run.checked("compact_by_block", (int*)run.q, n / 1024, 1, 0, [&](int block) {
        if (block == 0) {
            written.resize(n / 4);
            cudaMemcpy(written.data(), run.y, n, cudaMemcpyDeviceToHost);
        }
        kept.clear();
        for (int i = block * 256; i < block * 256 + 256; ++i)
            if (numbers[i] > 0.7f) kept.push_back(numbers[i]);
        const auto first = written.begin() + block * 256;  // in any order
        return std::is_permutation(kept.begin(), kept.end(), first) ? int(kept.size()) : -1;
    });

    const int sorted = n / 64 - 20;
    std::vector<unsigned> keys(16);
    if (run.wanted()) sort_sixteen<<<blocks_for(sorted, 64), 64>>>(sorted, run.p, run.q);
    run.checked("sort_sixteen", run.q, 16 * sorted, 1, 0, [&](int i) {
        if (i % 16 == 0) {
            std::copy_n(places.begin() + i, 16, keys.begin());
            std::sort(keys.begin(), keys.end());
        }
        return keys[i % 16];
    });

    const int runs = n / 4 - 17;
    if (run.wanted()) run_lengths<<<blocks_for(runs, 128), 128>>>(runs, run.in, (int*)run.q);
    run.checked("run_lengths", (int*)run.q, runs, 1, 0, [&](int i) {
        if (i > 0 && bytes[i] / 64 == bytes[i - 1] / 64) return 0;
        int end = i + 1;
        while (end < runs && bytes[end] / 64 == bytes[i] / 64) ++end;
        return end - i;
    });

    const unsigned char text[16] = {3, 1, 4};
    cudaMemcpyToSymbol(wanted_text, text, sizeof text);
    const int lines = n / 256;
    if (run.wanted())
        count_in_lines<<<blocks_for(lines, 128), 128>>>(lines, 120, 3, run.in, (int*)run.q);
    run.checked("count_in_lines", (int*)run.q, lines, 1, 0, [&](int line) {
        int count = 0;
        for (int i = line * 120; i <= line * 120 + 117; ++i)
            count += bytes[i] % 8 == 3 && bytes[i + 1] % 8 == 1 && bytes[i + 2] % 8 == 4;
        return count;
    });

    if (run.wanted()) shift_letters<<<132, 256>>>(n / 4 - 1, 13, run.in, run.out);
    run.checked("shift_letters", run.out, n / 4 - 1, 1, 0, [&](int i) {
        const int c = bytes[i], first = c < 'a' ? 'A' : 'a', letter = c - first;
        return letter < 0 || letter > 25 ? c : first + (letter + 13) % 26;
    });

    const int vertices = std::min(n / 16, 65536), degree = 8, front = vertices / 4;
    std::vector<int> frontier(front), none(vertices + 1), reached(vertices);
    for (int i = 0; i < front; ++i) {
        frontier[i] = 4 * i + i % 3;
        for (int k = 0; k < degree; ++k) reached[places[frontier[i] * degree + k] % vertices] = 1;
    }
    int *of_front = device(frontier), *next = device(none), *seen = device(none);
    if (run.wanted())
        expand_frontier<<<blocks_for(front, 256), 256>>>(front, degree, vertices, run.p, of_front,
                                                         seen, next, (int*)run.bins);
    run.checked("expand_frontier", seen, vertices, 1, 0, [&](int i) { return reached[i]; });
    run.checked("expand_frontier, vertices", run.bins, 1, 1, 0,
                [&](int) { return std::count(reached.begin(), reached.end(), 1); });
    cudaFree(of_front), cudaFree(next), cudaFree(seen);

    const int words = kEdge / 32, by = kEdge / 2 + 5;
    if (run.wanted())
        reach_by_bits<<<dim3(blocks_for(words, 64), kEdge), 64>>>(words, by, run.p, run.q);
    run.checked("reach_by_bits", run.q, words * kEdge, 1, 0, [&](int i) {
        const bool there = places[i / words * words + by / 32] >> by % 32 & 1;
        return places[i] | (there ? places[by * words + i % words] : 0);
    });

    const int rows = n / 64 - 9;
    std::vector<int> begin(rows + 1), column;
    for (int row = 0; row < rows; ++row) {
        for (int at : {row - 200, row - 1, row, row + 1, row + 200})
            if (at >= 0 && at < rows) column.push_back(at);
        begin[row + 1] = int(column.size());
    }
    int *begins = device(begin), *columns = device(column);
    if (run.wanted())
        sparse_band_of_doubles<<<blocks_for(rows, 256), 256>>>(rows, begins, columns, run.dx,
                                                               run.dx + 5, run.dy);
    run.checked("sparse_band_of_doubles", run.dy, rows, 1, 1e-13, [&](int row) {
        double found = 0;
        for (int i = begin[row]; i < begin[row + 1]; ++i)
            found += run.doubles[i] * run.doubles[5 + column[i]];
        return found;
    });
    cudaFree(begins), cudaFree(columns);

    const int ell = n / 128 - 3, most = 24;
    if (run.wanted())
        sparse_rows_first<<<blocks_for(ell, 128), 128>>>(ell, most, run.p, run.x, run.y, run.z);
    run.checked("sparse_rows_first", run.z, ell, 1, 1e-5, [&](int row) {
        double found = 0;
        for (int k = row * most; k < row * most + most; ++k)
            found += double(numbers[k]) * others[places[k] % ell];
        return found;
    });
}
