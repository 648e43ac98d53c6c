// Words of global memory that cores tell one another something with.
#include "emulator/entry.h"

namespace emulator {

void SettleAccesses(bool global, bool local) {
    Core& core = Current();
    if (!core.launch.check) {
        return;
    }
    for (pipe_t pipe : {PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3}) {
        if (pipe == PIPE_V ? local : pipe == PIPE_S || global) {
            core.words.settled.Join(core.Complete(IndexOf(pipe)));
        }
    }
}

void PublishWords(uint64_t low, uint64_t high) {
    Core& core = Current();
    Clock clock = core.words.settled;
    clock.Join(core.order.known[PIPE_S]);
    std::vector<Word>& written = core.words.written;
    const auto rest = std::stable_partition(written.begin(), written.end(), [&](const Word& w) { return w.address < low || w.address >= high; });
    if (rest == written.end()) {
        return;
    }
    Everywhere all(core.launch.cores.size());
    all = clock.others != nullptr ? *clock.others : all;
    all[core.index].Join(clock.own);
    const Shared told = std::make_shared<const Everywhere>(std::move(all));
    for (auto word = rest; word != written.end(); ++word) {
        word->told = told;
        core.launch.words[word->address] = std::move(*word);
    }
    written.erase(rest, written.end());
}

// The bytes of a line that an access touches, as bits.
static uint64_t BytesOfLine(const Pattern& pattern, uint64_t line) {
    uint64_t bits = 0;
    for (uint64_t at = line * CACHE_LINE, end = at + CACHE_LINE; at < end && pattern.Touches(at, end, at); ++at) {
        bits |= 1ull << (at % CACHE_LINE);
    }
    return bits;
}

// Whether what a pipe of some core did in that epoch is complete for a pipe of this one.
static bool Knows(pipe_t pipe, uint16_t core, int by, uint32_t epoch) {
    const Clock& known = Current().order.known[IndexOf(pipe)];
    if (core == Current().index) {
        return by == IndexOf(pipe) || known.own.of[by] >= epoch;
    }
    return known.others != nullptr && (*known.others)[core].of[by] >= epoch;
}

// What two cores do unordered is a hazard, whatever the caches hold.
void MeetCaches(const Instruction& instruction, const Access& access) {
    Core& core = Current();
    auto& cached = core.launch.cached;
    const Pattern& pattern = access.pattern;
    for (auto it = cached.lower_bound(pattern.begin / CACHE_LINE); it != cached.end() && it->first * CACHE_LINE < pattern.end; ++it) {
        const uint64_t bits = BytesOfLine(pattern, it->first);
        for (Core* holder : it->second) {
            if (bits == 0 || (holder == &core && instruction.cached)) {
                continue;
            }
            CachedLine& line = holder->words.lines[it->first];
            if (access.write()) {
                const int pipe = IndexOf(instruction.pipe);
                line.stale |= bits;
                line.change = {pattern, core.order.epoch[pipe], core.index, uint8_t(pipe), access.kind, false, false, false, instruction.name,
                               instruction.site};
            }
            const bool later = (holder == &core && access.write()) || Knows(instruction.pipe, holder->index, IndexOf(PIPE_S), line.epoch);
            if (later && (access.write() ? line.dirty : line.dirty & bits) != 0) {
                const GlobalRange* entry = core.launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(it->first * CACHE_LINE)));
                core.launch.Report("cache", line.site, "%s leaves a line of %s in the data cache, which %s %s at %s: "
                                   "DataCacheCleanAndInvalid has to come between", line.name, entry->range->name.c_str(), instruction.name,
                                   Verb(access.kind), Place(instruction.site).c_str());
            }
        }
    }
}

void TouchLine(const Instruction& instruction, const Access& access) {
    Core& core = Current();
    const uint64_t address = access.pattern.begin / CACHE_LINE, bits = BytesOfLine(access.pattern, address);
    const auto [found, fetched] = core.words.lines.try_emplace(address);
    CachedLine& line = found->second;
    if (fetched) {
        core.launch.cached[address].push_back(&core);
        line.site = instruction.site;
        line.name = instruction.name;
    }
    // A written line takes back to memory what was in its other bytes.
    const uint64_t old = line.stale & (access.write() ? ~bits : bits);
    if (old != 0 && Knows(PIPE_S, line.change.core, line.change.pipe, line.change.epoch)) {
        core.launch.Report("cache", instruction.site, "%s finds a line in the data cache, where it is since %s and which %s %s at %s since: "
                           "DataCacheCleanAndInvalid has to come between", instruction.name, Place(line.site).c_str(), line.change.name,
                           Verb(line.change.kind), Place(line.change.site).c_str());
    }
    if (access.write()) {
        line.dirty |= bits;
        line.stale &= ~bits;
        line.epoch = core.order.epoch[IndexOf(PIPE_S)];
        line.site = instruction.site;
        line.name = instruction.name;
    }
}

static void Forget(Core& core, uint64_t line) {
    std::vector<Core*>& holders = core.launch.cached[line];
    holders.erase(std::remove(holders.begin(), holders.end(), &core), holders.end());
    if (holders.empty()) {
        core.launch.cached.erase(line);
    }
}

// What leaves the cache of this core: all lines, or of one those bytes that lie behind the address.
static void CleanLines(uint64_t address) {
    Core& core = Current();
    auto& lines = core.words.lines;
    if (address == 0) {
        for (const auto& [line, held] : lines) {
            Forget(core, line);
        }
        lines.clear();
        return;
    }
    const auto found = lines.find(address / CACHE_LINE);
    if (found == lines.end()) {
        return;
    }
    const uint64_t before = (1ull << (address % CACHE_LINE)) - 1;
    found->second.dirty &= before;
    found->second.stale &= before;
    if (found->second.dirty == 0 && found->second.stale == 0) {
        Forget(core, found->first);
        lines.erase(found);
    }
}

void DropLines(const uint8_t* address) {
    Words& words = Current().words;
    const uint64_t line = uint64_t(reinterpret_cast<uintptr_t>(address)) / CACHE_LINE;
    CleanLines(uint64_t(reinterpret_cast<uintptr_t>(address)));
    if (address == nullptr) {
        words.allFresh = true;
        words.stale.clear();
    } else {
        words.fresh.insert(line);
    }
    if (Current().launch.check) {
        PublishWords(line * CACHE_LINE, address == nullptr ? ~0ull : (line + 1) * CACHE_LINE);
    }
}

bool ReadsMemory(uint64_t address) {
    Words& words = Current().words;
    const uint64_t line = address / CACHE_LINE;
    const bool fresh = words.fresh.erase(line) > 0 || (words.allFresh && words.stale.count(line) == 0);
    if (words.allFresh) {
        words.stale.insert(line);
    }
    return fresh;
}

void Poll(Site site) {
    Core& core = Current();
    if (core.launch.cores.size() < 2) {
        return;
    }
    core.polling = true;
    core.waitSite = site;
    Suspend();
    core.polling = false;
}

void ReadWord(uint64_t address, void* value, uint64_t bytes, Site site) {
    Core& core = Current();
    auto found = core.launch.words.find(address);
    if (found == core.launch.words.end() || found->second.core == core.index) {
        return;
    }
    Word& word = found->second;
    const Shared& known = core.order.known[IndexOf(PIPE_S)].others;
    const bool ordered = known != nullptr && (*known)[word.core].of[IndexOf(PIPE_S)] >= word.epoch;
    if (!ordered && std::find(word.readers.begin(), word.readers.end(), core.index) == word.readers.end()) {
        word.readers.push_back(core.index);
        core.words.pending[address] = site;
        std::memcpy(value, &word.before, std::min<uint64_t>(bytes, sizeof(word.before)));
        return;
    }
    core.words.pending.erase(address);
    core.Learn(PIPE_S, word.told);
}

void ReportEarlyReads(Core& core) {
    for (const auto& [address, site] : core.words.pending) {
        const GlobalRange* entry = core.launch.gm.Find(reinterpret_cast<const uint8_t*>(uintptr_t(address)));
        const Word& word = core.launch.words[address];
        core.launch.Report("hazard", site, "%s reads byte %llu of %s, which %s writes: no SyncAll, flag between the cores or word that is polled "
                           "orders them", CoreName(core).c_str(), (unsigned long long)(address - uint64_t(uintptr_t(entry->range->base))),
                           entry->range->name.c_str(), CoreName(*core.launch.cores[word.core]).c_str());
    }
}

void CountSpins(const uint8_t* address, const std::string& name, Site site) {
    Core& core = Current();
    constexpr uint32_t MANY = 1 << 20;
    Words& words = core.words;
    words.spins = words.spinsAt == address ? words.spins + 1 : 0;
    words.spinsAt = address;
    if (words.spins == MANY) {
        core.launch.Report("deadlock", site, "%s reads the same word of %s for ever: it is in the data cache, DataCacheCleanAndInvalid or "
                           "ReadGmByPassDCache see what others write", CoreName(core).c_str(), name.c_str());
        core.state = CoreState::Done;
        Suspend();
    }
}

}  // namespace emulator
