import { setTimeout as sleep } from 'node:timers/promises'

const deadlineMs = 120_000

/** Neither the clock of the machine, which can be set, nor one that a test has replaced. */
const nowMs = performance.now.bind(performance)

/**
 * Resolves with the first value that is neither false nor undefined.
 * @throws Error that names what was waited for, after two minutes or the given seconds: the
 * limit only ends what hangs, since a busy machine may be slow.
 */
export async function waitFor<Value>(
  what: string | (() => string),
  look: () => Value | Promise<Value>,
  seconds: number = deadlineMs / 1000,
): Promise<Exclude<Value, false | undefined>> {
  const endMs = nowMs() + seconds * 1000
  for (;;) {
    const value = await look()
    if (found(value)) return value
    if (nowMs() > endMs) {
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`)
    }
    await sleep(10)
  }
}

function found<Value>(value: Value): value is Exclude<Value, false | undefined> {
  return value !== false && value !== undefined
}
