// The host program of reduce.cu: ./a.out N...
#define main unused_main_of_the_file
#include "reduce.cu"
#undef main
#include "host.cuh"

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        const long long n = std::atoll(words[i]);
        measure(n, {n, 1}, [&](const Arrays& set) {
            reduce<<<(n + 1023) / 1024, 256>>>(set.at[0], set.at[1], int(n));
        });
    }
}
