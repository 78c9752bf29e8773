#pragma once
// The header that nvcc includes before every file, for g++ with Tilereel's plugin. A file without
// device code (TILEREEL_HOST_FILE) gets only the declarations that nvcc gives to the host compiler.
#define __CUDA_RUNTIME_H__
#include "cuda_runtime_api.h"
#include "tilereel/language.h"
#include "vector_functions.h"
#ifndef TILEREEL_HOST_FILE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cassert>
#include <cmath>
#include <cstring>
#include <new>

#include "tilereel/clusters.h"
#include "tilereel/exchange.h"
#include "tilereel/inline_hooks.h"
#include "tilereel/launch.h"
#include "tilereel/launch_kernel.h"
#include "tilereel/math.h"
#include "tilereel/memory_access.h"
#include "tilereel/textures.h"
#endif
