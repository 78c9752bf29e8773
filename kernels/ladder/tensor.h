#pragma once
// One instruction each for tensor cores, with the registers that a lane holds (PTX ISA 9.0:
// ldmatrix; mma.m16n8k16, "Matrix Fragments"). They are macros, so that an instruction belongs to
// the line that makes it, for Tilereel and for profilers.
#include <cuda_bf16.h>

// The i-th 8 bfloat16 from `first` on, which lie at a multiple of 16 bytes; and where.
#define load8(first, i) (*from8(first, i))
#define store8(first, i, value) (*to8(first, i) = (value))
#define from8(first, i) (reinterpret_cast<const uint4*>(first) + (i))
#define to8(first, i) (reinterpret_cast<uint4*>(first) + (i))

// Four 8 x 8 matrices from shared memory. Lane l names row l % 8 of matrix l / 8: 16 bytes at
// `row`. Of matrix m, lane l gets elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, in r[m].
#define ldmatrix_x4(r, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  \
                 : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])            \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))))

// The same, each matrix transposed: lane l gets elements of column l / 4.
#define ldmatrix_x4_trans(r, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"  \
                 : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])                  \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))))

// sum += A B with A of 16 x 16 in a[4], B of 16 x 8 in b[2] and FP32 sums of 16 x 8 in sum[4]. Lane
// l has rows l / 4 and l / 4 + 8 of A and of the sums, and column l / 4 of B.
#define mma_16x8x16(sum, a, b)                                              \
    asm volatile(                                                           \
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "              \
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"   \
        : "+f"((sum)[0]), "+f"((sum)[1]), "+f"((sum)[2]), "+f"((sum)[3])    \
        : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]))

// Instructions of a warpgroup: 4 warps, of which warp w has rows 16 w to 16 w + 15 of each 64
// (PTX ISA 9.0, "Asynchronous Warpgroup Level Matrix Instructions").

// Where a tile of bfloat16 lies in shared memory, swizzled in rows of 128 bytes ("Matrix
// Descriptor"). A, by rows: groups of 8 rows are 1,024 bytes apart. B, whose rows are k: groups of
// 8 k are, and panels of 64 columns `panel_bytes`.
__device__ inline uint64_t tile_at(const void* first, int panel_bytes = 16) {
    const uint64_t address = __cvta_generic_to_shared(first);
    return (address & 0x3ffff) >> 4 | uint64_t(panel_bytes >> 4) << 16 |
           uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

// Before the first product: registers and shared memory that the warps wrote are complete.
#define wgmma_fence() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
// The products since the last commit are a group.
#define wgmma_commit() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
// Waits until at most `n` groups are under way.
#define wgmma_wait(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

#define registers8(r, i)                                                               \
    "+f"((r)[i]), "+f"((r)[i + 1]), "+f"((r)[i + 2]), "+f"((r)[i + 3]),                \
        "+f"((r)[i + 4]), "+f"((r)[i + 5]), "+f"((r)[i + 6]), "+f"((r)[i + 7])

// sum = A B, plus sum if `add`: A of 64 x 16 and B of 16 x 64 (128, 256) at tile_at(). Lane l of warp w
// has rows 16 w + l / 4 and + 8; of each 8 columns, 2 (l % 4) and + 1.
#define wgmma_64x64x16(sum, a, b, add)                                                       \
    asm volatile(                                                                            \
        "{ .reg .pred p; setp.ne.b32 p, %34, 0; "                                            \
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "                              \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "            \
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "  \
        "%32, %33, p, 1, 1, 0, 1; }"                                                         \
        : registers8(sum, 0),                                                                \
          registers8(sum, 8),                                                                \
          registers8(sum, 16),                                                               \
          registers8(sum, 24)                                                                \
        : "l"(a), "l"(b), "r"(add))

#define wgmma_64x128x16(sum, a, b, add)                                                      \
    asm volatile(                                                                            \
        "{ .reg .pred p; setp.ne.b32 p, %66, 0; "                                            \
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "                             \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "            \
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "   \
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "   \
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "  \
        "%64, %65, p, 1, 1, 0, 1; }"                                                         \
        : registers8(sum, 0),                                                                \
          registers8(sum, 8),                                                                \
          registers8(sum, 16),                                                               \
          registers8(sum, 24),                                                               \
          registers8(sum, 32),                                                               \
          registers8(sum, 40),                                                               \
          registers8(sum, 48),                                                               \
          registers8(sum, 56)                                                                \
        : "l"(a), "l"(b), "r"(add))

#define wgmma_64x256x16(sum, a, b, add)                                                      \
    asm volatile(                                                                            \
        "{ .reg .pred p; setp.ne.b32 p, %130, 0; "                                           \
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "                             \
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "       \
        "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "        \
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "        \
        "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "        \
        "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, "        \
        "%77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "        \
        "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, "       \
        "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, "           \
        "%118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "                      \
        "%128, %129, p, 1, 1, 0, 1; }"                                                       \
        : registers8(sum, 0),                                                                \
          registers8(sum, 8),                                                                \
          registers8(sum, 16),                                                               \
          registers8(sum, 24),                                                               \
          registers8(sum, 32),                                                               \
          registers8(sum, 40),                                                               \
          registers8(sum, 48),                                                               \
          registers8(sum, 56),                                                               \
          registers8(sum, 64),                                                               \
          registers8(sum, 72),                                                               \
          registers8(sum, 80),                                                               \
          registers8(sum, 88),                                                               \
          registers8(sum, 96),                                                               \
          registers8(sum, 104),                                                              \
          registers8(sum, 112),                                                              \
          registers8(sum, 120)                                                               \
        : "l"(a), "l"(b), "r"(add))

// Arrives at the barrier at this place in block `block` of the cluster.
#define arrive_at_block(barrier, block)                                                \
    asm volatile(                                                                      \
        "{ .reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1; "                \
        "mbarrier.arrive.shared::cluster.b64 _, [remote]; }" ::"r"(                    \
            static_cast<unsigned>(__cvta_generic_to_shared(barrier))),                 \
        "r"(block)                                                                     \
        : "memory")

// All threads of all blocks of the cluster.
#define cluster_sync()                                                                 \
    asm volatile(                                                                      \
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory")

// Stores a box from shared memory to where its map says: a group of copies of this thread.
#define store_box(map, x, y, box)                                                      \
    asm volatile(                                                                      \
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3]; " \
        "cp.async.bulk.commit_group;" ::"l"(map), "r"(x), "r"(y),                      \
        "r"(static_cast<unsigned>(__cvta_generic_to_shared(box)))                      \
        : "memory")
// Waits until at most `n` of its groups have not been read yet; and until all are stored.
#define store_wait_read(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
#define store_wait_all() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")

// What this warp stored to shared memory is there for the TMA.
#define fence_for_tma() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

// The barrier `id` of 128 threads.
#define barrier_of_128(id) asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory")
