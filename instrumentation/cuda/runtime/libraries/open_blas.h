#pragma once
// OpenBLAS or another library with CBLAS's functions, loaded when a program calls cuBLAS.
namespace tilereel::runtime {

// The CBLAS functions that implement cuBLAS's calls, for float or double.
template <class T>
struct Blas {
    void (*axpy)(int, T, const T*, int, T*, int);
    void (*scal)(int, T, T*, int);
    void (*copy)(int, const T*, int, T*, int);
    void (*swap)(int, T*, int, T*, int);
    T (*dot)(int, const T*, int, const T*, int);
    T (*nrm2)(int, const T*, int);
    T (*asum)(int, const T*, int);
    unsigned long (*iamax)(int, const T*, int);
    void (*gemv)(int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
    void (*ger)(int, int, int, T, const T*, int, const T*, int, T*, int);
    void (*gemm)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);
};
// Null if no such library is installed.
template <class T>
[[nodiscard]] const Blas<T>* blas();

}  // namespace tilereel::runtime
