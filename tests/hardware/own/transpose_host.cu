// The host program of transpose.cu: ./a.out N...
#define main unused_main_of_the_file
#include "transpose.cu"
#undef main
#include "host.cuh"

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        const long long n = std::atoll(words[i]);
        const long long rows = n * 3 / 4;
        measure(n, {n * rows, n * rows}, [&](const Arrays& set) {
            transpose<<<dim3((n + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(set.at[1], set.at[0],
                                                                              int(n), int(rows));
        });
    }
}
