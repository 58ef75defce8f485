// Catch2 2 wants its main compiled once; Catch2 3 brings its own.
#ifndef NORMTRACE_CATCH2_3
#define CATCH_CONFIG_MAIN
#endif
#include "catch.h"
