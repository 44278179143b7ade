import { writeSync } from 'node:fs'
import util from 'node:util'
import { hasCode } from '../files/has-code.ts'

const standardError = 2
/** Between two tries at a pipe that is full. */
const pauseMs = 5
/** A pipe from which nobody reads for this long gets no more. */
const maxPauseMs = 10_000

/**
 * Writes to standard error, all of it before this returns, so that nothing is lost when the process
 * ends next. A reader that is gone is no error.
 */
export function writeErrorOutput(text: string): void {
  let rest = Buffer.from(text)
  let waitedMs = 0
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(standardError, rest))
      waitedMs = 0
    } catch (error) {
      if (!hasCode(error, 'EAGAIN') || waitedMs >= maxPauseMs) return
      pause()
      waitedMs += pauseMs
    }
  }
}

/** Whether standard error wants colours; Node looks at the terminal, NO_COLOR and FORCE_COLOR. */
export function errorOutputHasColors(): boolean {
  try {
    return util.styleText('red', 'x', { stream: process.stderr }) !== 'x'
  } catch {
    // Where there is no such stream any more, there is nobody to see colours either.
    return false
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}
