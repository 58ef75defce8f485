#pragma once

// Catch2 2.13 (Debian 12) and Catch2 3 (Debian 13) differ only in their header's name and in where Approx lies for what
// these tests use.
#ifdef NORMTRACE_CATCH2_3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
