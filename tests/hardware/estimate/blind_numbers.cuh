#pragma once
// Chance, integers, transforms, potentials.
#include "blind_launches.cuh"

__host__ __device__ inline unsigned shifted(unsigned& state) {  // xorshift
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}
__global__ void pi_by_chance(int trips, unsigned* inside) {
    unsigned state = 747796405u * (blockIdx.x * blockDim.x + threadIdx.x + 1), own = 0;
    for (int i = 0; i < trips; ++i) {
        const float u = (shifted(state) >> 16) / 65536.0f, v = (shifted(state) >> 16) / 65536.0f;
        if (u * u + v * v < 1.0f) ++own;
    }
    for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(kAll, own, half);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, own);
}
__global__ void walk_prices(int paths, int steps, float start, float drift, float spread,
                            float strike, float* payoff) {
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= paths) return;
    unsigned state = 2891336453u * (path + 1);
    float log_price = logf(start);
    for (int i = 0; i < steps; ++i) {
        const float u = ((next_of(state) >> 8) + 1) / 16777217.0f;
        const float v = (next_of(state) >> 8) / 16777216.0f;
        log_price += drift + spread * sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    }
    payoff[path] = fmaxf(expf(log_price) - strike, 0.0f);
}
__host__ __device__ inline int collatz_steps(unsigned long long value) {
    int steps = 0;
    while (value != 1) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        ++steps;
    }
    return steps;
}
__global__ void collatz(int n, int* steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) steps[i] = collatz_steps(i + 1);
}
__host__ __device__ inline bool is_prime(int value) {
    if (value < 2) return false;
    for (int d = 2; d * d <= value; ++d)
        if (value % d == 0) return false;
    return true;
}
__global__ void mark_primes(int n, unsigned char* prime) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) prime[i] = is_prime(i) ? 1 : 0;
}
__global__ void transform_512(const float2* in, float2* out) {  // a block of 256, radix 2
    __shared__ float2 wave[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    wave[__brev(t) >> 23] = in[first + t];
    wave[__brev(t + 256) >> 23] = in[first + t + 256];
    for (int half = 1; half < 512; half *= 2) {
        __syncthreads();
        const int k = t % half, a = (t - k) * 2 + k, b = a + half;
        float sine, cosine;
        __sincosf(-3.14159265f * k / half, &sine, &cosine);
        const float2 even = wave[a], odd = wave[b];
        const float re = odd.x * cosine - odd.y * sine, im = odd.x * sine + odd.y * cosine;
        wave[a] = make_float2(even.x + re, even.y + im);
        wave[b] = make_float2(even.x - re, even.y - im);
    }
    __syncthreads();
    out[first + t] = wave[t];
    out[first + t + 256] = wave[t + 256];
}
__global__ void walsh_hadamard(float* data) {  // 1,024 a block
    __shared__ float part[1024];
    const int t = threadIdx.x, first = blockIdx.x * 1024;
    part[t] = data[first + t];
    part[t + 512] = data[first + t + 512];
    for (int half = 512; half > 0; half /= 2) {
        __syncthreads();
        const int a = t / half * half * 2 + t % half;
        const float one = part[a], other = part[a + half];
        part[a] = one + other;
        part[a + half] = one - other;
    }
    __syncthreads();
    data[first + t] = part[t];
    data[first + t + 512] = part[t + 512];
}
__constant__ float4 atoms[512];
__global__ void potential_map(int edge, int count, float step, float* map) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float u = step * x, v = step * y;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
        const float dx = u - atoms[i].x, dy = v - atoms[i].y, dz = atoms[i].z;
        sum += atoms[i].w / sqrtf(dx * dx + dy * dy + dz * dz);
    }
    map[y * edge + x] += sum;
}
__global__ void pull_by_tiles(int n, const float* x, const float* y, const float* z, float* fx,
                              float* fy, float* fz) {  // equal masses
    __shared__ float tx[256], ty[256], tz[256];
    const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
    const float own_x = x[i], own_y = y[i], own_z = z[i];
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (int tile = 0; tile < gridDim.x; ++tile) {
        tx[t] = x[tile * 256 + t];
        ty[t] = y[tile * 256 + t];
        tz[t] = z[tile * 256 + t];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 256; ++j) {
            const float dx = tx[j] - own_x, dy = ty[j] - own_y, dz = tz[j] - own_z;
            const float by = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float cube = by * by * by;
            sum_x += dx * cube;
            sum_y += dy * cube;
            sum_z += dz * cube;
        }
        __syncthreads();
    }
    fx[i] = sum_x, fy[i] = sum_y, fz[i] = sum_z;
}

inline void number_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const int n = kElements, edge = kEdge / 4;
    const dim3 sixteen(16, 16), of_edge(edge / 16, edge / 16);

    const int threads = 528 * 256;
    if (run.wanted()) pi_by_chance<<<528, 256>>>(200, run.bins);
    run.checked("pi_by_chance", run.bins, 1, 1, 100, [&](int) {
        unsigned inside = 0;
        for (int thread = 0; thread < threads; ++thread) {
            unsigned state = 747796405u * (thread + 1);
            for (int i = 0; i < 200; ++i) {
                const float u = (shifted(state) >> 16) / 65536.0f;
                const float v = (shifted(state) >> 16) / 65536.0f;
                inside += double(u) * u + double(v) * v < 1 ? 1 : 0;
            }
        }
        return inside;
    });

    const int paths = n / 16 - 17, steps = 32;
    if (run.wanted())
        walk_prices<<<blocks_for(paths, 256), 256>>>(paths, steps, 100, 0.0001f, 0.02f, 95, run.s);
    run.checked("walk_prices", run.s, paths, 1, 5e-3, [&](int path) {
        unsigned state = 2891336453u * (path + 1);
        double log_price = std::log(100.0);
        for (int i = 0; i < steps; ++i) {
            const double u = ((next_of(state) >> 8) + 1) / 16777217.0;
            const double v = (next_of(state) >> 8) / 16777216.0;
            log_price +=
                0.0001 + 0.02 * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::acos(-1.0) * v);
        }
        return std::max(std::exp(log_price) - 95, 0.0);
    });

    if (run.wanted()) collatz<<<blocks_for(n / 16, 256), 256>>>(n / 16, (int*)run.q);
    run.checked("collatz", run.q, n / 16, 7, 0, [&](int i) { return collatz_steps(i + 1); });

    if (run.wanted()) mark_primes<<<blocks_for(n / 32, 256), 256>>>(n / 32, run.out);
    run.checked("mark_primes", run.out, n / 32, 1, 0, [&](int i) { return is_prime(i) ? 1 : 0; });

    if (run.wanted()) transform_512<<<n / 2048, 256>>>((float2*)run.x, (float2*)run.y);
    run.checked("transform_512", run.y, n / 2, 5001, 1e-3, [&](int i) {
        const int first = i / 1024 * 1024, k = i % 1024 / 2;
        double sum = 0;
        for (int j = 0; j < 512; ++j) {
            const double turn = -2 * std::acos(-1.0) * (j * k % 512) / 512;
            const double re = numbers[first + 2 * j], im = numbers[first + 2 * j + 1];
            sum += i % 2 == 0 ? re * std::cos(turn) - im * std::sin(turn)
                              : re * std::sin(turn) + im * std::cos(turn);
        }
        return sum;
    });

    if (run.wanted()) walsh_hadamard<<<n / 1024, 512>>>(run.y);
    run.checked("walsh_hadamard", run.y, n, 1001, 1e-3, [&](int i) {
        const int first = i / 1024 * 1024;
        double sum = 0;
        for (int j = 0; j < 1024; ++j) {
            int odd = 0;
            for (int both = j & i % 1024; both != 0; both &= both - 1) odd ^= 1;
            sum += odd ? -others[first + j] : others[first + j];
        }
        return sum;
    });

    std::vector<float4> all(512);
    for (int i = 0; i < 512; ++i)
        all[i] = {numbers[4 * i] * 100, numbers[4 * i + 1] * 100, 0.5f + numbers[4 * i + 2],
                  numbers[4 * i + 3] - 0.5f};
    cudaMemcpyToSymbol(atoms, all.data(), all.size() * sizeof(float4));
    if (run.wanted()) potential_map<<<of_edge, sixteen>>>(edge, 512, 0.125f, run.y);
    run.checked("potential_map", run.y, edge * edge, 13, 1e-3, [&](int i) {
        double sum = others[i];
        for (const float4& atom : all)
            sum += atom.w /
                   std::sqrt(std::pow(0.125 * (i % edge) - atom.x, 2) +
                             std::pow(0.125 * (i / edge) - atom.y, 2) + double(atom.z) * atom.z);
        return sum;
    });

    const int bodies = kEdge * 3;
    if (run.wanted())
        pull_by_tiles<<<bodies / 256, 256>>>(bodies, run.x, run.x + bodies, run.x + 2 * bodies,
                                             run.z, run.z + bodies, run.z + 2 * bodies);
    run.checked("pull_by_tiles", run.z, 3 * bodies, 37, 1e-2, [&](int i) {
        const int own = i % bodies, axis = i / bodies * bodies;
        double sum = 0;
        for (int j = 0; j < bodies; ++j) {
            double square = 0.01;
            for (int k = 0; k < 3; ++k)
                square += std::pow(double(numbers[k * bodies + j]) - numbers[k * bodies + own], 2);
            sum += (double(numbers[axis + j]) - numbers[axis + own]) / (square * std::sqrt(square));
        }
        return sum;
    });
}
