#include "app/cli/program/launch_printer.h"

#include <utility>

#include "app/cli/output.h"

namespace tilereel {

LaunchPrinter::LaunchPrinter(Describe describe)
    : describe_(std::move(describe)), thread_([this] { print_all(); }) {}

LaunchPrinter::~LaunchPrinter() { static_cast<void>(finish()); }

void LaunchPrinter::hear(const program::ProgramStage& stage) {
    for (; heard_ < stage.launches.size(); ++heard_) {
        add(stage.launches[heard_], false);
        rest_ = left_out_ = 0;
    }
    if (heard_ == 0) return;
    const program::LaunchSummary& last = stage.launches[heard_ - 1];
    const bool rest_known = std::exchange(rest_, last.rest_blocks) == last.rest_blocks;
    const bool left_out_known =
        std::exchange(left_out_, last.left_out_blocks) == last.left_out_blocks;
    if (!rest_known || !left_out_known) add(last, true);
}

void LaunchPrinter::add(const program::LaunchSummary& launch, bool is_rest) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({launch, is_rest});
    changed_.notify_one();
}

void LaunchPrinter::print_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const Line line = std::move(waiting_.front());
        waiting_.pop_front();
        if (!status_) continue;
        lock.unlock();
        const Result<std::string> text = describe_(line.launch, line.is_rest);
        const Status printed = text ? print_out(*text) : Status(text.error());
        lock.lock();
        if (!printed) status_ = printed;
    }
}

Status LaunchPrinter::finish() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
    return status_;
}

}  // namespace tilereel
