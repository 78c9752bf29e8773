#pragma once
// What stands for pointers, tiles and sums where every access must be seen: the
// emulated build. `A[i]` makes a Ref: a load when its value is used, a store when assigned to.
//
// A build includes this after it has defined, inside `namespace tilereel::dialect { inline
// namespace TILEREEL_BUILD_NAMESPACE {`:
//   macro TILEREEL_INLINE            how a function is declared: `__device__ __forceinline__`, ...
//   macro TILEREEL_BUILD_NAMESPACE   its own name, so that builds of one kernel can be linked
//   together struct Hooks, all members static TILEREEL_INLINE:
//     long long checked(long long index, long long count, uint32_t line, uint32_t array)
//         `index` if 0 <= index < count; otherwise reports it and returns a harmless index, or does
//         not return. A build without checks returns `index`.
//     void check_aligned(unsigned long long offset_bytes, uint32_t width_bytes, uint32_t line,
//     uint32_t array)
//         the first byte of a widened view, as<float4>(...), is a multiple of the width
//     uint32_t shared_offset(const void* element)      bytes from the block's shared memory
//     T load<T>(const T* element, Place place)         one access of sizeof(T) bytes, recorded
//     void store<T>(T* element, Place place, const T& value)                   likewise
//     uint32_t begin_accumulator()                     its number within the thread, 0, 1, ...
//     void end_accumulator()                           the youngest one has gone out of scope
//     void multiply_add(uint32_t line, uint32_t accumulator, float after)      recorded
//     void copy<T>(T* to, Place at_to, const T* from, Place at_from)     asynchronous, recorded as one
//         read of global memory and one write of shared memory, both on the line of `at_to`
//     void commit_copies(uint32_t line), void wait_copies<Newest>(uint32_t line)       recorded
//   and, if the build wants the commonest statement, sum += A[i] * B[j], in one piece:
//     float multiply_add_of(const float* a, const Place&, const float* b, const Place&,
//                           uint32_t accumulator, float sum)
//         returns sum + *a * *b; records both loads, a first, and the multiply-add
//   and, besides Hooks, the words that this header leaves to the build: SHARED, DynamicShared<T>,
//   dynamicShared<T>(), __syncthreads(), __syncwarp(), threadIdx and its family (nvcc has them).
// SHARED(T, name, extents...) must end in an object `name` of type Tile<T, extents...>, made as
// Tile<T, extents...>(first_element, array_number); array numbers are kGlobalArrays, +1, ... in
// order of declaration. Global arrays are numbered A = 0, B = 1, C = 2.
//
// The line of an access is where its index was written (__builtin_LINE() as a default argument).
#include <cstdint>

namespace tilereel::dialect {
inline namespace TILEREEL_BUILD_NAMESPACE {

inline constexpr std::uint32_t kGlobalArrays = 3;  // A, B, C

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;
template <class T>
struct Plain {  // T without const and reference
    using Type = T;
};
template <class T>
struct Plain<const T> : Plain<T> {};
template <class T>
struct Plain<T&> : Plain<T> {};
template <class T>
struct Plain<T&&> : Plain<T> {};
template <class T>
using PlainType = typename Plain<T>::Type;

template <class T>
class Ref;

// An index that remembers the source line it was written on.
struct Index {
    long long value;
    std::uint32_t line;
    TILEREEL_INLINE Index(int i, std::uint32_t at = __builtin_LINE()) : value(i), line(at) {}
    TILEREEL_INLINE Index(unsigned i, std::uint32_t at = __builtin_LINE()) : value(i), line(at) {}
    TILEREEL_INLINE Index(long i, std::uint32_t at = __builtin_LINE()) : value(i), line(at) {}
    TILEREEL_INLINE Index(unsigned long i, std::uint32_t at = __builtin_LINE())
        : value(static_cast<long long>(i)), line(at) {}
    TILEREEL_INLINE Index(long long i, std::uint32_t at = __builtin_LINE()) : value(i), line(at) {}
    template <class T>  // A[B[i]]
    TILEREEL_INLINE Index(Ref<T>&& r, std::uint32_t at = __builtin_LINE())
        : value(static_cast<long long>(r.load())), line(at) {}
};

struct Place {
    std::uint32_t offset_bytes;  // from the array (global) or the block's shared memory (shared)
    std::uint32_t line;
    std::uint32_t array;
    bool is_shared =
        false;  // a constant wherever a Place is made: nvcc picks the instruction by it
};

// One element: a load when converted to its value, a store when assigned to. Never a variable:
// write `float a = A[i]`, not `auto a = A[i]`.
template <class T>
class Ref {
  public:
    using Value = PlainType<T>;
    TILEREEL_INLINE Ref(T* element, Place place) : element_(element), place_(place) {}
    Ref(const Ref&) = delete;
    [[nodiscard]] TILEREEL_INLINE Value load() const {
        return Hooks::template load<Value>(element_, place_);
    }
    TILEREEL_INLINE void store(const Value& value) const {
        Hooks::template store<Value>(element_, place_, value);
    }
    // Exactly Value: with any arithmetic type, `inside ? A[i] : 0` would truncate.
    template <class U>
    requires(kSame<U, Value>) TILEREEL_INLINE
    operator U() && {  // NOLINT: implicit, as an element is
        return load();
    }
    TILEREEL_INLINE void operator=(const Value& value) && { store(value); }
    TILEREEL_INLINE void operator=(Ref&& other) && { store(other.load()); }
    template <class U>
    TILEREEL_INLINE void operator=(Ref<U>&& other) && {
        store(static_cast<Value>(other.load()));
    }
    TILEREEL_INLINE void operator+=(const Value& value) && { store(load() + value); }
    TILEREEL_INLINE void operator-=(const Value& value) && { store(load() - value); }
    TILEREEL_INLINE void operator*=(const Value& value) && { store(load() * value); }
    TILEREEL_INLINE Value operator-() && { return -load(); }
    [[nodiscard]] TILEREEL_INLINE const T* element() const { return element_; }
    [[nodiscard]] TILEREEL_INLINE T* address() const { return element_; }
    [[nodiscard]] TILEREEL_INLINE const Place& place() const { return place_; }
    [[nodiscard]] TILEREEL_INLINE std::uint32_t line() const { return place_.line; }

  private:
    T* element_;
    Place place_;
};

// Global to shared memory without passing through a register: copy_async(As[y][x], A[i]). Nobody may
// read `to` before the thread that copies has waited for it, and other threads not before a barrier
// after that.
template <class T, class U>
requires(kSame<PlainType<T>, PlainType<U>>) TILEREEL_INLINE
    void copy_async(Ref<T>&& to, Ref<U>&& from) {
    Hooks::template copy<PlainType<T>>(to.address(), to.place(), from.element(), from.place());
}
// What the thread has begun to copy since the last group is one more group.
TILEREEL_INLINE void commit_copies(std::uint32_t line = __builtin_LINE()) {
    Hooks::commit_copies(line);
}
// All groups of this thread have arrived but the `Newest` latest.
inline constexpr int kMostGroups = 255;  // that a wait may leave under way: what a record can hold
template <int Newest>
TILEREEL_INLINE void wait_copies(std::uint32_t line = __builtin_LINE()) {
    static_assert(0 <= Newest && Newest <= kMostGroups);
    Hooks::template wait_copies<Newest>(line);
}

// a * b, not rounded yet: what an Accumulator adds in one multiply-add.
template <class T>
struct Product {
    T a, b;
    template <class U>
    requires(kSame<U, T>) TILEREEL_INLINE operator U() const {  // NOLINT: implicit, as a product is
        return a * b;
    }
};

// A[i] * B[j] of one type, not loaded yet: like a Ref, never a variable.
template <class T>
class RefProduct {
  public:
    TILEREEL_INLINE RefProduct(const T* a, const Place& at_a, const T* b, const Place& at_b)
        : a_(a), b_(b), at_a_(at_a), at_b_(at_b) {}
    RefProduct(const RefProduct&) = delete;
    [[nodiscard]] TILEREEL_INLINE Product<T> load() const {
        const T a = Hooks::template load<T>(a_, at_a_);
        const T b = Hooks::template load<T>(b_, at_b_);
        return {a, b};
    }
    template <class U>
    requires(kSame<U, T>) TILEREEL_INLINE operator U() && {  // NOLINT: implicit, as a product is
        return load();
    }
    // sum + a * b, recorded.
    template <class H = Hooks>
    TILEREEL_INLINE T add_to(const T& sum, std::uint32_t accumulator) const {
        if constexpr (requires { H::multiply_add_of(a_, at_a_, b_, at_b_, accumulator, sum); }) {
            return H::multiply_add_of(a_, at_a_, b_, at_b_, accumulator, sum);
        } else {
            const Product<T> product = load();
            const T after = sum + product.a * product.b;
            H::multiply_add(at_a_.line, accumulator, after);
            return after;
        }
    }

  private:
    const T* a_;
    const T* b_;
    Place at_a_, at_b_;
};

template <class T>
inline constexpr bool kIsRef = false;
template <class T>
inline constexpr bool kIsRef<Ref<T>> = true;
template <class T>
inline constexpr bool kIsProxy = kIsRef<T>;
template <class T>
inline constexpr bool kIsProxy<Product<T>> = true;
template <class T>
inline constexpr bool kIsProxy<RefProduct<T>> = true;

template <class T>
TILEREEL_INLINE PlainType<T> value_of(Ref<T>&& ref) {
    return ref.load();
}
template <class T>
TILEREEL_INLINE T value_of(const Product<T>& product) {
    return product.a * product.b;
}
template <class T>
TILEREEL_INLINE T value_of(RefProduct<T>&& product) {
    return value_of(product.load());
}
template <class T>
requires(!kIsProxy<T>) TILEREEL_INLINE T value_of(const T& value) { return value; }

// Built-in operators: nvcc does not look at conversion templates for them. Left operand first.
#define TILEREEL_OPERATOR(op)                                                                    \
    template <class L, class R>                                                                  \
    requires(kIsProxy<PlainType<L>> || kIsProxy<PlainType<R>>) TILEREEL_INLINE auto operator op( \
        L&& left, R&& right) {                                                                   \
        const auto a = value_of(static_cast<L&&>(left));                                         \
        const auto b = value_of(static_cast<R&&>(right));                                        \
        return a op b;                                                                           \
    }
TILEREEL_OPERATOR(+)
TILEREEL_OPERATOR(-)
TILEREEL_OPERATOR(/)
TILEREEL_OPERATOR(%)
TILEREEL_OPERATOR(<)
TILEREEL_OPERATOR(>)
TILEREEL_OPERATOR(<=)
TILEREEL_OPERATOR(>=)
TILEREEL_OPERATOR(==)
TILEREEL_OPERATOR(!=)
#undef TILEREEL_OPERATOR

template <class L, class R>
requires(kIsProxy<PlainType<L>> || kIsProxy<PlainType<R>>) TILEREEL_INLINE auto operator*(
    L&& left, R&& right) {
    const auto a = value_of(static_cast<L&&>(left));
    const auto b = value_of(static_cast<R&&>(right));
    return Product<PlainType<decltype(a * b)>>{a, b};
}
template <class T, class U>
requires(kSame<PlainType<T>, PlainType<U>>) TILEREEL_INLINE RefProduct<PlainType<T>>
operator*(Ref<T>&& left, Ref<U>&& right) {
    return {left.element(), left.place(), right.element(), right.place()};
}

// A sum in a register. Whatever is added to it counts as one multiply-add: `sum += a * b`. Numbered
// in the order of construction within its thread.
template <class T>
class Accumulator {
  public:
    struct Term {  // what is added, and where that is written
        T a, b;
        std::uint32_t line;
        TILEREEL_INLINE Term(const T& value, std::uint32_t at = __builtin_LINE())
            : a(value), b(T(1)), line(at) {}
        TILEREEL_INLINE Term(const Product<T>& product, std::uint32_t at = __builtin_LINE())
            : a(product.a), b(product.b), line(at) {}
        template <class U>
        TILEREEL_INLINE Term(Ref<U>&& ref, std::uint32_t at = __builtin_LINE())
            : a(ref.load()), b(T(1)), line(at) {}
    };
    TILEREEL_INLINE Accumulator() : number_(Hooks::begin_accumulator()) {}
    TILEREEL_INLINE Accumulator(const T& value)  // NOLINT: `Accumulator<float> sum = 0.0f;`
        : value_(value), number_(Hooks::begin_accumulator()) {}
    Accumulator(const Accumulator&) = delete;
    TILEREEL_INLINE ~Accumulator() { Hooks::end_accumulator(); }
    TILEREEL_INLINE void operator=(const T& value) { value_ = value; }
    TILEREEL_INLINE void operator=(const Accumulator& other) { value_ = other.value_; }
    TILEREEL_INLINE void operator+=(const Term& term) {
        value_ += term.a * term.b;
        Hooks::multiply_add(term.line, number_, value_);
    }
    TILEREEL_INLINE void operator+=(RefProduct<T>&& product) {
        value_ = product.add_to(value_, number_);
    }
    TILEREEL_INLINE operator T() const { return value_; }  // NOLINT: implicit, as a register is

  private:
    T value_{};
    std::uint32_t number_;
};

// sum += a * b, of values.
TILEREEL_INLINE void add_product(Accumulator<float>& sum, float a, float b,
                                 std::uint32_t line = __builtin_LINE()) {
    sum += Accumulator<float>::Term(Product<float>{a, b}, line);
}

// Global memory: elements of A, B or C from element `at` on; moves like a pointer.
template <class T>
struct Global {
    T* first;             // of the array
    std::uint32_t count;  // elements in the array
    std::uint32_t array;  // 0 = A, 1 = B, 2 = C
    long long at = 0;     // element that [0] means
    TILEREEL_INLINE Ref<T> operator[](Index i) const {
        const long long j = Hooks::checked(at + i.value, count, i.line, array);
        return {first + j, {static_cast<std::uint32_t>(j * sizeof(T)), i.line, array}};
    }
    TILEREEL_INLINE Global operator+(long long d) const { return {first, count, array, at + d}; }
    TILEREEL_INLINE Global& operator+=(long long d) {
        at += d;
        return *this;
    }
};

// Shared memory of a known length: a row of a tile, or dynamic shared memory.
template <class T>
struct SharedPointer {
    T* first;
    std::uint32_t count;
    std::uint32_t array;
    long long at = 0;
    TILEREEL_INLINE Ref<T> operator[](Index i) const {
        T* element = first + Hooks::checked(at + i.value, count, i.line, array);
        return {element, {Hooks::shared_offset(element), i.line, array, true}};
    }
    TILEREEL_INLINE SharedPointer operator+(long long d) const {
        return {first, count, array, at + d};
    }
    TILEREEL_INLINE SharedPointer& operator+=(long long d) {
        at += d;
        return *this;
    }
};

// A shared array T name[Extents]...: a view of the memory that SHARED reserved.
template <class T, int... Extents>
class Tile;
template <class T, int N>
class Tile<T, N> {
  public:
    static constexpr int kElements = N;
    TILEREEL_INLINE Tile(T* first, std::uint32_t array) : first_(first), array_(array) {}
    TILEREEL_INLINE Ref<T> operator[](Index i) const {
        T* element = first_ + Hooks::checked(i.value, N, i.line, array_);
        return {element, {Hooks::shared_offset(element), i.line, array_, true}};
    }
    [[nodiscard]] TILEREEL_INLINE SharedPointer<T> pointer() const { return {first_, N, array_}; }

  private:
    T* first_;
    std::uint32_t array_;
};
template <class T, int N, int... Rest>
class Tile<T, N, Rest...> {
  public:
    static constexpr int kElements = N * Tile<T, Rest...>::kElements;
    TILEREEL_INLINE Tile(T* first, std::uint32_t array) : first_(first), array_(array) {}
    TILEREEL_INLINE Tile<T, Rest...> operator[](Index i) const {
        return {first_ + Hooks::checked(i.value, N, i.line, array_) * Tile<T, Rest...>::kElements,
                array_};
    }
    // All of it, element after element.
    [[nodiscard]] TILEREEL_INLINE SharedPointer<T> operator+(long long d) const {
        return {first_, kElements, array_, d};
    }

  private:
    T* first_;
    std::uint32_t array_;
};

// What an array of T in registers holds.
template <class T>
struct HeldIn {
    using Type = T;
};
template <class T>
struct HeldIn<Accumulator<T>> {
    using Type = T;
};

// Some elements of an array in registers, as one V. No access: nothing is recorded.
template <class V, class T>
class RegisterRef {
  public:
    TILEREEL_INLINE explicit RegisterRef(T* first) : first_(first) {}
    RegisterRef(const RegisterRef&) = delete;
    template <class U>
    requires(kSame<U, V>) TILEREEL_INLINE operator U() && {  // NOLINT: implicit, as a register is
        Parts parts;
        for (int i = 0; i < kParts; ++i) parts.part[i] = first_[i];
        return __builtin_bit_cast(V, parts);
    }
    TILEREEL_INLINE void operator=(const V& value) && {
        const auto parts = __builtin_bit_cast(Parts, value);
        for (int i = 0; i < kParts; ++i) first_[i] = parts.part[i];
    }

  private:
    using Part = typename HeldIn<T>::Type;
    static constexpr int kParts = sizeof(V) / sizeof(Part);
    struct Parts {
        Part part[kParts];
    };
    T* first_;
};

template <class V, class T>
struct Registers {
    T* first;
    TILEREEL_INLINE RegisterRef<V, T> operator[](int i) const {
        constexpr int kParts = sizeof(V) / sizeof(typename HeldIn<T>::Type);
        return RegisterRef<V, T>(first + i * kParts);
    }
};

// An array in registers, of floats or sums, as elements of V.
template <class V, class T, int N>
TILEREEL_INLINE Registers<V, T> as(T (&array)[N]) {
    return {array};
}

// The same memory as elements of V: as<const float4>(A)[i] is one 16-byte access.
template <class V, class T>
TILEREEL_INLINE Global<V> as(Global<T> view, std::uint32_t line = __builtin_LINE()) {
    Hooks::check_aligned(static_cast<unsigned long long>(view.at) * sizeof(T), sizeof(V), line,
                         view.array);
    return {reinterpret_cast<V*>(view.first),
            static_cast<std::uint32_t>(view.count * sizeof(T) / sizeof(V)), view.array,
            view.at * static_cast<long long>(sizeof(T)) / static_cast<long long>(sizeof(V))};
}
template <class V, class T>
TILEREEL_INLINE SharedPointer<V> as(SharedPointer<T> view, std::uint32_t line = __builtin_LINE()) {
    T* first = view.first + view.at;
    Hooks::check_aligned(Hooks::shared_offset(first), sizeof(V), line, view.array);
    const auto left = static_cast<unsigned long long>(view.count) - view.at;
    return {reinterpret_cast<V*>(first), static_cast<std::uint32_t>(left * sizeof(T) / sizeof(V)),
            view.array};
}
template <class V, class T, int N>
TILEREEL_INLINE SharedPointer<V> as(Tile<T, N> row, std::uint32_t line = __builtin_LINE()) {
    return as<V>(row.pointer(), line);
}

}  // namespace TILEREEL_BUILD_NAMESPACE
}  // namespace tilereel::dialect
