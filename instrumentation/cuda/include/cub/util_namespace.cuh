#pragma once
#pragma GCC system_header
#include "cub/util_type.cuh"
