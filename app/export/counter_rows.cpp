#include "app/export/counter_rows.h"

namespace tilereel {

std::vector<CounterRow> counter_rows(const KernelCounts& counts, const Generation& generation) {
    const std::string units(generation.global.units);
    const AccessCounts &load = counts.global_load, &store = counts.global_store;
    const AccessCounts &atomic = counts.global_atomic, &shared_atomic = counts.shared_atomic;
    return {
        {"global load requests", load.requests},
        {"global load " + units, load.transactions},
        {"global store requests", store.requests},
        {"global store " + units, store.transactions},
        {"global atomic requests", atomic.requests},
        {"bytes asked for", load.bytes_requested + store.bytes_requested + atomic.bytes_requested},
        {"bytes moved", load.bytes_moved + store.bytes_moved + atomic.bytes_moved},
        {"shared load wavefronts", counts.shared_load.wavefronts},
        {"shared store wavefronts", counts.shared_store.wavefronts},
        {"shared copy wavefronts", counts.shared_copy.wavefronts},
        {"shared atomic wavefronts", shared_atomic.wavefronts},
        {"bank conflicts",
         counts.shared_load.bank_conflicts + counts.shared_store.bank_conflicts +
             counts.shared_copy.bank_conflicts + shared_atomic.bank_conflicts,
         true},
        {"constant memory requests", counts.constant_load.requests},
        {"requests of other blocks' shared memory", counts.cluster_access.requests},
    };
}

}  // namespace tilereel
