#include "app/race/gpu/nvml.h"

namespace tilereel {
namespace {

constexpr int kNvmlSuccess = 0, kSmClock = 1, kGpuTemperature = 0;

}  // namespace

Result<Nvml> Nvml::open(const std::string& pci_bus_id) {
    const auto library = SharedLibrary::open({"libnvidia-ml.so.1"});
    if (!library) return failed("NVML is not on this machine: clocks stay unknown");
    Init *init = nullptr, *shut_down = nullptr;
    GetHandle* get_handle = nullptr;
    Nvml nvml;
    for (const Status& found :
         {library->find("nvmlInit_v2", init), library->find("nvmlShutdown", shut_down),
          library->find("nvmlDeviceGetHandleByPciBusId_v2", get_handle),
          library->find("nvmlDeviceGetClockInfo", nvml.clock_),
          library->find("nvmlDeviceGetTemperature", nvml.temperature_),
          library->find("nvmlDeviceGetPowerUsage", nvml.power_)})
        if (!found) return found.error();
    if (const int status = init(); status != kNvmlSuccess)
        return failed("NVML did not start (status " + std::to_string(status) +
                      "): clocks stay unknown");
    void* device = nullptr;
    const int status = get_handle(pci_bus_id.c_str(), &device);
    if (status != kNvmlSuccess || !device) {
        static_cast<void>(shut_down());
        return failed("NVML does not know this GPU (status " + std::to_string(status) +
                      "): clocks stay unknown");
    }
    nvml.device_ = {device, ShutDown{shut_down}};
    return nvml;
}

Conditions Nvml::conditions() const {
    Conditions conditions;
    unsigned value = 0;
    if (clock_(device_.get(), kSmClock, &value) == kNvmlSuccess) conditions.sm_clock_mhz = value;
    if (temperature_(device_.get(), kGpuTemperature, &value) == kNvmlSuccess)
        conditions.temperature_c = value;
    if (power_(device_.get(), &value) == kNvmlSuccess) conditions.power_w = value / 1000.0;  // mW
    return conditions;
}

}  // namespace tilereel
