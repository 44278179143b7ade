import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** It looks for its parent all the time, so it ends with it however that ends. */
const loop = `const parent = process.ppid
while (process.ppid === parent) Math.random()`

/**
 * Keeps `count` processors busy beside what is tested, as other work of a machine does. Returns a
 * function that stops that.
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
