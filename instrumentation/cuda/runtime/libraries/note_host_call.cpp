#include "instrumentation/cuda/runtime/libraries/note_host_call.h"

#include <mutex>
#include <set>
#include <string>

#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {

void note_host_call(const char* name) {
    static std::mutex mutex;
    static auto& noted = *new std::set<std::string>;
    const std::lock_guard lock(mutex);
    if (noted.insert(name).second) send_message(contract::OnHost{name});
}

}  // namespace tilereel::runtime
