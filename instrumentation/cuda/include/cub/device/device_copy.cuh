#pragma once
#pragma GCC system_header
#include "cub/device/device_for.cuh"
