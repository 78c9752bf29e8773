#pragma once
// cuda::std is an alias of std, because one compiler compiles host and device code together.
namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
