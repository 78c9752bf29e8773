#pragma once
// Copies that the threads of a group share. CUDA C++ Programming Guide, "memcpy_async".
#include "cooperative_groups.h"
#include "tilereel/copy_range.h"

namespace cooperative_groups {

template <class Group, class Size>
TILEREEL_CALL void memcpy_async(const Group& group, void* to, const void* from, Size bytes) {
    tilereel::runtime::copy_share(to, from, std::size_t(bytes), unsigned(group.thread_rank()),
                                  unsigned(group.size()));
    tilereel::runtime::commit_copies();
}
// Copies the elements that the source has and that fit into the target.
template <class Group, class T, class ToLayout, class FromLayout>
TILEREEL_CALL void memcpy_async(const Group& group, T* to, const ToLayout& room, const T* from,
                                const FromLayout& count) {
    const std::size_t elements = std::size_t(count) < std::size_t(room) ? count : room;
    tilereel::runtime::copy_share(to, from, elements * sizeof(T), unsigned(group.thread_rank()),
                                  unsigned(group.size()));
    tilereel::runtime::commit_copies();
}
template <class Group>
TILEREEL_CALL void wait(const Group& group) {
    tilereel::runtime::wait_copies(0);
    group.sync();
}
template <unsigned Newest, class Group>
TILEREEL_CALL void wait_prior(const Group& group) {
    tilereel::runtime::wait_copies(Newest);
    group.sync();
}

}  // namespace cooperative_groups
