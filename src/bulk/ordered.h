#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace normtrace::bulk {

// Work on a sequence of blocks by several threads, with everything that can be seen in the order of the sequence.
template <class Block>
struct Stages {
  std::function<bool(Block&)> produce;  // fills the next block, one call at a time; false at the end
  std::function<void(Block&)> work;     // at once on different blocks
  std::function<void(Block&)> retire;   // in the order of produce, one call at a time
};

// Runs the stages until produce has no more. Blocks are reused: there are at most 2·threads + 1 of them, so memory is bounded
// however far one thread falls behind. The exception that is thrown is the one of the earliest block, as if there were
// one thread.
template <class Block>
class Ordered {
 public:
  Ordered(const Stages<Block>& stages, unsigned threads) : stages_(stages), slots_(2 * threads + 1) {
    for (Slot& slot : slots_) free_.push_back(&slot);
    std::vector<std::thread> others;
    try {
      for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those there are do the work.
    }
    run();
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    Block block;
    std::exception_ptr failure;
  };

  void run() {
    std::uint64_t number;
    while (Slot* const slot = next(number)) {
      if (!slot->failure) attempt(*slot, stages_.work);
      finish(slot, number);
    }
  }

  static void attempt(Slot& slot, const std::function<void(Block&)>& stage) {
    try {
      stage(slot.block);
    } catch (...) {
      slot.failure = std::current_exception();
    }
  }

  Slot* next(std::uint64_t& number) {
    const std::lock_guard one_at_a_time(producing_);
    Slot* slot;
    {
      std::unique_lock lock(mutex_);
      has_free_.wait(lock, [this] { return !free_.empty() || ended_; });
      if (ended_) return nullptr;
      slot = free_.back();
      free_.pop_back();
    }
    slot->failure = nullptr;
    bool more = true;
    attempt(*slot, [&](Block& block) { more = stages_.produce(block); });
    if (!more || slot->failure) {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      if (!more) return nullptr;
    }
    number = produced_++;
    return slot;
  }

  // Retires the block if its turn has come, and those that were waiting for it.
  void finish(Slot* slot, std::uint64_t number) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(number, slot);
    if (retiring_) return;
    retiring_ = true;
    while (!waiting_.empty() && waiting_.begin()->first == retired_) {
      Slot* const first = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      lock.unlock();
      if (!first->failure && !failure_) attempt(*first, stages_.retire);
      lock.lock();
      if (first->failure && !failure_) {
        failure_ = first->failure;
        ended_ = true;
      }
      ++retired_;
      free_.push_back(first);
      has_free_.notify_all();
    }
    retiring_ = false;
  }

  const Stages<Block>& stages_;
  std::vector<Slot> slots_;
  std::mutex producing_;  // taken before mutex_
  std::uint64_t produced_ = 0;

  std::mutex mutex_;
  std::condition_variable has_free_;
  std::vector<Slot*> free_;
  std::map<std::uint64_t, Slot*> waiting_;  // worked on, not yet their turn
  std::uint64_t retired_ = 0;
  bool retiring_ = false;
  bool ended_ = false;
  std::exception_ptr failure_;
};

template <class Block>
void run_in_order(const Stages<Block>& stages, unsigned threads) {
  Ordered<Block>(stages, threads == 0 ? 1 : threads);
}

}  // namespace normtrace::bulk
