#pragma once

#include <filesystem>

// Where things lie in this build.
namespace places {

std::filesystem::path root();        // of the project
std::filesystem::path program();     // the one that was built
std::filesystem::path playground();  // an empty folder

}  // namespace places
