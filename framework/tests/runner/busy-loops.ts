import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Checks for its parent all the time, so that it ends with it in any case. */
const loop = `const parent = process.ppid
while (process.ppid === parent) Math.random()`

/**
 * Keeps `count` CPUs busy beside the tests, like other work on a machine. Returns a
 * function that stops it.
 */
export function startBusyLoops(count: number): () => Promise<void> {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', loop], { stdio: 'ignore' }),
  )
  const ended = children.map((child) => once(child, 'exit'))
  return async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
  }
}
