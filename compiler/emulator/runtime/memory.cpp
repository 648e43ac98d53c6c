#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "host_state.h"

namespace emulator {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kGuard = 4 * kPage;
constexpr uint8_t kGuardByte = 0xA5;

std::map<const uint8_t*, Allocation>& Table()
{
    static auto& table = *new std::map<const uint8_t*, Allocation>;
    return table;
}

uint8_t* Map(void* address, uint64_t bytes, int protection, int flags, int descriptor, const std::string& name)
{
    void* result = mmap(address, bytes, protection, flags, descriptor, 0);
    if (result == MAP_FAILED) {
        throw std::runtime_error(Format("cannot map %llu bytes for %s: %s", static_cast<unsigned long long>(bytes),
                                        name.c_str(), std::strerror(errno)));
    }
    return static_cast<uint8_t*>(result);
}

Allocation MakeRegion(uint64_t bytes, const std::string& name, int protection)
{
    Allocation made;
    made.bytes = bytes;
    made.name = name;
    made.regionBytes = (bytes + kPage - 1) / kPage * kPage + 2 * kGuard;
    made.region = Map(nullptr, made.regionBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, name);
    made.base = made.region + kGuard;
    return made;
}

Allocation* Enter(const Allocation& made, Fill fill)
{
    if (made.accessible) {
        std::memset(made.region, kGuardByte, kGuard);
        const uint8_t* end = made.base + made.bytes;
        std::memset(const_cast<uint8_t*>(end), kGuardByte, made.region + made.regionBytes - end);
        if (fill == Fill::POISON) {
            Poison(made.base, made.bytes);
        }
    }
    return &(Table()[made.base] = made);
}

// The first byte of [begin, end) that is no longer what guards are filled with.
const uint8_t* FirstChange(const uint8_t* begin, const uint8_t* end)
{
    for (const uint8_t* byte = begin; byte != end; ++byte) {
        if (*byte != kGuardByte) {
            return byte;
        }
    }
    return nullptr;
}

int accessDepth = 0;

void Protect(const Allocation& allocation, bool open)
{
    if (allocation.accessible) {
        mprotect(allocation.region, allocation.regionBytes, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}

void OnBadAccess(int, siginfo_t* info, void*)
{
    const auto* address = static_cast<const uint8_t*>(info->si_addr);
    for (const auto& [base, allocation] : Table()) {
        if (address >= allocation.region && address < allocation.region + allocation.regionBytes) {
            Report("host_access", "", 0,
                   Format("the program touches %s%s on the host; device memory is for aclrtMemcpy and kernels",
                          allocation.name.c_str(), allocation.freed ? ", which was freed," : ""));
            break;
        }
    }
    FlushFindings();
    _exit(128 + SIGSEGV);
}

}  // namespace

bool IsClient()
{
    static const bool client = std::getenv("ASCGRAD_REPORT") != nullptr;
    return client;
}

DeviceAccess::DeviceAccess()
{
    if (IsClient() && accessDepth++ == 0) {
        for (const auto& [base, allocation] : Table()) {
            Protect(allocation, true);
        }
    }
}

DeviceAccess::~DeviceAccess()
{
    if (IsClient() && --accessDepth == 0) {
        for (const auto& [base, allocation] : Table()) {
            Protect(allocation, false);
        }
    }
}

void Poison(void* address, uint64_t bytes)
{
    if (bytes <= kLargestPoisoned) {
        std::memset(address, kPoisonByte, bytes);
    }
}

Allocation* AllocateDevice(uint64_t bytes, const std::string& name, Fill fill)
{
    if (IsClient()) {
        struct sigaction action = {};
        action.sa_sigaction = OnBadAccess;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
    }
    Allocation* made = Enter(MakeRegion(bytes, name, PROT_READ | PROT_WRITE), fill);
    if (IsClient() && accessDepth == 0) {
        Protect(*made, false);
    }
    return made;
}

Allocation* MapDevice(const std::string& path, uint64_t bytes, const std::string& name, bool shared, Fill fill)
{
    const int descriptor = open(path.c_str(), shared ? O_RDWR : O_RDONLY);
    if (descriptor < 0) {
        throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
    }
    if (static_cast<uint64_t>(lseek(descriptor, 0, SEEK_END)) < bytes) {
        close(descriptor);
        throw std::runtime_error(path + " is shorter than " + std::to_string(bytes) + " bytes");
    }
    Allocation made = MakeRegion(bytes, name, PROT_READ | PROT_WRITE);
    if (bytes > 0) {
        Map(made.base, bytes, PROT_READ | PROT_WRITE, (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED | MAP_NORESERVE,
            descriptor, name);
    }
    close(descriptor);
    return Enter(made, fill);
}

Allocation* ReserveDevice(uint64_t bytes, const std::string& name)
{
    Allocation made = MakeRegion(bytes, name, PROT_NONE);
    made.accessible = false;
    return Enter(made, Fill::NONE);
}

Allocation* FindAllocation(const void* address)
{
    const auto* byte = static_cast<const uint8_t*>(address);
    auto above = Table().upper_bound(byte);
    if (above == Table().begin()) {
        return nullptr;
    }
    Allocation& candidate = std::prev(above)->second;
    return byte < candidate.base + candidate.bytes || byte == candidate.base ? &candidate : nullptr;
}

void FreeDevice(Allocation* allocation)
{
    CheckGuards();
    madvise(allocation->region, allocation->regionBytes, MADV_DONTNEED);
    mprotect(allocation->region, allocation->regionBytes, PROT_NONE);
    allocation->freed = true;
    allocation->accessible = false;
}

void ReleaseAllDevice()
{
    for (auto& [base, allocation] : Table()) {
        munmap(allocation.region, allocation.regionBytes);
    }
    Table().clear();
}

void CheckGuards()
{
    for (auto& [base, allocation] : Table()) {
        if (!allocation.accessible) {
            continue;
        }
        const uint8_t* end = allocation.base + allocation.bytes;
        const uint8_t* before = FirstChange(allocation.region, allocation.base);
        const uint8_t* after = FirstChange(end, allocation.region + allocation.regionBytes);
        if (before != nullptr) {
            Report("guard", "", 0,
                   Format("write in front of %s, %ld bytes before its start", allocation.name.c_str(),
                          static_cast<long>(allocation.base - before)));
        }
        if (after != nullptr) {
            Report("guard", "", 0,
                   Format("write behind %s (%llu bytes), %ld bytes after its end", allocation.name.c_str(),
                          static_cast<unsigned long long>(allocation.bytes), static_cast<long>(after - end)));
        }
    }
}

}  // namespace emulator
