// The host program of saxpy.cu: ./a.out N...
#define main unused_main_of_the_file
#include "saxpy.cu"
#undef main
#include "host.cuh"

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        const long long n = std::atoll(words[i]);
        measure(n, {n, n}, [&](const Arrays& set) {
            saxpy<<<(n + 255) / 256, 256>>>(int(n), 2.5f, set.at[0], set.at[1]);
        });
    }
}
