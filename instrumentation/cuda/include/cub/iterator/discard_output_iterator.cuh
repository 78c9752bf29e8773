#pragma once
#pragma GCC system_header
#include "cub/iterator/iterators.cuh"
