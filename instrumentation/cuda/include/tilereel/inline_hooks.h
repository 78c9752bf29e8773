#pragma once
// The hooks that the plugin puts inline; hooks.h has all hooks. An inline hook compares the event
// with the expected one and records it. An unexpected event goes to the runtime's hook of the same
// name. The thread's position among the expected events is a local variable of the function, so
// that it stays in registers. The plugin adds this variable. It is read from `running` at the
// beginning of the function and after each call, and written back before each call and at the end.
#include <cstdint>

#include "expected_event.h"

#define TILEREEL_INLINE_HOOK static inline __attribute__((always_inline, unused))

namespace tilereel {
namespace runtime {

// The local copy of Running::next and Running::word in the function that runs.
struct Position {
    ExpectedEvent* next;
    std::uint32_t* word;
};

}  // namespace runtime
}  // namespace tilereel

extern "C" {
void* tilereel_load(const void* address, tilereel::runtime::Site* site) noexcept;
void* tilereel_store_int(void* address, tilereel::runtime::Site* site,
                         unsigned long value) noexcept;
void* tilereel_store_float(void* address, tilereel::runtime::Site* site, float value) noexcept;
void tilereel_value_int(tilereel::runtime::Site* site, unsigned long value,
                        unsigned offset_bytes) noexcept;
void tilereel_value_float(tilereel::runtime::Site* site, float value,
                          unsigned offset_bytes) noexcept;

TILEREEL_INLINE_HOOK void tilereel_read_position(tilereel::runtime::Position* position) noexcept {
    position->next = tilereel::runtime::running.next;
    position->word = tilereel::runtime::running.word;
}
TILEREEL_INLINE_HOOK void tilereel_write_position(tilereel::runtime::Position* position) noexcept {
    tilereel::runtime::running.next = position->next;
    tilereel::runtime::running.word = position->word;
}

// `misaligned`: bits of an offset that must be 0. `offset`: of the access in the expected array.
TILEREEL_INLINE_HOOK bool tilereel_is_expected(const void* address,
                                               const tilereel::runtime::Site* site,
                                               const tilereel::runtime::ExpectedEvent* event,
                                               unsigned misaligned,
                                               std::uint64_t* offset) noexcept {
    *offset = reinterpret_cast<std::uint64_t>(address) - event->base;
    return __builtin_expect(
        event->site == site && *offset <= event->limit && (*offset & misaligned) == 0, 1);
}

TILEREEL_INLINE_HOOK void* tilereel_inline_load(const void* address, tilereel::runtime::Site* site,
                                                tilereel::runtime::Position* position,
                                                unsigned misaligned) noexcept {
    std::uint64_t offset;
    if (tilereel_is_expected(address, site, position->next, misaligned, &offset)) {
        *position->word = static_cast<std::uint32_t>(offset);
        position->word += tilereel::runtime::kLanes;
        ++position->next;
        return const_cast<void*>(address);
    }
    tilereel_write_position(position);
    void* const target = tilereel_load(address, site);
    tilereel_read_position(position);
    return target;
}

TILEREEL_INLINE_HOOK bool tilereel_stores_expected(void* address, tilereel::runtime::Site* site,
                                                   std::uint32_t value,
                                                   tilereel::runtime::Position* position,
                                                   unsigned misaligned) noexcept {
    std::uint64_t offset;
    if (!tilereel_is_expected(address, site, position->next, misaligned, &offset) ||
        position->next->slow)
        return false;
    position->word[0] = static_cast<std::uint32_t>(offset);
    position->word[tilereel::runtime::kLanes] = value;
    position->word += 2 * tilereel::runtime::kLanes;
    ++position->next;
    return true;
}

// For values of at most 4 bytes.
TILEREEL_INLINE_HOOK void* tilereel_inline_store_int(void* address, tilereel::runtime::Site* site,
                                                     unsigned long value,
                                                     tilereel::runtime::Position* position,
                                                     unsigned misaligned) noexcept {
    if (tilereel_stores_expected(address, site, static_cast<std::uint32_t>(value), position,
                                 misaligned))
        return address;
    tilereel_write_position(position);
    void* const target = tilereel_store_int(address, site, value);
    tilereel_read_position(position);
    return target;
}

TILEREEL_INLINE_HOOK void* tilereel_inline_store_float(void* address, tilereel::runtime::Site* site,
                                                       float value,
                                                       tilereel::runtime::Position* position,
                                                       unsigned misaligned) noexcept {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if (tilereel_stores_expected(address, site, bits, position, misaligned)) return address;
    tilereel_write_position(position);
    void* const target = tilereel_store_float(address, site, value);
    tilereel_read_position(position);
    return target;
}

TILEREEL_INLINE_HOOK bool tilereel_has_expected_value(
    tilereel::runtime::Site* site, std::uint32_t value, unsigned offset_bytes,
    tilereel::runtime::Position* position) noexcept {
    const tilereel::runtime::ExpectedEvent* const event = position->next;
    if (__builtin_expect(event->site != site || event->base != offset_bytes, 0)) return false;
    *position->word = value;
    position->word += tilereel::runtime::kLanes;
    ++position->next;
    return true;
}

// For values of at most 4 bytes.
TILEREEL_INLINE_HOOK void tilereel_inline_value_int(
    tilereel::runtime::Site* site, unsigned long value, unsigned offset_bytes,
    tilereel::runtime::Position* position) noexcept {
    if (tilereel_has_expected_value(site, static_cast<std::uint32_t>(value), offset_bytes,
                                    position))
        return;
    tilereel_write_position(position);
    tilereel_value_int(site, value, offset_bytes);
    tilereel_read_position(position);
}

TILEREEL_INLINE_HOOK void tilereel_inline_value_float(
    tilereel::runtime::Site* site, float value, unsigned offset_bytes,
    tilereel::runtime::Position* position) noexcept {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if (tilereel_has_expected_value(site, bits, offset_bytes, position)) return;
    tilereel_write_position(position);
    tilereel_value_float(site, value, offset_bytes);
    tilereel_read_position(position);
}
}

#undef TILEREEL_INLINE_HOOK
