import type { Command } from 'commander'
import { CurrentWork } from '../activity/current-work.ts'
import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import { commandParser } from '../project/command-parser.ts'
import type { FoundCommand } from '../project/command-parser.ts'
import type { CommandDescription } from '../project/command.ts'
import { trace } from '../tracing/trace.ts'
import { CommandActivity } from './command-activity.ts'
import { enterEnvironment } from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'

/**
 * Runs the command of a project that the words name, and resolves with its exit status; lists all without one.
 * `parent` is `framework run` itself, whose settings its commands share.
 */
export async function runProjectCommand(
  words: readonly string[],
  { project: root, environment: chosen }: ProjectFlags,
  { terminal, parent }: { readonly terminal: Terminal; readonly parent: Command },
): Promise<number> {
  const { environment } = enterEnvironment(root, chosen)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { loadProject } = await import('../project/start/load-project.ts')
  const project = await loadProject(root)
  if (words.length === 0) return listCommands(project.commands, terminal)
  let status: number = ExitStatus.Ok
  const found: FoundCommand = async (name, given) => {
    nameActivity(name)
    const { openProject } = await import('../project/start/open-project.ts')
    // stdout is for the output of the command.
    const options = { channel: 'command', output: process.stderr }
    const { commands, logs, close } = await openProject({ root, environment, project, ...options })
    // The first signal aborts it; here is how to end one that does not obey.
    const { signal, release } = untilSignal()
    const warn = (): void => terminal.err('stopping; press Ctrl-C again to end it now\n')
    signal.addEventListener('abort', warn)
    try {
      const log = logs.channel('command')
      const print = (line: string): void => terminal.out(`${line}\n`)
      const command = commands().find((one) => one.name === name)
      const run = async (): Promise<number> => command?.run({ signal, print, log }, given) ?? 0
      status = await trace(`run ${name}`, run)
    } finally {
      release()
      await close()
    }
  }
  await commandParser(project.commands, parent, found).parseAsync([...words], { from: 'user' })
  return status
}

function listCommands(commands: readonly CommandDescription[], terminal: Terminal): ExitStatus {
  if (commands.length === 0) {
    terminal.out('there are no commands: the project has no "commands" in defineProject()\n')
    return ExitStatus.Ok
  }
  const rows = commands.map(({ name, description }) => [printable(name), printable(description)])
  terminal.out(textTable(['command', ''], rows, terminal))
  return ExitStatus.Ok
}

/** Log lines and the inspector show the name, but not the arguments, which may be private. */
function nameActivity(name: string): void {
  const { activity } = CurrentWork.context()
  if (!(activity instanceof CommandActivity)) return
  activity.title = `run ${name}`
  activity.words = []
}
