// Launches as homework has them, of kinds that neither the model was made by nor blind.cu holds.
// They were written and measured before anybody had estimated them. Without an argument all run;
// with a number, only that one. --check compares what they compute with the CPU.
// tests/hardware/README.md says how they are measured.
#include "homework_kernels.cuh"

namespace {

constexpr int n = kElements;

template <class Value>
double sum_of(int count, Value value) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += value(i);
    return sum;
}

void element_launches(Launches& run) {
    const auto& numbers = run.numbers;
    if (run.wanted()) leaky_relu<<<blocks_for(n - 5, 256), 256>>>(n - 5, 0.1f, run.x, run.y);
    run.checked("leaky_relu", run.y, n - 5, 3, 1e-6,
                [&](int i) { return numbers[i] > 0.5f ? numbers[i] : 0.1f * numbers[i]; });
    if (run.wanted()) brighten<<<blocks_for(n, 128), 128>>>(n, 40, run.in, run.out);
    run.checked("brighten", run.out, n, 3, 0,
                [&](int i) { return std::min(255, run.bytes[i] + 40); });
    if (run.wanted())
        outer_difference<<<dim3(kEdge / 256, kEdge), 256>>>(kEdge, run.x, run.y, run.z);
    run.checked("outer_difference", run.z, n, 7, 1e-6,
                [&](int i) { return double(numbers[i / kEdge]) - run.others[i % kEdge]; });
    if (run.wanted())
        multiply_complex<<<n / 2 / 512, 512>>>(n / 2, (float2*)run.x, (float2*)run.y,
                                               (float2*)run.z);
    run.checked("multiply_complex", run.z, n, 3, 1e-6, [&](int i) {
        const int e = i / 2 * 2;
        const double a = numbers[e], b = numbers[e + 1], c = run.others[e], d = run.others[e + 1];
        return i % 2 == 0 ? a * c - b * d : a * d + b * c;
    });
    if (run.wanted()) roots_by_newton<<<blocks_for(n / 8, 256), 256>>>(n / 8, run.dx, run.dy);
    run.checked("roots_by_newton", run.dy, n / 8, 3, 1e-12,
                [&](int i) { return std::sqrt(run.doubles[i] + 1); });
    if (run.wanted())
        gather_fours<<<blocks_for(n / 4, 256), 256>>>(n / 4, run.p, (float4*)run.x, (float4*)run.y);
    run.checked("gather_fours", run.y, n, 5, 0,
                [&](int i) { return numbers[run.places[i / 4] % (n / 4) * 4 + i % 4]; });
    std::vector<__half> halves(n), other(n);
    for (int i = 0; i < n; ++i)
        halves[i] = __float2half(numbers[i]), other[i] = __float2half(run.others[i]);
    __half2 *a = (__half2*)device(halves), *b = (__half2*)device(other),
            *c = (__half2*)device(halves);
    if (run.wanted()) add_halves<<<blocks_for(n / 2, 256), 256>>>(n / 2, a, b, c);
    run.checked("add_halves", (__half*)c, n, 5, 2e-3,
                [&](int i) { return double(numbers[i]) + run.others[i]; });
    cudaFree(a), cudaFree(b), cudaFree(c);
}

void picture_launches(Launches& run) {
    const auto& bytes = run.bytes;
    const dim3 sixteen(16, 16);
    if (run.wanted())
        double_picture<<<dim3(kEdge / 16, kEdge / 16), sixteen>>>(kEdge / 2, run.in, run.out);
    run.checked("double_picture", run.out, n, 3, 0,
                [&](int i) { return bytes[i / kEdge / 2 * (kEdge / 2) + i % kEdge / 2]; });
    if (run.wanted())
        erode_5x5<<<dim3(kEdge / 32, kEdge / 8), dim3(32, 8)>>>(kEdge, run.in, run.out);
    run.checked("erode_5x5", run.out, n, 97, 0, [&](int at) {
        int least = 255;
        for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i)
                least =
                    std::min<int>(least, bytes[std::clamp(at / kEdge + j, 0, kEdge - 1) * kEdge +
                                               std::clamp(at % kEdge + i, 0, kEdge - 1)]);
        return least;
    });
    const int pixels = n / 3;
    if (run.wanted()) pixels_of_planes<<<blocks_for(pixels, 256), 256>>>(pixels, run.in, run.out);
    run.checked("pixels_of_planes", run.out, 3 * pixels, 3, 0,
                [&](int i) { return bytes[i % 3 * pixels + i / 3]; });
    if (run.wanted()) integral_of_rows<<<kEdge / 8, 256>>>(kEdge, run.p, run.q);
    run.checked("integral_of_rows", run.q, n, kEdge - 1, 0, [&](int at) {
        unsigned sum = 0;
        for (int i = at / kEdge * kEdge; i <= at; ++i) sum += run.places[i];
        return sum;
    });
    if (run.wanted()) red_black<<<dim3(kEdge / 64, kEdge / 8), dim3(32, 8)>>>(kEdge, 0, run.y);
    run.checked("red_black", run.y, n, 13, 1e-6, [&](int i) {
        const int x = i % kEdge, y = i / kEdge;
        const auto& u = run.others;
        const bool turn = (x + y) % 2 == 0 && x > 0 && y > 0 && x < kEdge - 1 && y < kEdge - 1;
        return turn ? 0.25 * (double(u[i - 1]) + u[i + 1] + u[i - kEdge] + u[i + kEdge]) : u[i];
    });
    if (run.wanted()) smooth_many_times<<<n / 256, 256>>>(24, run.x, run.y);
    run.checked("smooth_many_times", run.y, n, 65521, 1e-5, [&](int at) {
        std::vector<double> now(258, 0.0), next(258, 0.0);
        for (int i = 0; i < 256; ++i) now[i + 1] = run.numbers[at / 256 * 256 + i];
        for (int k = 0; k < 24; ++k, now.swap(next))
            for (int i = 1; i < 257; ++i)
                next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
        return now[at % 256 + 1];
    });
}

void sum_launches(Launches& run) {
    const auto& numbers = run.numbers;
    if (run.wanted()) count_bits<<<n / 4 / 256, 256>>>(n / 4, run.p, run.bins);
    run.checked("count_bits", run.bins, 1, 1, 0, [&](int) {
        return sum_of(n / 4, [&](int i) { return __builtin_popcount(run.places[i]); });
    });
    if (run.wanted()) largest_of_key_rows<<<kEdge, 128>>>(kEdge, run.p, run.bins);
    run.checked("largest_of_key_rows", run.bins, std::min(kEdge, 4096), 1, 0, [&](int row) {
        return *std::max_element(run.places.begin() + row * kEdge,
                                 run.places.begin() + (row + 1) * kEdge);
    });
    if (run.wanted()) norm_of_rows<<<kEdge / 64, 64>>>(kEdge, run.x, run.s);
    run.checked("norm_of_rows", run.s, kEdge, 5, 1e-4, [&](int row) {
        return std::sqrt(sum_of(kEdge, [&](int i) {
            return double(numbers[row * kEdge + i]) * numbers[row * kEdge + i];
        }));
    });
    if (run.wanted()) running_maximum<<<n / 64 / 128, 128>>>(64, run.x, run.y);
    run.checked("running_maximum", run.y, n, 61, 0, [&](int at) {
        return *std::max_element(numbers.begin() + at / 64 * 64, numbers.begin() + at + 1);
    });
    if (run.wanted()) scan_hillis_steele<<<n / 2 / 1024, 1024>>>(run.p, run.q);
    run.checked("scan_hillis_steele", run.q, n / 2, 1021, 0, [&](int at) {
        unsigned sum = 0;
        for (int i = at / 1024 * 1024; i <= at; ++i) sum += run.places[i];
        return sum;
    });
    if (run.wanted()) sums_of_triangle<<<kEdge / 2 / 128, 128>>>(kEdge / 2, run.x, run.s);
    run.checked("sums_of_triangle", run.s, kEdge / 2, 3, 1e-4, [&](int row) {
        return sum_of(kEdge / 2 - row,
                      [&](int i) { return double(numbers[row * (kEdge / 2) + row + i]); });
    });
    if (run.wanted()) sum_by_one_block<<<1, 1024>>>(n / 8, run.x, run.s);
    run.checked("sum_by_one_block", run.s, 1, 1, 1e-4,
                [&](int) { return sum_of(n / 8, [&](int i) { return double(numbers[i]); }); });
    if (run.wanted()) count_above<<<blocks_for(n - 77, 512), 512>>>(n - 77, 0.75f, run.x, run.bins);
    run.checked("count_above", run.bins, 1, 1, 0, [&](int) {
        return sum_of(n - 77, [&](int i) { return numbers[i] > 0.75f ? 1 : 0; });
    });
    if (run.wanted()) largest_of_groups<<<n / 8 / 256, 256>>>(n / 8, run.p, run.bins);
    run.checked("largest_of_groups", run.bins, 64, 1, 0, [&](int group) {
        unsigned most = 0;
        for (int i = group; i < n / 8; i += 64) most = std::max(most, run.places[i]);
        return most;
    });
    if (run.wanted()) sums_of_bins<<<n / 4 / 256, 256>>>(n / 4, run.p, run.x, run.s);
    std::vector<double> bins(4096);
    for (int i = 0; i < n / 4; ++i) bins[run.places[i] % 4096] += numbers[i];
    run.checked("sums_of_bins", run.s, 4096, 1, 1e-3, [&](int bin) { return bins[bin]; });
}

void text_launches(Launches& run) {
    const int words = 16, texts = n / 64;
    if (run.wanted()) hamming_distances<<<texts / 256, 256>>>(words, run.p, run.q);
    run.checked("hamming_distances", run.q, texts, 5, 0, [&](int text) {
        return sum_of(words, [&](int i) {
            return __builtin_popcount(run.places[text * words + i] ^ run.places[i]);
        });
    });
    std::vector<unsigned> table(256);
    for (unsigned i = 0; i < 256; ++i) {
        table[i] = i;
        for (int k = 0; k < 8; ++k)
            table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
    }
    cudaMemcpyToSymbol(table_256, table.data(), sizeof table_256);
    if (run.wanted()) check_sums<<<n / 256 / 128, 128>>>(128, run.in, run.q);
    run.checked("check_sums", run.q, n / 256, 7, 0, [&](int at) {
        unsigned own = ~0u;
        for (int k = 0; k < 128; ++k) own = table[(own ^ run.bytes[at * 128 + k]) & 255] ^ own >> 8;
        return ~own;
    });
    if (run.wanted()) sieve<<<n / 4 / 4096, 256>>>(n / 4, run.out);
    std::vector<unsigned char> composite(n / 4);
    composite[0] = composite[1] = 1;
    for (int i = 2; i * i < n / 4; ++i)
        for (int at = i * i; at < n / 4; at += i) composite[at] = 1;
    run.checked("sieve", run.out, n / 4, 1, 0, [&](int i) { return composite[i]; });
    float taps[31];
    for (int i = 0; i < 31; ++i) taps[i] = (i + 1) / 512.0f;
    cudaMemcpyToSymbol(taps_31, taps, sizeof taps);
    if (run.wanted()) filter_31<<<n / 2 / 256, 256>>>(n / 2, run.x, run.y);
    run.checked("filter_31", run.y, n / 2 - 31, 11, 1e-5, [&](int at) {
        return sum_of(31, [&](int i) { return double(taps[i]) * run.numbers[at + i]; });
    });
}

void matrix_launches(Launches& run) {
    const auto &a = run.numbers, &b = run.others;
    const auto product = [&](int k, int row, int of_a, int column, int of_b) {
        return sum_of(k, [&](int i) { return double(a[row * of_a + i]) * b[i * of_b + column]; });
    };
    const int rows = std::min(kEdge, 1024);
    if (run.wanted())
        substitute_forward<<<1, 256, rows * sizeof(float)>>>(rows, run.x, run.y, run.s);
    std::vector<double> solved(b.begin(), b.begin() + rows);
    for (int column = 0; column < rows; ++column)
        for (int row = column + 1; row < rows; ++row)
            solved[row] -= 0.001 * a[row * rows + column] * (solved[column] * 0.5);
    run.checked("substitute_forward", run.s, rows, 1, 1e-4, [&](int i) { return solved[i] * 0.5; });
    const int columns = kEdge / 32;
    if (run.wanted())
        gram_matrix<<<dim3(columns / 16, columns / 16), dim3(16, 16)>>>(kEdge, columns, run.x,
                                                                        run.z);
    run.checked("gram_matrix", run.z, columns * columns, 7, 1e-4, [&](int i) {
        return sum_of(kEdge, [&](int row) {
            return double(a[row * columns + i / columns]) * a[row * columns + i % columns];
        });
    });
    const int wide = kEdge / 4, deep = kEdge / 8;
    if (run.wanted())
        product_of_rows_and_tiles<<<dim3(wide / 32, wide / 8), dim3(32, 8)>>>(wide, deep, run.x,
                                                                              run.y, run.z);
    run.checked("product_of_rows_and_tiles", run.z, wide * wide, 13, 1e-4,
                [&](int i) { return product(deep, i / wide, deep, i % wide, wide); });
    if (run.wanted())
        product_of_wrong_index<<<dim3(deep / 16, deep / 16), dim3(16, 16)>>>(deep, run.x, run.y,
                                                                             run.z);
    run.checked("product_of_wrong_index", run.z, deep * deep, 7, 1e-4,
                [&](int i) { return product(deep, i / deep, deep, i % deep, deep); });
}

}  // namespace

int main(int argc, char** argv) {
    return run_launches(
        argc, argv,
        {element_launches, picture_launches, sum_launches, text_launches, matrix_launches});
}
