#pragma once
// A growing array of trivially copyable values. Unlike std::vector it does not set new elements to
// zero, and growing copies nothing where realloc() can move pages.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "instrumentation/base/no_memory.h"

namespace tilereel {

template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) { return data_.get()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data_.get()[i]; }
    [[nodiscard]] std::span<const T> view() const { return {data(), size_}; }
    void push(T value) {
        if (size_ == capacity_) [[unlikely]]
            reserve(size_ + 1);
        data_.get()[size_++] = value;
    }
    // Appends `count` uninitialised elements; returns the first of them.
    T* extend(std::size_t count) {
        reserve(size_ + count);
        size_ += count;
        return data_.get() + size_ - count;
    }
    void truncate(std::size_t size) { size_ = size; }

  private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    void reserve(std::size_t wanted) {
        if (wanted <= capacity_) return;
        const std::size_t grown = capacity_ * 2 > wanted ? capacity_ * 2 : wanted + 64;
        void* memory = std::realloc(data_.get(), grown * sizeof(T));
        if (memory == nullptr) refuse_memory();
        static_cast<void>(data_.release());  // realloc has freed or moved it
        data_.reset(static_cast<T*>(memory));
        capacity_ = grown;
    }
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace tilereel
