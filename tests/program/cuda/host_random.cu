// rand() and its kind give the numbers of the C library.
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "check.h"

__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }

int main() {
    CHECK(rand() == 1804289383 && rand() == 846930886);  // as after srand(1)
    srand(42);
    CHECK(rand() == 71876166 && random() == 708592740);

    // The same generator as random_r(), over several turns of its state.
    random_data reference = {};
    char memory[128];
    initstate_r(7, memory, sizeof memory, &reference);
    srandom(7);
    for (int i = 0; i < 1000; ++i) {
        int expected = 0;
        random_r(&reference, &expected);
        CHECK(rand() == expected);
    }

    // Two states of other sizes, each of which goes on where it stopped.
    char small[8], large[256];
    char* const first = initstate(3, small, sizeof small);
    const long small_0 = random(), small_1 = random();
    CHECK(initstate(4, large, sizeof large) == small);
    const long large_0 = random(), large_1 = random();
    CHECK(small_0 != large_0);
    CHECK(setstate(first) == large);
    int expected = 0;
    random_r(&reference, &expected);
    CHECK(rand() == expected);
    initstate(3, small, sizeof small);
    CHECK(random() == small_0);
    initstate(4, large, sizeof large);
    CHECK(random() == large_0);
    setstate(small);
    CHECK(random() == small_1);
    setstate(large);
    CHECK(random() == large_1);
    setstate(first);

    // Threads share the numbers; no number is given twice.
    constexpr int kNumbers = 20000;
    std::multiset<int> alone, together;
    srand(5);
    for (int i = 0; i < 2 * kNumbers; ++i) alone.insert(rand());
    srand(5);
    std::vector<int> halves[2];
    std::vector<std::thread> threads;
    for (std::vector<int>& half : halves)
        threads.emplace_back([&half] {
            for (int i = 0; i < kNumbers; ++i) half.push_back(rand());
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<int>& half : halves) together.insert(half.begin(), half.end());
    CHECK(alone == together);

    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    fill<<<1, 32>>>(a);
    cudaFree(a);
    return failures;
}
