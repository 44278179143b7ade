import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { reportFlags } from '../../errors/crash-reports/enable-crash-reports.ts'
import { isMessageToWatcher, watchVariable } from '../../http/watch/watch-messages.ts'
import type { MessageFromWatcher } from '../../http/watch/watch-messages.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { untilSignal } from '../../base/terminal/until-signal.ts'
import { KeptListener } from './kept-listener.ts'
import { watchProject, ChangeKinds, changeKind } from './watch-project.ts'

/** How long the old server may take to stop; a hanging request must not block the restart. */
const killDelayMs = 2000

/**
 * Runs `framework serve` in a child process and restarts it when a file of the project changes, on the
 * same port and without refusing a connection. Templates and static files need no restart in development:
 * there the server only tells its pages. If the server exits by itself, it is restarted with the next
 * change. Resolves after a signal ended both.
 */
export async function superviseServer(
  root: string,
  terminal: Terminal,
  commandLine: readonly string[] = process.argv.slice(1),
): Promise<ExitStatus> {
  const { dim, yellow } = terminal.paint
  const listener = new KeptListener()
  const live = new WeakSet<ChildProcess>()
  let stopping = false
  let turn: Promise<void> = Promise.resolve()

  const start = (): ChildProcess => {
    const words = commandLine.filter((word) => word !== '--watch')
    const args = [...process.execArgv, ...reportFlags, ...words]
    // Through the IPC channel the server notices when this process is gone.
    const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc']
    const env = { ...process.env, [watchVariable]: String(process.pid) }
    const child = spawn(process.execPath, args, { stdio, env })
    listener.serve(child)
    child.on('message', (message) => {
      if (isMessageToWatcher(message) && message.type === 'framework:live') live.add(child)
    })
    child.once('exit', (code, signal) => {
      if (child !== current || stopping) return
      const text = `The server exited (${signal ?? `status ${code}`}); it restarts with the next change.`
      listener.refuse(text)
      terminal.out(yellow(`${text}\n`))
    })
    return child
  }
  const change = async (files: readonly string[]): Promise<void> => {
    const needed = files.filter((file) => changeKind(file) !== ChangeKinds.Start)
    const changed = hasEnded(current) ? files : needed
    if (stopping || changed.length === 0) return
    const reloads = changed.every((file) => changeKind(file) === ChangeKinds.Reload)
    if (reloads && !hasEnded(current)) {
      if (current !== null && live.has(current)) {
        const message: MessageFromWatcher = { type: 'framework:changed', files: changed }
        current.send(message, () => {})
        return
      }
      // Outside development templates are read once, and static files each time.
      if (changed.every((file) => file.startsWith('public'))) return
    }
    terminal.out(dim(`changed: ${changed.join(', ')}\n`))
    const old = current
    // From here on its exit is intended and not announced.
    current = null
    listener.hold()
    await end(old)
    current = start()
  }

  let current: ChildProcess | null = null
  current = start()
  const unwatch = watchProject(root, (files) => {
    turn = turn.then(() => change(files))
  })
  await once(untilSignal().signal, 'abort')
  stopping = true
  unwatch()
  await turn
  listener.close()
  await end(current)
  return ExitStatus.Ok
}

function hasEnded(child: ChildProcess | null): boolean {
  return child === null || child.exitCode !== null || child.signalCode !== null
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), killDelayMs)
  await gone
  clearTimeout(timer)
}
