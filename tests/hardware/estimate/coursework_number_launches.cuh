#pragma once
// The launches of coursework_numbers.cuh.
#include <string>

#include "coursework_numbers.cuh"

inline void number_launches(Launches& run) {
    const auto &numbers = run.numbers, &others = run.others;
    const auto& places = run.places;
    const auto& doubles = run.doubles;
    const int n = kElements;

    double of_series[25];
    for (int k = 0; k < 25; ++k) of_series[k] = 1.0 / (k + 1);
    cudaMemcpyToSymbol(factors, of_series, sizeof of_series);
    const int points = n / 8 - 40;
    if (run.wanted()) horner_of_doubles<<<blocks_for(points, 256), 256>>>(points, run.dx, run.dy);
    run.checked("horner_of_doubles", run.dy, points, 1, 1e-13, [&](int i) {
        double sum = 0, power = 1;
        for (double factor : of_series) sum += factor * power, power *= doubles[i];
        return sum;
    });

    const int of_exp = n / 8 - 30;
    if (run.wanted()) exp_by_series<<<blocks_for(of_exp, 256), 256>>>(of_exp, 20, run.x, run.y);
    run.checked("exp_by_series", run.y, of_exp, 1, 1e-6,
                [&](int i) { return std::exp(double(numbers[i])); });

    const int of_roots = n / 4 - 13;
    if (run.wanted()) cube_roots<<<blocks_for(of_roots, 128), 128>>>(of_roots, 10, run.x, run.y);
    run.checked("cube_roots", run.y, of_roots, 1, 1e-6,
                [&](int i) { return std::cbrt(1.0 + numbers[i]); });

    const int steps = n / 4 - 1, blocks = 40;
    if (run.wanted()) integrate<<<blocks, 128>>>(steps, run.dy);
    std::vector<double> areas(blocks);
    run.checked("integrate", run.dy, blocks, 1, 1e-12, [&](int block) {
        for (int i = 0; block == 0 && i < steps; ++i)
            areas[i / 128 % blocks] += 4 / (1 + std::pow((i + 0.5) / steps, 2)) / steps;
        return areas[block];
    });

    const int walks = kEdge * 8 - 50;
    if (run.wanted()) random_walks<<<blocks_for(walks, 128), 128>>>(walks, 500, run.p, (int*)run.q);
    run.checked("random_walks", (int*)run.q, walks, 1, 0,
                [&](int i) { return walked(places[i], 500); });

    const int of_pairs = n / 8 - 8;
    if (run.wanted()) common_divisors<<<blocks_for(of_pairs, 256), 256>>>(of_pairs, run.p, run.q);
    run.checked("common_divisors", run.q, of_pairs, 1, 0,
                [&](int i) { return common_divisor(places[i], places[of_pairs - 1 - i]); });

    if (run.wanted()) digit_sums<<<264, 256>>>(n / 4 - 2, run.p, run.q);
    run.checked("digit_sums", run.q, n / 4 - 2, 1, 0, [&](int i) {
        int sum = 0;
        for (const char digit : std::to_string(places[i])) sum += digit - '0';
        return sum;
    });

    const int limit = n / 16, largest = kEdge / 4;
    if (run.wanted()) strike_multiples<<<blocks_for(largest, 64), 64>>>(limit, run.out);
    std::vector<bool> struck(limit);
    for (int d = 2; d * d < limit; ++d)
        for (int i = d * d; !struck[d] && i < limit; i += d) struck[i] = true;
    run.checked("strike_multiples", run.out, limit, 1, 0,
                [&](int i) { return struck[i] ? 1 : int(run.bytes[i]); });

    const int numbers_of = kEdge * 2 - 100;
    if (run.wanted()) divisor_sums<<<blocks_for(numbers_of, 128), 128>>>(numbers_of, (int*)run.q);
    std::vector<int> divisors(numbers_of);
    for (int d = 1; d < numbers_of; ++d)
        for (int i = 2 * d; i < numbers_of; i += d) divisors[i] += d;
    run.checked("divisor_sums", (int*)run.q, numbers_of, 1, 0, [&](int i) { return divisors[i]; });

    const int indices = n / 64 - 7;
    if (run.wanted()) fibonacci_numbers<<<blocks_for(indices, 256), 256>>>(indices, run.p, run.q);
    run.checked("fibonacci_numbers", run.q, indices, 1, 0,
                [&](int i) { return fibonacci(places[i]); });

    const int samples = kEdge / 2;
    if (run.wanted())
        transform_plain<<<blocks_for(samples, 64), 64>>>(samples, run.x, (float2*)run.z);
    run.checked("transform_plain", run.z, 2 * samples, 7, 1e-2, [&](int i) {
        double sum = 0;
        for (int t = 0; t < samples; ++t) {
            const double angle = -2 * std::acos(-1.0) * (i / 2 * t % samples) / samples;
            sum += numbers[t] * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
        }
        return sum;
    });

    const int bodies = kEdge / 4 - 24;
    if (run.wanted())
        pull_of_doubles<<<blocks_for(bodies, 128), 128>>>(bodies, run.dx, run.dx + 2048, run.dy);
    run.checked("pull_of_doubles", run.dy, bodies, 1, 1e-10, [&](int i) {
        double sum = 0;
        for (int j = 0; j < bodies; ++j) {
            const double u = doubles[j] - doubles[i], v = doubles[2048 + j] - doubles[2048 + i];
            sum += u / std::pow(u * u + v * v + 0.01, 1.5);
        }
        return sum;
    });

    const float up = 1.0125f, rise = 0.498f, discount = 0.9999f;
    if (run.wanted()) binomial_options<<<kEdge / 4, 256>>>(up, rise, discount, run.x, run.s);
    run.checked("binomial_options", run.s, kEdge / 4, 1, 1e-4, [&](int option) {
        // The sum over the ends of all paths, weighted with their number.
        double sum = 0;
        for (int t = 0; t < 256; ++t) {
            const double paths = std::lgamma(256) - std::lgamma(t + 1) - std::lgamma(256 - t);
            const double chance =
                std::exp(paths + t * std::log(rise) + (255 - t) * std::log(1.0 - rise));
            sum += chance * std::max(std::pow(up, 2 * t - 255) - double(numbers[option]), 0.0);
        }
        return sum * std::pow(discount, 255);
    });

    const int assigned = n / 64 - 60;
    if (run.wanted())
        assign_16_wide<<<blocks_for(assigned, 128), 128>>>(assigned, run.x, run.y, (int*)run.q);
    run.checked("assign_16_wide", (int*)run.q, assigned, 1, 0, [&](int i) {
        double least = 1e30;
        int best = 0;
        for (int c = 0; c < 32; ++c) {
            double square = 0;
            for (int k = 0; k < 16; ++k)
                square += std::pow(double(numbers[i * 16 + k]) - others[c * 16 + k], 2);
            if (square < least) least = square, best = c;
        }
        return best;
    });

    const int all = kEdge - 96;
    if (run.wanted()) nearest_of_all<<<blocks_for(all, 256), 256>>>(all, (float3*)run.x, run.s);
    run.checked("nearest_of_all", run.s, all, 1, 1e-6, [&](int i) {
        double least = 1e30;
        for (int j = 0; j < all; ++j) {
            double square = i == j ? 1e30 : 0;
            for (int k = 0; k < 3; ++k)
                square += std::pow(double(numbers[3 * j + k]) - numbers[3 * i + k], 2);
            least = std::min(least, square);
        }
        return least;
    });

    const int rows = n / 32 - 6;
    double sum = 0;
    if (run.wanted()) loss_of_ten<<<blocks_for(rows, 128), 128>>>(rows, run.x, run.p, run.y, run.s);
    run.checked("loss_of_ten", run.y, 10 * rows, 1, 1e-5, [&](int i) {
        if (i % 10 == 0) {
            sum = 0;
            for (int k = 0; k < 10; ++k) sum += std::exp(double(numbers[i + k]));
        }
        const bool right = i % 10 == places[i / 10] % 10;
        return std::exp(double(numbers[i])) / sum - (right ? 1 : 0);
    });
    run.checked("loss_of_ten, losses", run.s, rows, 1, 1e-5, [&](int row) {
        double of_row = 0;
        for (int k = 0; k < 10; ++k) of_row += std::exp(double(numbers[10 * row + k]));
        return std::log(of_row) - numbers[10 * row + places[row] % 10];
    });

    std::vector<float> weights(150);
    for (int i = 0; i < 150; ++i) weights[i] = (numbers[i] - 0.5f) * 0.25f;
    cudaMemcpyToSymbol(filters, weights.data(), weights.size() * sizeof(float));
    const int images = kEdge / 16;
    if (run.wanted()) convolve_digits<<<dim3(images, 6), dim3(24, 24)>>>(run.x, run.y);
    run.checked("convolve_digits", run.y, images * 3456, 1, 1e-5, [&](int i) {
        const int image = i / 3456, map = i / 576 % 6, y = i / 24 % 24, x = i % 24;
        double found = 0;
        for (int k = 0; k < 25; ++k)
            found +=
                double(weights[map * 25 + k]) * numbers[image * 784 + (y + k / 5) * 28 + x + k % 5];
        return std::tanh(found);
    });

    const int maps = n / 128;
    if (run.wanted()) mean_of_maps<<<maps, 64>>>(49, run.x, run.s);
    run.checked("mean_of_maps", run.s, maps, 1, 1e-6, [&](int map) {
        double found = 0;
        for (int i = 0; i < 49; ++i) found += numbers[map * 49 + i];
        return found / 49;
    });

    const int trained = n / 4 - 99;
    if (run.wanted())
        momentum_step<<<blocks_for(trained, 512), 512>>>(trained, 0.01f, 0.9f, run.x, run.y, run.z);
    run.checked("momentum_step", run.z, trained, 1, 1e-6,
                [&](int i) { return others[i] - 0.01 * (0.9 * others[i] + numbers[i]); });
}
