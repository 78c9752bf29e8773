#include "app/cli/program/product_use.h"

#include "app/workbench/recording/wrong_product.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

// Counts once. Later code compares C again only if there are wrong elements.
void count_wrong(Trace& trace) {
    if (trace.product) trace.wrong_elements = wrong_elements_of(trace).size();
}

}  // namespace

Result<Trace> ProductUse::read(const program::LaunchSummary& launch) {
    Result<Trace> trace = read_trace(launch.trace);
    if (!trace) return trace;
    if (!options_.product || !has_arrays_of(*trace, *options_.product)) {
        if (options_.product && missing_.empty())
            missing_ = form_of(*trace, *options_.product).error().message;
        if (const auto product = recognise_product(*trace)) name_product(*trace, *product);
        count_wrong(*trace);
        return trace;
    }
    used_ = true;
    const Status shown = show_as(*trace, *options_.product);
    if (!shown) return Error{shown.error().kind, "--product: " + shown.error().message};
    count_wrong(*trace);
    return trace;
}

Status ProductUse::check() const {
    if (!options_.product || used_ || missing_.empty()) return Done{};
    return wrong_call("--product: " + missing_);
}

}  // namespace tilereel
