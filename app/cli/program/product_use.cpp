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

Result<Trace> ProductUse::read_as_recorded(const program::LaunchSummary& launch) {
    Result<Trace> trace = read_trace(launch.trace);
    last_is_changed_ = !trace;
    changed_ += !trace;
    if (!trace) return failed(kChangedTrace);
    return trace;
}

Result<Trace> ProductUse::read(const program::LaunchSummary& launch) {
    Result<Trace> trace = read_as_recorded(launch);
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

Status ProductUse::check_files() const {
    if (changed_ == 0) return Done{};
    return failed("the program has changed the recordings of " + std::to_string(changed_) +
                  (changed_ == 1 ? " launch" : " launches") +
                  ", which cannot be shown; let it leave the files of Tilereel alone");
}

}  // namespace tilereel
