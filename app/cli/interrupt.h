#pragma once
// Ctrl+C, SIGTERM and SIGHUP: as a flag that long work can poll, or else as a sentence.
#include <array>
#include <atomic>
#include <csignal>

namespace tilereel {

// What SIGINT, SIGTERM and SIGHUP do while the object exists. SIGHUP is left as it is if it was
// ignored (nohup).
class SignalActions {
  public:
    explicit SignalActions(void (*handler)(int));
    ~SignalActions();
    SignalActions(const SignalActions&) = delete;
    SignalActions& operator=(const SignalActions&) = delete;

  private:
    std::array<struct sigaction, 3> former_{};  // previous action of each signal
};

// While it exists, and no InterruptFlag does, a signal ends the process with a sentence and the
// exit code that a shell gives to such an end.
class InterruptSentence {
  public:
    InterruptSentence();

  private:
    SignalActions actions_;
};

// While it exists, the first signal sets the flag. Others are ignored for two seconds, because a
// terminal that is closed sends several; later ones end the process at once. Only one may exist at
// a time.
class InterruptFlag {
  public:
    InterruptFlag();
    [[nodiscard]] std::atomic<bool>& flag() const;

  private:
    SignalActions actions_;
};

}  // namespace tilereel
