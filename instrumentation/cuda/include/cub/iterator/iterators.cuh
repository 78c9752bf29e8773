#pragma once
// CUB's iterators. CUB documentation, "Fancy iterators".
#pragma GCC system_header
#include <cstddef>
#include <iterator>

#include "cub/thread/thread_load.cuh"

namespace cub {
namespace detail {

// What every random-access iterator has. `Self` has get(), step(n) and minus(other).
template <class Self, class Value, class Reference, class Offset>
struct IteratorBase {
    using self_type = Self;
    using difference_type = Offset;
    using value_type = Value;
    using pointer = Value*;
    using reference = Reference;
    using iterator_category = std::random_access_iterator_tag;

    __host__ __device__ Self operator++(int) {
        const Self before = self();
        self().step(1);
        return before;
    }
    __host__ __device__ Self& operator++() { return self().step(1); }
    __host__ __device__ Self operator--(int) {
        const Self before = self();
        self().step(-1);
        return before;
    }
    __host__ __device__ Self& operator--() { return self().step(-1); }
    template <class Distance>
    __host__ __device__ Self operator+(Distance n) const {
        Self moved = self();
        moved.step(Offset(n));
        return moved;
    }
    template <class Distance>
    __host__ __device__ Self& operator+=(Distance n) {
        return self().step(Offset(n));
    }
    template <class Distance,
              class = typename std::enable_if<!std::is_same<Distance, Self>::value>::type>
    __host__ __device__ Self operator-(Distance n) const {
        Self moved = self();
        moved.step(-Offset(n));
        return moved;
    }
    template <class Distance>
    __host__ __device__ Self& operator-=(Distance n) {
        return self().step(-Offset(n));
    }
    __host__ __device__ Offset operator-(const Self& other) const { return self().minus(other); }
    __host__ __device__ Reference operator*() const { return self().get(); }
    template <class Distance>
    __host__ __device__ Reference operator[](Distance n) const {
        return (self() + n).get();
    }
    __host__ __device__ bool operator==(const Self& other) const {
        return self().minus(other) == 0;
    }
    __host__ __device__ bool operator!=(const Self& other) const {
        return self().minus(other) != 0;
    }
    __host__ __device__ bool operator<(const Self& other) const { return self().minus(other) < 0; }

  private:
    __host__ __device__ Self& self() { return static_cast<Self&>(*this); }
    __host__ __device__ const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail

template <class T, class Offset = std::ptrdiff_t>
class CountingInputIterator
    : public detail::IteratorBase<CountingInputIterator<T, Offset>, T, T, Offset> {
  public:
    __host__ __device__ CountingInputIterator(const T& value) : value_(value) {}
    __host__ __device__ T get() const { return value_; }
    __host__ __device__ CountingInputIterator& step(Offset n) {
        value_ = T(value_ + T(n));
        return *this;
    }
    __host__ __device__ Offset minus(const CountingInputIterator& other) const {
        return Offset(value_) - Offset(other.value_);
    }

  private:
    T value_;
};

template <class T, class Offset = std::ptrdiff_t>
class ConstantInputIterator
    : public detail::IteratorBase<ConstantInputIterator<T, Offset>, T, T, Offset> {
  public:
    __host__ __device__ ConstantInputIterator(T value, Offset at = 0) : value_(value), at_(at) {}
    __host__ __device__ T get() const { return value_; }
    __host__ __device__ ConstantInputIterator& step(Offset n) {
        at_ += n;
        return *this;
    }
    __host__ __device__ Offset minus(const ConstantInputIterator& other) const {
        return at_ - other.at_;
    }

  private:
    T value_;
    Offset at_;
};

template <class T, class Conversion, class From, class Offset = std::ptrdiff_t>
class TransformInputIterator
    : public detail::IteratorBase<TransformInputIterator<T, Conversion, From, Offset>, T, T,
                                  Offset> {
  public:
    __host__ __device__ TransformInputIterator(From from, Conversion conversion)
        : from_(from), conversion_(conversion) {}
    __host__ __device__ T get() const {
        Conversion convert = conversion_;
        return convert(*from_);
    }
    __host__ __device__ TransformInputIterator& step(Offset n) {
        from_ += n;
        return *this;
    }
    __host__ __device__ Offset minus(const TransformInputIterator& other) const {
        return Offset(from_ - other.from_);
    }

  private:
    From from_;
    Conversion conversion_;
};

// Pairs of an index and a value.
template <class From, class Offset = std::ptrdiff_t,
          class Value = typename std::iterator_traits<From>::value_type>
class ArgIndexInputIterator
    : public detail::IteratorBase<ArgIndexInputIterator<From, Offset, Value>,
                                  KeyValuePair<Offset, Value>, KeyValuePair<Offset, Value>,
                                  Offset> {
  public:
    __host__ __device__ ArgIndexInputIterator(From from, Offset at = 0) : from_(from), at_(at) {}
    __host__ __device__ KeyValuePair<Offset, Value> get() const { return {at_, from_[at_]}; }
    __host__ __device__ ArgIndexInputIterator& step(Offset n) {
        at_ += n;
        return *this;
    }
    __host__ __device__ Offset minus(const ArgIndexInputIterator& other) const {
        return at_ - other.at_;
    }
    __host__ __device__ void normalize() {
        from_ += at_;
        at_ = 0;
    }

  private:
    From from_;
    Offset at_;
};

// The cache modifiers change no results.
template <CacheLoadModifier kModifier, class T, class Offset = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public detail::IteratorBase<CacheModifiedInputIterator<kModifier, T, Offset>, T, T, Offset> {
  public:
    T* ptr;
    template <class Q>
    __host__ __device__ CacheModifiedInputIterator(Q* pointer)
        : ptr(const_cast<typename std::remove_cv<Q>::type*>(pointer)) {}
    __host__ __device__ T get() const { return *ptr; }
    __host__ __device__ CacheModifiedInputIterator& step(Offset n) {
        ptr += n;
        return *this;
    }
    __host__ __device__ Offset minus(const CacheModifiedInputIterator& other) const {
        return Offset(ptr - other.ptr);
    }
};
template <CacheStoreModifier kModifier, class T, class Offset = std::ptrdiff_t>
class CacheModifiedOutputIterator
    : public detail::IteratorBase<CacheModifiedOutputIterator<kModifier, T, Offset>, T, T&,
                                  Offset> {
  public:
    T* ptr;
    template <class Q>
    __host__ __device__ CacheModifiedOutputIterator(Q* pointer) : ptr(pointer) {}
    __host__ __device__ T& get() const { return *ptr; }
    __host__ __device__ CacheModifiedOutputIterator& step(Offset n) {
        ptr += n;
        return *this;
    }
    __host__ __device__ Offset minus(const CacheModifiedOutputIterator& other) const {
        return Offset(ptr - other.ptr);
    }
};

template <class Offset = std::ptrdiff_t>
class DiscardOutputIterator {
  public:
    using difference_type = Offset;
    using value_type = void;
    using pointer = void;
    using reference = void;
    using iterator_category = std::random_access_iterator_tag;
    struct Nowhere {
        template <class T>
        __host__ __device__ Nowhere& operator=(const T&) {
            return *this;
        }
    };
    __host__ __device__ DiscardOutputIterator(Offset at = 0) : at_(at) {}
    __host__ __device__ Nowhere operator*() const { return {}; }
    template <class Distance>
    __host__ __device__ Nowhere operator[](Distance) const {
        return {};
    }
    template <class Distance>
    __host__ __device__ DiscardOutputIterator operator+(Distance n) const {
        return {Offset(at_ + n)};
    }
    __host__ __device__ Offset operator-(const DiscardOutputIterator& other) const {
        return at_ - other.at_;
    }
    __host__ __device__ DiscardOutputIterator& operator++() {
        ++at_;
        return *this;
    }

  private:
    Offset at_;
};

}  // namespace cub
