// Launches one kernel, without a host side.
//
//     launcher REQUEST RESULT               one JSON object
//
// A request is a list of lines:
//     option NAME VALUE
//     block_dim N
//     tiling_key N
//     range NAME BYTES in|out|inout [PATH]   global memory, from a file; without one it is a workspace of no content
//     arg NAME|-                             the kernel's arguments in order, each a range or null
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "host_state.h"
#include "json.h"

using namespace emulator;

namespace {

GmRange MakeRange(std::istringstream& words)
{
    GmRange range;
    std::string role;
    words >> range.name >> range.bytes >> role;
    std::string path;
    std::getline(words >> std::ws, path);
    range.writable = role != "in";
    range.poisoned = role == "out";
    range.base = path.empty() ? AllocateDevice(range.bytes, range.name, Fill::POISON)->base
                              : MapDevice(path, range.bytes, range.name, range.writable, Fill::NONE)->base;
    return range;
}

LaunchRequest ReadRequest(std::istream& file)
{
    LaunchRequest request;
    Options options;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        std::string name;
        words >> kind;
        if (kind == "range") {
            request.ranges.push_back(MakeRange(words));
            continue;
        }
        words >> name;
        if (kind == "option") {
            std::string value;
            std::getline(words >> std::ws, value);
            options.Set(name, value);
        } else if (kind == "block_dim") {
            request.blockDim = static_cast<uint32_t>(std::stoul(name));
        } else if (kind == "tiling_key") {
            request.tilingKey = std::stoull(name);
        } else if (kind == "arg") {
            void* address = nullptr;
            for (const GmRange& range : request.ranges) {
                address = range.name == name ? range.base : address;
            }
            request.args.push_back(address);
        } else {
            throw std::invalid_argument("request: unknown line: " + line);
        }
    }
    TheHost().SetOptions(options);
    request.product = TheHost().figures;
    request.scheduleMode = 1;  // what the host would set is taken as right
    request.autoSync = options.autoSync;
    request.check = options.check;
    request.callers = options.callers;
    request.timeline = options.timeline;
    request.order = options.order;
    request.blocks = options.blocks;
    return request;
}

}  // namespace

int main(int count, char** words)
{
    if (count != 3) {
        std::cerr << "launcher REQUEST RESULT\n";
        return 2;
    }
    std::ifstream file(words[1]);
    LaunchRequest request = ReadRequest(file);
    RunKernel(0, request);
    CheckGuards();
    JsonObject counters;
    for (const auto& [name, value] : TheHost().counters) {
        counters.Add(name.c_str(), value);
    }
    std::ofstream(words[2]) << JsonObject()
                                   .AddText("findings", ToJsonList(TheHost().findings, [](const Finding& finding) { return ToJson(finding); }))
                                   .AddText("counters", counters.Text())
                                   .Text();
    return 0;
}
