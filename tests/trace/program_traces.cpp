#include "tests/trace/program_traces.h"

#include "tests/trace/program_trace_writer.h"

namespace tilereel::tests {

Trace reduction_trace() {
    ProgramTraceWriter w("reduce",
                         "__global__ void reduce(const float* in, float* out) {\n"
                         "    __shared__ float partial[64];\n"
                         "    int tid = threadIdx.x;\n"
                         "    partial[tid] = in[blockIdx.x * 64 + tid];\n"
                         "    __syncthreads();\n"
                         "    for (int s = 1; s < 64; s *= 2) {\n"
                         "        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];\n"
                         "        __syncthreads();\n"
                         "    }\n"
                         "    if (tid == 0) out[blockIdx.x] = partial[0];\n"
                         "}\n",
                         {2, 1, 1}, {64, 1, 1});
    const ArrayId in = w.array("in", Space::kGlobal, ElementType::kFloat32, 4, {{128}});
    const ArrayId out = w.array("out", Space::kGlobal, ElementType::kFloat32, 4, {{2}});
    const ArrayId partial = w.array("partial", Space::kShared, ElementType::kFloat32, 4, {{64}});
    w.trace.locals = {{"s", ElementType::kInt32, "int", 6, "reduce"}};
    std::vector<float> values(128);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
    w.trace.arrays[in].first_bytes = bytes_of(values);
    std::vector<float> results(2);
    Site assign = site(6, Operation::kAssign);
    assign.local = 0;
    for (std::uint32_t block = 0; block < 2; ++block) {
        std::vector<float> sums(values.begin() + 64 * block, values.begin() + 64 * block + 64);
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            const auto tid = [&](std::uint32_t lane) { return warp * 32u + lane; };
            w.segment(block, 0, warp);
            w.access(site(4, Operation::kLoad, in),
                     [&](std::uint32_t lane) { return 4 * (64 * block + tid(lane)); });
            w.access(
                site(4, Operation::kStore, partial),
                [&](std::uint32_t lane) { return 4 * tid(lane); },
                [&](std::uint32_t lane) { return words_of(sums[tid(lane)]); });
            w.plain(site(5, Operation::kBarrier));
        }
        for (std::uint32_t s = 1, epoch = 1; s < 64; s *= 2, ++epoch) {
            for (std::uint16_t warp = 0; warp < 2; ++warp) {
                const auto tid = [&](std::uint32_t lane) { return warp * 32u + lane; };
                w.segment(block, epoch, warp);
                w.plain(assign, 0, [&](std::uint32_t) { return words_of(static_cast<int>(s)); });
                std::uint32_t mask = 0;
                for (std::uint32_t lane = 0; lane < 32; ++lane)
                    if (tid(lane) % (2 * s) == 0) mask |= 1u << lane;
                if (mask != 0) {
                    for (const std::uint32_t apart : {0u, s})
                        w.access(
                            site(7, Operation::kLoad, partial),
                            [&](std::uint32_t lane) { return 4 * (tid(lane) + apart); }, nullptr,
                            mask);
                    for (std::uint32_t lane = 0; lane < 32; ++lane)
                        if (mask >> lane & 1u) sums[tid(lane)] += sums[tid(lane) + s];
                    w.access(
                        site(7, Operation::kStore, partial),
                        [&](std::uint32_t lane) { return 4 * tid(lane); },
                        [&](std::uint32_t lane) { return words_of(sums[tid(lane)]); }, mask);
                }
                w.plain(site(8, Operation::kBarrier));
            }
        }
        w.segment(block, 7, 0);
        w.access(
            site(10, Operation::kLoad, partial), [](std::uint32_t) { return 0u; }, nullptr, 1);
        w.access(
            site(10, Operation::kStore, out), [&](std::uint32_t) { return 4 * block; },
            [&](std::uint32_t) { return words_of(sums[0]); }, 1);
        results[block] = sums[0];
    }
    w.trace.arrays[out].last_bytes = bytes_of(results);
    return w.finish();
}

Trace six_arrays_trace() {
    ProgramTraceWriter w(
        "mixed",
        "__global__ void mixed(const float* weights, const float* input, const int* index,\n"
        "                      float* output, double* errors, int* total) {\n"
        "    __shared__ float kept[32];\n"
        "    for (int k = 0; k < 4; ++k) {\n"
        "        kept[threadIdx.x] = weights[threadIdx.x] + input[threadIdx.x];\n"
        "        int at = index[threadIdx.x];\n"
        "        output[at] = kept[at];\n"
        "        errors[at] = k;\n"
        "        total[at] = k;\n"
        "    }\n"
        "}\n",
        {1, 1, 1}, {32, 1, 1});
    const auto array = [&](const char* name, ElementType type, std::uint32_t bytes) {
        return w.array(name, Space::kGlobal, type, bytes, {{40}});
    };
    const ArrayId weights = array("weights", ElementType::kFloat32, 4);
    const ArrayId input = array("input", ElementType::kFloat32, 4);
    const ArrayId index = array("index", ElementType::kInt32, 4);
    const ArrayId output = array("output", ElementType::kFloat32, 4);
    const ArrayId errors = array("errors", ElementType::kFloat64, 8);
    const ArrayId total = array("total", ElementType::kInt32, 4);
    const ArrayId kept = w.array("kept", Space::kShared, ElementType::kFloat32, 4, {{32}});
    std::vector<float> values(40);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100.5f + static_cast<float>(i);
    w.trace.arrays[weights].first_bytes = w.trace.arrays[input].first_bytes = bytes_of(values);
    w.trace.locals = {{"k", ElementType::kInt32, "int", 4, "mixed"},
                      {"sum", ElementType::kFloat32, "float", 5, "mixed"}};
    const auto assign = [&](std::uint32_t line, std::uint16_t column, LocalId local,
                            const WordsOfLane& words) {
        Site to = site(line, Operation::kAssign);
        to.column = column;
        to.local = local;
        w.plain(to, 0, words);
    };
    w.segment(0, 0, 0);
    assign(4, 14, 0, [](std::uint32_t) { return words_of(0); });
    const OffsetOfLane words = [](std::uint32_t lane) { return 4 * lane; };
    const OffsetOfLane pairs = [](std::uint32_t lane) { return 8 * lane; };
    for (int k = 0; k < 4; ++k) {
        for (const ArrayId from : {weights, input})
            w.access(site(5, Operation::kLoad, from), words);
        w.access(site(5, Operation::kStore, kept), words, [](std::uint32_t lane) {
            return words_of(2 * (100.5f + static_cast<float>(lane)));
        });
        w.access(site(6, Operation::kLoad, index), words);
        w.access(site(7, Operation::kLoad, kept), words);
        w.access(site(7, Operation::kStore, output), words, [](std::uint32_t lane) {
            return words_of(2 * (100.5f + static_cast<float>(lane)));
        });
        w.access(site(8, Operation::kStore, errors, 8), pairs,
                 [&](std::uint32_t) { return words_of(static_cast<double>(k)); });
        assign(5, 9, 1, [&](std::uint32_t lane) {
            return words_of(static_cast<float>(100 * k) + static_cast<float>(lane));
        });
        w.access(site(9, Operation::kStore, total), words,
                 [&](std::uint32_t) { return words_of(k); });
        assign(4, 28, 0, [&](std::uint32_t) { return words_of(k + 1); });
    }
    return w.finish();
}

Trace transpose_trace() {
    ProgramTraceWriter w("transpose",
                         "__global__ void transpose(const int (*in)[16], int (*out)[8]) {\n"
                         "    __shared__ int tile[8][9];\n"
                         "    int x = blockIdx.x * 8 + threadIdx.x, y = threadIdx.y;\n"
                         "    tile[y][threadIdx.x] = in[y][x];\n"
                         "    __syncthreads();\n"
                         "    out[blockIdx.x * 8 + y][threadIdx.x] = tile[threadIdx.x][y];\n"
                         "}\n",
                         {2, 1, 1}, {8, 8, 1});
    const ArrayId in = w.array("in", Space::kGlobal, ElementType::kInt32, 4, {{8, 16}});
    const ArrayId out = w.array("out", Space::kGlobal, ElementType::kInt32, 4, {{16, 8}});
    const ArrayId tile = w.array("tile", Space::kShared, ElementType::kInt32, 4, {{8, 8}, 9});
    std::vector<int> values(128);
    for (int i = 0; i < 128; ++i) values[static_cast<std::size_t>(i)] = 3 * i - 50;
    w.trace.arrays[in].first_bytes = bytes_of(values);
    const auto value = [&](std::uint32_t y, std::uint32_t x) {
        return words_of(values[y * 16 + x]);
    };
    for (std::uint32_t block = 0; block < 2; ++block)
        for (std::uint32_t epoch = 0; epoch < 2; ++epoch)
            for (std::uint16_t warp = 0; warp < 2; ++warp) {
                const auto x = [](std::uint32_t lane) { return lane % 8; };
                const auto y = [&](std::uint32_t lane) { return (warp * 32 + lane) / 8; };
                w.segment(block, epoch, warp);
                if (epoch == 0) {
                    w.access(site(4, Operation::kLoad, in), [&](std::uint32_t lane) {
                        return 4 * (y(lane) * 16 + block * 8 + x(lane));
                    });
                    w.access(
                        site(4, Operation::kStore, tile),
                        [&](std::uint32_t lane) { return 4 * (y(lane) * 9 + x(lane)); },
                        [&](std::uint32_t lane) { return value(y(lane), block * 8 + x(lane)); });
                    w.plain(site(5, Operation::kBarrier));
                    continue;
                }
                w.access(site(6, Operation::kLoad, tile),
                         [&](std::uint32_t lane) { return 4 * (x(lane) * 9 + y(lane)); });
                w.access(
                    site(6, Operation::kStore, out),
                    [&](std::uint32_t lane) { return 4 * ((block * 8 + y(lane)) * 8 + x(lane)); },
                    [&](std::uint32_t lane) { return value(x(lane), block * 8 + y(lane)); });
            }
    return w.finish();
}

Trace histogram_trace() {
    ProgramTraceWriter w(
        "histogram",
        "__global__ void histogram(const unsigned char* data, int* histogram) {\n"
        "    __shared__ int bins[8];\n"
        "    if (threadIdx.x < 8) bins[threadIdx.x] = 0;\n"
        "    __syncthreads();\n"
        "    atomicAdd(&bins[data[threadIdx.x]], 1);\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x < 8) atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);\n"
        "}\n",
        {1, 1, 1}, {64, 1, 1});
    const ArrayId data = w.array("data", Space::kGlobal, ElementType::kUint8, 1, {{64}});
    const ArrayId total = w.array("histogram", Space::kGlobal, ElementType::kInt32, 4, {{8}});
    const ArrayId bins = w.array("bins", Space::kShared, ElementType::kInt32, 4, {{8}});
    std::vector<std::uint8_t> values(64);
    for (std::size_t i = 0; i < 64; ++i) values[i] = static_cast<std::uint8_t>(i * i % 8);
    w.trace.arrays[data].first_bytes = bytes_of(values);
    w.trace.arrays[total].first_bytes = bytes_of(std::vector<int>(8, 100));
    std::vector<int> counts(8, 0);
    w.segment(0, 0, 0);
    w.access(
        site(3, Operation::kStore, bins), [](std::uint32_t lane) { return 4 * lane; },
        [](std::uint32_t) { return words_of(0); }, 0xff);
    w.plain(site(4, Operation::kBarrier));
    w.segment(0, 0, 1);
    w.plain(site(4, Operation::kBarrier));
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        const auto bin = [&](std::uint32_t lane) { return values[warp * 32 + lane]; };
        w.segment(0, 1, warp);
        w.access(site(5, Operation::kLoad, data, 1),
                 [&](std::uint32_t lane) { return warp * 32 + lane; });
        w.access(
            site(5, Operation::kAtomic, bins), [&](std::uint32_t lane) { return 4u * bin(lane); },
            [&](std::uint32_t lane) { return words_of(++counts[bin(lane)]); });
        w.plain(site(6, Operation::kBarrier));
    }
    w.segment(0, 2, 0);
    const auto four = [](std::uint32_t lane) { return 4 * lane; };
    w.access(site(7, Operation::kLoad, bins), four, nullptr, 0xff);
    w.access(
        site(7, Operation::kAtomic, total), four,
        [&](std::uint32_t lane) { return words_of(100 + counts[lane]); }, 0xff);
    return w.finish();
}

Trace stencil_trace() {
    ProgramTraceWriter w(
        "stencil",
        "__constant__ double factor[2];\n"
        "__global__ void stencil(const double (*in)[4][4], double (*out)[4][4]) {\n"
        "    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;\n"
        "    double sum = 0;\n"
        "    sum += factor[0] * in[z][y][x];\n"
        "    if (z > 0) sum += factor[1] * in[z - 1][y][x];\n"
        "    out[z][y][x] = sum;\n"
        "}\n",
        {1, 1, 2}, {4, 4, 4});
    const ArrayId in = w.array("in", Space::kGlobal, ElementType::kFloat64, 8, {{8, 4, 4}});
    const ArrayId out = w.array("out", Space::kGlobal, ElementType::kFloat64, 8, {{8, 4, 4}});
    const ArrayId factor = w.array("factor", Space::kConstant, ElementType::kFloat64, 8, {{2}});
    w.trace.locals = {{"sum", ElementType::kFloat64, "double", 4, "stencil"}};
    std::vector<double> values(128);
    for (std::size_t i = 0; i < 128; ++i) values[i] = static_cast<double>(i) / 4;
    w.trace.arrays[in].first_bytes = bytes_of(values);
    w.trace.arrays[factor].first_bytes = bytes_of(std::vector<double>{0.5, 0.25});
    std::vector<double> sums(128);
    const auto add = [&](std::uint32_t line, double times, std::uint32_t number, bool below,
                         std::uint32_t first, std::uint32_t mask) {
        w.access(
            site(line, Operation::kLoad, factor, 8), [&](std::uint32_t) { return 8 * number; },
            nullptr, mask);
        w.access(
            site(line, Operation::kLoad, in, 8),
            [&](std::uint32_t lane) { return 8 * (first + lane - (below ? 16 : 0)); }, nullptr,
            mask);
        Site multiply_add = site(line, Operation::kMultiplyAdd, kNoArray, 8);
        multiply_add.local = 0;
        w.plain(
            multiply_add, 0,
            [&](std::uint32_t lane) {
                const std::uint32_t at = first + lane;
                return words_of(sums[at] += times * values[below ? at - 16 : at]);
            },
            mask);
    };
    for (std::uint32_t block = 0; block < 2; ++block)
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            const std::uint32_t first = block * 64 + warp * 32u;
            w.segment(block, 0, warp);
            add(5, 0.5, 0, false, first, kAll);
            add(6, 0.25, 1, true, first, first == 0 ? 0xffff0000 : kAll);
            w.access(
                site(7, Operation::kStore, out, 8),
                [&](std::uint32_t lane) { return 8 * (first + lane); },
                [&](std::uint32_t lane) { return words_of(sums[first + lane]); });
        }
    w.trace.arrays[out].last_bytes = bytes_of(sums);
    return w.finish();
}

Trace chosen_trace() {
    ProgramTraceWriter w("fill<8>", "#include \"fill.h\"\nint main() { fill<8><<<3, 32>>>(x); }\n",
                         {3, 1, 1}, {32, 1, 1});
    w.trace.more_sources = {{"fill.h",
                             "template <int N>\n__global__ void fill(short* x) {\n"
                             "    x[blockIdx.x * 32 + threadIdx.x] = N;\n}\n"}};
    w.trace.output = "done\n";
    w.trace.launch.number = 4;
    w.trace.launch.integers = {{"N", 8}, {"offset", -3}};
    w.trace.chosen_blocks = {1};
    w.trace.complete = false;
    const ArrayId x = w.array("x", Space::kGlobal, ElementType::kInt16, 2, {{80}});
    Site store = site(3, Operation::kStore, x, 2);
    store.file = 1;
    store.column = 5;
    w.segment(1, 0, 0);
    w.access(
        store, [](std::uint32_t lane) { return 2 * (32 + lane); },
        [](std::uint32_t) { return words_of(8); });
    w.trace.findings = {{.kind = RecordedFindingKind::kOutOfBounds,
                         .line = 3,
                         .column = 5,
                         .file = 1,
                         .block = 2,
                         .thread = 16,
                         .array = x,
                         .operation = Operation::kStore,
                         .width_bytes = 2,
                         .offset_bytes = 160,
                         .count = 16,
                         .what = "Thread 16 of block 2 stores x[80], and x has 80 elements.",
                         .advice = "Let only threads below 80 store."}};
    return w.finish();
}

}  // namespace tilereel::tests
