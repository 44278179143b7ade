import { hasCode } from '../../base/errors.ts'

const standardError = 2
/** Time between two attempts to write to a full pipe. */
const pauseMs = 5
/** After this long without a reader the rest is dropped. */
const maxPauseMs = 10_000

/**
 * Writes to standard error synchronously, so that nothing is lost when the process exits next.
 * A closed pipe is not an error.
 */
export function writeErrorOutput(text: string): void {
  const { writeSync } = process.getBuiltinModule('node:fs')
  let rest = Buffer.from(text)
  let waitedMs = 0
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(standardError, rest))
      waitedMs = 0
    } catch (error) {
      if (!hasCode(error, 'EAGAIN') || waitedMs >= maxPauseMs) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
      waitedMs += pauseMs
    }
  }
}

/** Whether standard error should be coloured; Node checks the terminal, NO_COLOR and FORCE_COLOR. */
export function errorOutputHasColors(): boolean {
  try {
    const util = process.getBuiltinModule('node:util')
    return util.styleText('red', 'x', { stream: process.stderr }) !== 'x'
  } catch {
    // The stream no longer exists.
    return false
  }
}
