#pragma once
// cuda::std is the C++ library's std: host and device code are compiled at once.
namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
