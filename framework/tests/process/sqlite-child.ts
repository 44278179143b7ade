import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'

/** A process that runs one of the `sqlite-*-child.ts` files. */
export interface SqliteChild {
  /** Resolves with the next line it writes, or null at the end. */
  readonly line: () => Promise<string | null>
  /** Closes its input and waits until it has ended. */
  readonly finish: () => Promise<unknown>
  /** Waits until it has ended; resolves with the exit status or the signal. */
  readonly ended: () => Promise<unknown>
  readonly kill: () => void
}

/** Starts a child, which is killed when the test ends. */
export function startChild(
  t: TestContext,
  name: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): SqliteChild {
  const file = join(import.meta.dirname, `sqlite-${name}-child.ts`)
  const child = spawn(process.execPath, ['--conditions=source', file, ...parameters], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  })
  const status = statusOf(child)
  t.after(async () => {
    child.kill('SIGKILL')
    await status
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    line: async () => {
      const { value, done } = await lines.next()
      return done === true ? null : value
    },
    finish: () => {
      child.stdin.end()
      return status
    },
    ended: () => status,
    kill: () => void child.kill('SIGKILL'),
  }
}

async function statusOf(child: ChildProcess): Promise<unknown> {
  const [code, signal] = await once(child, 'close')
  return signal ?? code
}
