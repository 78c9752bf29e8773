#pragma once
#pragma GCC system_header
#include "cub/block/block_adjacent_difference.cuh"
