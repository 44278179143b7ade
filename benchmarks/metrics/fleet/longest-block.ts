/**
 * Watches how late timers come, every millisecond. `take()` gives the longest time in milliseconds
 * that the event loop was held since the last call.
 */
export function watchLongestBlock(): { take(): number } {
  let lastMs = performance.now()
  let longest = 0
  setInterval(() => {
    const nowMs = performance.now()
    // A timer of one millisecond that comes in time is no block.
    longest = Math.max(longest, nowMs - lastMs - 1)
    lastMs = nowMs
  }, 1)
  return {
    take() {
      const held = longest
      longest = 0
      lastMs = performance.now()
      return held
    },
  }
}
