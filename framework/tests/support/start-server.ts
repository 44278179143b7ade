import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { runningProcesses } from './running-processes.ts'
import { waitFor } from './wait-for.ts'

/** A server in its own process. */
export interface StartedServer {
  readonly port: number
  readonly child: ChildProcess
  readonly pid: number
  /** The JSON lines of its output. */
  readonly lines: readonly Line[]
  /** Everything it wrote to its error output. */
  errors(): string
  /** Resolves when it has ended: with the exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Long enough for a fleet to start on a busy machine. */
const startSeconds = 30

/** A JSON line from a server process. */
export type Line = Readonly<Record<string, unknown>>

/**
 * Runs a server script with its options as JSON and resolves once it prints its port. The process
 * leads its own group, and the whole group is killed when the test ends.
 * @throws Error when it ends before it serves.
 */
export async function startServer(
  t: TestContext,
  script: string,
  options: object = {},
): Promise<StartedServer> {
  const server = launch(t, script, options)
  const look = (): number | undefined => {
    if (server.child.exitCode !== null || server.child.signalCode !== null) {
      throw new Error(`the server ended at once: ${server.errors()}`)
    }
    return portIn(server.lines)
  }
  const port = await waitFor('the port of the server', look, startSeconds)
  return { ...server, port }
}

/** Runs a server script that is expected to fail. */
export function launch(
  t: TestContext,
  script: string,
  options: object,
): Omit<StartedServer, 'port'> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--expose-gc', script, JSON.stringify(options)],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const pid = child.pid ?? 0
  const lines: Line[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = once(child, 'exit').then(() => child.exitCode ?? child.signalCode)
  t.after(() => killGroup(pid))
  return { child, pid, lines, errors: () => errors, ended }
}

/** Ids of the live processes of a group, without zombies. */
export function groupMembers(leader: number): number[] {
  return runningProcesses()
    .filter(({ group }) => group === leader)
    .map(({ pid }) => pid)
}

function portIn(lines: readonly Line[]): number | undefined {
  const port = lines.find((line) => 'port' in line)?.['port']
  return typeof port === 'number' ? port : undefined
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes have already ended, as they should.
  }
}
