#pragma once
#pragma GCC system_header
#include "cub/thread/thread_reduce.cuh"
