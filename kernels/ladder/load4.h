#pragma once
// 16 bytes an access. They are macros, so that an access belongs to the line that makes it, for
// Tilereel and for profilers.

// The i-th 4 floats from `first` on, which lies at a multiple of 16 bytes.
#define load4(first, i) (*from4(first, i))
#define store4(first, i, value) (*to4(first, i) = (value))

// Where these 4 floats lie.
#define from4(first, i) (reinterpret_cast<const float4*>(first) + (i))
#define to4(first, i) (reinterpret_cast<float4*>(first) + (i))
