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

void DropLines(const uint8_t* address) {
    Words& words = Current().words;
    const uint64_t line = uint64_t(reinterpret_cast<uintptr_t>(address)) / CACHE_LINE;
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
        std::memcpy(value, &word.before, bytes);
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
