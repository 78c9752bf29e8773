#pragma once
// CUB: primitives of threads, warps, blocks and of the whole device. Programs rely on the headers
// that it brings along.
#pragma GCC system_header
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "cub/block/block_adjacent_difference.cuh"
#include "cub/block/block_discontinuity.cuh"
#include "cub/block/block_exchange.cuh"
#include "cub/block/block_histogram.cuh"
#include "cub/block/block_load.cuh"
#include "cub/block/block_merge_sort.cuh"
#include "cub/block/block_radix_sort.cuh"
#include "cub/block/block_reduce.cuh"
#include "cub/block/block_scan.cuh"
#include "cub/block/block_store.cuh"
#include "cub/device/device_for.cuh"
#include "cub/device/device_histogram.cuh"
#include "cub/device/device_merge_sort.cuh"
#include "cub/device/device_radix_sort.cuh"
#include "cub/device/device_reduce.cuh"
#include "cub/device/device_run_length_encode.cuh"
#include "cub/device/device_scan.cuh"
#include "cub/device/device_select.cuh"
#include "cub/iterator/iterators.cuh"
#include "cub/thread/thread_load.cuh"
#include "cub/thread/thread_reduce.cuh"
#include "cub/util_allocator.cuh"
#include "cub/util_device.cuh"
#include "cub/warp/warp_exchange.cuh"
#include "cub/warp/warp_merge_sort.cuh"
#include "cub/warp/warp_reduce.cuh"
#include "cub/warp/warp_scan.cuh"
