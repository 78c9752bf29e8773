// Bit-fields of every kind of word: what is stored is read, the neighbours keep their values, and
// functions that nvcc compiles for the device without __device__ compute the same there.
#include <algorithm>
#include <cstring>

#include "check.h"

enum Colour { kRed, kGreen, kBlue, kWhite };
struct Fields {
    unsigned low : 4, high : 28;
    int sign : 5;
    bool flag : 1, other : 1;
    short small : 6;
    Colour colour : 2;
    unsigned long long wide : 40, end : 24;
    signed char whole : 8;
};
struct __attribute__((packed)) Packed {
    char letter;
    unsigned first : 20, second : 20;
    int number;
};
struct Nested {
    int key;
    Fields rows[2];
};

constexpr int twice(const int& x) { return 2 * x; }

__global__ void store(Fields* fields, Packed* packed, Nested* nested) {
    const int i = threadIdx.x;
    Fields& f = fields[i];
    f.low = i;
    f.high = 3 * i;
    f.sign = -(i % 16);
    f.flag = i & 1;
    f.other = !f.flag;
    f.small = i - 32;
    f.colour = static_cast<Colour>(i % 4);
    f.wide = (1ull << 39) + i;
    f.end = f.wide + 1;
    f.whole = -i;
    f.low++;
    f.high += f.low;
    f.sign = f.sign - 1;
    packed[i].first = 1000 * i;
    packed[i].second = ~0u;
    packed[i].number = packed[i].first + 1;
    nested[i].rows[i % 2] = f;
    nested[i].rows[1 - i % 2].wide |= twice(i);
}
__global__ void exchange(Fields* fields, int* sums) {
    __shared__ Fields shared[32];
    const int i = threadIdx.x;
    shared[i].sign = fields[i].sign;
    shared[i].wide = fields[i].wide;
    __syncthreads();
    const int j = 31 - i;
    sums[i] = shared[j].sign + static_cast<int>(shared[j].wide) + std::max(sums[i], i);
}

template <class T>
T* copy_of(const T* host, size_t bytes) {
    T* made;
    cudaMalloc(&made, bytes);
    cudaMemcpy(made, host, bytes, cudaMemcpyHostToDevice);
    return made;
}

int main() {
    static Fields fields[32];
    static Packed packed[32];
    static Nested nested[32];
    static int sums[32];
    memset(fields, 0xff, sizeof fields);
    memset(packed, 0, sizeof packed);
    memset(nested, 0, sizeof nested);
    Fields* f = copy_of(fields, sizeof fields);
    Packed* p = copy_of(packed, sizeof packed);
    Nested* n = copy_of(nested, sizeof nested);
    int* s = copy_of(sums, sizeof sums);
    store<<<1, 32>>>(f, p, n);
    exchange<<<1, 32>>>(f, s);
    cudaMemcpy(fields, f, sizeof fields, cudaMemcpyDeviceToHost);
    cudaMemcpy(packed, p, sizeof packed, cudaMemcpyDeviceToHost);
    cudaMemcpy(nested, n, sizeof nested, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; ++i) {
        const Fields& each = fields[i];
        const unsigned low = (i % 16 + 1) % 16;
        const int sign = -static_cast<int>(i % 16) - 1;
        CHECK(each.low == low && each.high == 3 * i + low);
        CHECK(each.sign == sign && each.flag == (i & 1) && each.other == !(i & 1));
        CHECK(each.small == static_cast<int>(i) - 32 && each.colour == i % 4);
        CHECK(each.wide == (1ull << 39) + i && each.end == i + 1);
        CHECK(each.whole == -static_cast<int>(i));
        CHECK(packed[i].letter == 0 && packed[i].first == 1000 * i);
        CHECK(packed[i].second == 0xfffff && packed[i].number == static_cast<int>(1000 * i + 1));
        CHECK(nested[i].key == 0 && nested[i].rows[i % 2].wide == each.wide);
        CHECK(nested[i].rows[1 - i % 2].wide == 2 * i && nested[i].rows[1 - i % 2].end == 0);
        CHECK(sums[31 - i] == sign + static_cast<int>(i) + 31 - static_cast<int>(i));
    }
    for (void* each : {(void*)f, (void*)p, (void*)n, (void*)s}) cudaFree(each);
    return failures;
}
