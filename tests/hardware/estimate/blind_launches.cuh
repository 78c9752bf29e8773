#pragma once
// The arrays of blind.cu, homework.cu and coursework.cu, on the CPU and on the GPU, and which of
// their launches run.
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "checked_launches.cuh"

#ifndef EDGE
#define EDGE 4096  // smaller where the CPU shall check all
#endif
constexpr int kEdge = EDGE, kElements = kEdge * kEdge;
constexpr unsigned kAll = 0xffffffffu;

__host__ __device__ inline unsigned next_of(unsigned& state) {
    return state = state * 1664525u + 1013904223u;
}
inline int blocks_for(int count, int size) { return (count + size - 1) / size; }

class Launches {
  public:
    Launches(bool check, int only) : check_(check), only_(only) {
        unsigned state = 7;
        for (float& number : numbers) number = static_cast<float>(next_of(state) >> 22) / 1024;
        for (float& number : others) number = static_cast<float>(next_of(state) >> 22) / 1024;
        for (unsigned& place : places) place = next_of(state) >> 8;
        for (int i = 0; i < kElements; ++i) bytes[i] = static_cast<unsigned char>(places[i] >> 9);
        for (int i = 0; i < kElements / 8; ++i) doubles[i] = places[i] / 16777216.0;
        x = device(numbers), y = device(others), z = device(others), s = device(sums);
        p = device(places), q = device(places), bins = device(bin);
        in = device(bytes), out = device(bytes);
        dx = device(doubles), dy = device(doubles);
    }
    // Whether the next launch runs. Where all run, each begins with the arrays as they were.
    bool wanted() {
        ran_ = only_ < 0 || number_ == only_;
        ++number_;
        if (!ran_ || only_ >= 0) return ran_;
        restore(y, others), restore(z, others), restore(s, sums), restore(q, places);
        restore(bins, bin), restore(out, bytes), restore(dy, doubles);
        return true;
    }
    template <class T, class Expected>
    void checked(const char* name, const T* found, int count, int step, double off,
                 Expected expected, int may_be_wrong = 0) {
        if (!ran_ || !check_) return;
        right = same(name, found, count, step, off, expected, may_be_wrong) && right;
    }

    bool right = true;
    std::vector<float> numbers = std::vector<float>(kElements), others = numbers,
                       sums = std::vector<float>(kElements / 16);
    std::vector<unsigned> places = std::vector<unsigned>(kElements),
                          bin = std::vector<unsigned>(4096);
    std::vector<unsigned char> bytes = std::vector<unsigned char>(kElements);
    std::vector<double> doubles = std::vector<double>(kElements / 8);
    float *x, *y, *z, *s;     // numbers, others twice, zeros
    unsigned *p, *q, *bins;   // places twice, zeros
    unsigned char *in, *out;  // bytes twice
    double *dx, *dy;          // doubles twice

  private:
    bool check_, ran_ = false;
    int only_, number_ = 0;
};

// main() of such a program: PROGRAM [--check] [NUMBER].
inline int run_launches(int argc, char** argv, std::initializer_list<void (*)(Launches&)> parts) {
    const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const int given = check ? 2 : 1;
    Launches run(check, argc > given ? std::atoi(argv[given]) : -1);
    for (const auto part : parts) part(run);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess && run.right ? 0 : 1;
}
