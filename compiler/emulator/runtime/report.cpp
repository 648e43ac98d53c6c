#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "host_state.h"
#include "json.h"

namespace emulator {

std::string Format(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[2048];
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return text;
}

std::string SourcePath(const std::string& file)
{
    return file.rfind("@/", 0) == 0 ? TheHost().Text("directory") + file.substr(1) : file;
}

void Report(const std::string& kind, const char* compiledFile, int line, const std::string& message)
{
    Report(Finding{kind, compiledFile, line, message, {}});
}

void Report(Finding finding)
{
    finding.file = SourcePath(finding.file);
    for (const Finding& known : TheHost().findings) {
        if (known.kind == finding.kind && known.message == finding.message && known.line == finding.line && known.file == finding.file) {
            return;
        }
    }
    TheHost().findings.push_back(std::move(finding));
}

void LogError(const std::string& source, const char* file, int line, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[2048];
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const std::string path = SourcePath(file);
    TheHost().log.push_back({source, path, line, text});
    if (IsClient()) {  // its user reads standard error
        std::fprintf(stderr, "%s:%d: [%s] %s\n", path.c_str(), line, source.c_str(), text);
    }
}

void FlushFindings()
{
    static size_t shown = 0;
    const char* path = std::getenv("ASCGRAD_REPORT");
    std::vector<Finding>& findings = TheHost().findings;
    if (path == nullptr || shown == findings.size()) {
        return;
    }
    std::ofstream report(path, std::ios::app);
    for (; shown < findings.size(); ++shown) {
        const Finding& finding = findings[shown];
        if (finding.file.empty()) {
            std::fprintf(stderr, "%s: %s\n", finding.kind.c_str(), finding.message.c_str());
        } else {
            std::fprintf(stderr, "%s:%d: %s: %s\n", finding.file.c_str(), finding.line, finding.kind.c_str(),
                         finding.message.c_str());
        }
        report << ToJson(finding) << "\n";
    }
}

void Options::Set(const std::string& name, const std::string& value)
{
    const bool flag = value == "1";
    if (name == "auto_sync") {
        autoSync = flag;
    } else if (name == "check") {
        check = flag;
    } else if (name == "unlisted") {
        unlisted = flag;
    } else if (name == "phase1_only") {
        phase1Only = flag;
    } else if (name == "deterministic") {
        deterministic = flag;
    } else if (name == "callers") {
        callers = flag;
    } else if (name == "timeline") {
        timeline = flag;
    } else if (name == "numbers") {
        numbers = flag;
    } else if (name == "trace") {
        trace = value;
    } else if (name == "cores") {
        cores = static_cast<uint32_t>(std::stoul(value));
    } else if (name == "order") {
        order = value;
    } else if (name == "blocks") {
        blocks.clear();
        std::istringstream list(value);
        for (std::string block; std::getline(list, block, ',');) {
            blocks.push_back(static_cast<uint32_t>(std::stoul(block)));
        }
    } else {
        throw std::invalid_argument("unknown option " + name);
    }
}

void Host::LoadManifest(const std::string& path)
{
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read the manifest " + path);
    }
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        std::string name;
        words >> kind >> name;
        std::string value;
        std::getline(words >> std::ws, value);
        if (kind == "figure") {
            figures[name] = std::stod(value);
        } else if (kind == "text") {
            texts[name] = value;
        } else if (kind == "kernel") {
            kernels[std::stoi(name)] = value;
        } else if (kind == "command") {
            commands[std::stoi(name)] = value;
        } else if (kind == "mixed") {
            mixed = name == "1";
        }
    }
    SetOptions(options);
}

double Host::Figure(const std::string& name) const
{
    const auto found = figures.find(name);
    return found == figures.end() ? 0 : found->second;
}

std::string Host::Text(const std::string& name) const
{
    const auto found = texts.find(name);
    return found == texts.end() ? "" : found->second;
}

// --cores counts vector cores for vector operators and groups of one cube core for mixed ones.
uint32_t Host::CubeCores() const
{
    const auto all = static_cast<uint32_t>(Figure("cores.aic"));
    if (options.cores == 0) {
        return all;
    }
    const uint32_t ratio = all == 0 ? 1 : static_cast<uint32_t>(Figure("cores.aiv")) / all;
    return mixed ? options.cores : (options.cores + ratio - 1) / ratio;
}

uint32_t Host::VectorCores() const
{
    const auto all = static_cast<uint32_t>(Figure("cores.aiv"));
    if (options.cores == 0) {
        return all;
    }
    const auto cube = static_cast<uint32_t>(Figure("cores.aic"));
    return mixed && cube > 0 ? options.cores * (all / cube) : options.cores;
}

void Host::SetOptions(const Options& given)
{
    options = given;
    const auto number = [this](const char* name) { return std::to_string(static_cast<uint64_t>(Figure(name))); };
    const std::string cube = std::to_string(CubeCores());
    const std::string vector = std::to_string(VectorCores());
    platform.resources = {
        {"version",
         {{"SoC_version", Text("soc_version")}, {"Short_SoC_version", Text("name")}, {"NpuArch", number("npu_arch")}}},
        {"SoCInfo",
         {{"ai_core_cnt", cube},
          {"cube_core_cnt", cube},
          {"vector_core_cnt", vector},
          {"l2_size", number("memory.l2")},
          {"memory_size", number("memory.hbm")}}},
        {"AICoreSpec",
         {{"ub_size", number("memory.ub")},
          {"l1_size", number("memory.l1")},
          {"l0_a_size", number("memory.l0a")},
          {"l0_b_size", number("memory.l0b")},
          {"l0_c_size", number("memory.l0c")},
          {"bt_size", number("memory.bias_table")},
          {"fb0_size", number("memory.fixpipe")},
          {"ubblock_size", number("alignment.ub")}}}};
}

void Host::Reset()
{
    findings.clear();
    log.clear();
    launches.clear();
    counters.clear();
    phase = "aclnn";
}

Host& TheHost()
{
    static Host& host = *[] {
        auto* made = new Host;  // never destroyed: static objects of emitted code may still log
        if (const char* manifest = std::getenv("ASCGRAD_MANIFEST")) {
            made->LoadManifest(manifest);
        }
        if (const char* text = std::getenv("ASCGRAD_OPTIONS")) {
            Options options;
            std::istringstream lines(text);
            for (std::string name, value; lines >> name >> value;) {
                options.Set(name, value);
            }
            made->SetOptions(options);
        }
        return made;
    }();
    return host;
}

}  // namespace emulator
