import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { reportFlags } from '../../base/crash-reports/enable-crash-reports.ts'
import { ExitStatus } from '../exit-status.ts'
import type { Terminal } from '../terminal.ts'
import { watchProject } from './watch-project.ts'

/** How long the old server may take to stop; a hanging request must not block the restart. */
const killDelayMs = 2000

/**
 * Runs `framework serve` in a child process and restarts it when a file of the project changes. If the
 * server exits by itself, it is restarted with the next change. Resolves after a signal ended both.
 */
export async function superviseServer(
  root: string,
  terminal: Terminal,
  commandLine: readonly string[] = process.argv.slice(1),
): Promise<ExitStatus> {
  const { dim, yellow } = terminal.paint
  let stopping = false
  let turn: Promise<void> = Promise.resolve()

  const start = (): ChildProcess => {
    const words = commandLine.filter((word) => word !== '--watch')
    const args = [...process.execArgv, ...reportFlags, ...words]
    // Through the IPC channel the server notices when this process is gone.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
    const child = spawn(process.execPath, args, { stdio: [...stdio] })
    child.once('exit', (code, signal) => {
      if (child !== current || stopping) return
      const end = signal ?? `status ${code}`
      terminal.out(yellow(`The server exited (${end}); it restarts with the next change.\n`))
    })
    return child
  }
  const restart = async (files: readonly string[]): Promise<void> => {
    if (stopping) return
    terminal.out(dim(`changed: ${files.join(', ')}\n`))
    const old = current
    // From here on its exit is intended and not announced.
    current = null
    await end(old)
    current = start()
  }

  let current: ChildProcess | null = null
  current = start()
  const unwatch = watchProject(root, (files) => {
    turn = turn.then(() => restart(files))
  })
  await stopSignal()
  stopping = true
  unwatch()
  await turn
  await end(current)
  return ExitStatus.Ok
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), killDelayMs)
  await gone
  clearTimeout(timer)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
