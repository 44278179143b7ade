import { inspect } from 'node:util'
import type { Command } from 'commander'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { Scopes } from '../../activity/scopes.ts'
import { trace } from '../../tracing/trace.ts'
import type { CommandDescription } from '../../project/scripts/bound-command.ts'
import { CommandActivity } from '../command-activity.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { commandParser } from '../run/command-parser.ts'
import type { FoundCommand } from '../run/command-parser.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import { untilSignal } from '../until-signal.ts'

/** Options of `framework run`. */
export interface RunFlags {
  readonly project: string
  readonly environment?: Environments
}

/** Where a command is run. */
export interface RunPlace {
  readonly terminal: Terminal
  /** `framework run` itself, whose settings its commands share. */
  readonly parent: Command
}

/** Runs the command of a project that the words name, and resolves with its exit status; lists all without one. */
export async function runProjectCommand(
  words: readonly string[],
  { project: root, environment: chosen }: RunFlags,
  { terminal, parent }: RunPlace,
): Promise<number> {
  const { environment } = enterEnvironment(root, chosen)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { loadProject } = await import('../../project/load-project.ts')
  const project = await loadProject(root)
  if (words.length === 0) return listCommands(project.commands, terminal)
  let status: number = ExitStatus.Ok
  const found: FoundCommand = async (name, given) => {
    nameActivity(name)
    const { assembleServices } = await import('../../project/assemble-services.ts')
    const { built, logs, close } = await assembleServices(
      { root, environment, project },
      // stdout is for the output of the command.
      { channel: 'command', output: process.stderr },
      (_project, ...context) => project.bindCommands(...context),
    )
    const { signal, release } = politely(terminal)
    try {
      const log = logs.channel('command')
      const print = (line: string): void => terminal.out(`${line}\n`)
      const command = built.find((one) => one.name === name)
      const run = (): unknown => command?.run({ signal, print, log }, given)
      status = checkedStatus(name, await trace(`run ${name}`, async () => run()))
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
  terminal.out(textTable(['command', ''], rows, terminal.paint.bold))
  return ExitStatus.Ok
}

/** The first signal aborts, and says how to end a command that does not obey. */
function politely(terminal: Terminal): ReturnType<typeof untilSignal> {
  const { signal, release } = untilSignal()
  const tell = (): void => terminal.err('stopping; press Ctrl-C again to end it now\n')
  signal.addEventListener('abort', tell)
  return { signal, release }
}

/** Log lines and the inspector show the name, but not the arguments, which may be private. */
function nameActivity(name: string): void {
  const { activity } = Scopes.current()
  if (!(activity instanceof CommandActivity)) return
  activity.title = `run ${name}`
  activity.words = []
}

function checkedStatus(name: string, result: unknown): number {
  if (result === undefined) return ExitStatus.Ok
  if (typeof result === 'number' && Number.isInteger(result) && result >= 0 && result <= 255) {
    return result
  }
  throw new ConfigurationError(
    'E_COMMAND',
    `the command ${name} must return an exit status from 0 to 255 or nothing, got ${printable(inspect(result))}`,
  )
}
