#include "instrumentation/cuda/runtime/warp/call_sites.h"

#include <utility>

#include "instrumentation/cuda/runtime/made_once.h"

namespace tilereel::runtime {

Site& site_at_call(const Site& call, SiteKind kind) {
    const std::pair key(&call, kind);
    return made_once(key, object_number(&call) + static_cast<std::size_t>(kind), [&] {
        Site site = call;
        site.kind = kind;
        return site;
    });
}

}  // namespace tilereel::runtime
