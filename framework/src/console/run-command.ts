import { inspect } from 'node:util'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { CurrentWork } from '../activity/current-work.ts'
import { printable } from '../base/encoding/printable.ts'
import { ConfigurationError } from '../base/errors.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import type { CommandDescription, CommandParameters, ParsedValues } from '../project/command.ts'
import type { Parameter } from '../project/parameter.ts'
import { trace } from '../tracing/trace.ts'
import { CommandActivity } from './command-activity.ts'
import { enterEnvironment } from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'

/** What a command is run with. */
export interface RunContext {
  readonly terminal: Terminal
  /** `framework run` itself, whose settings its commands share. */
  readonly parent: Command
}

/** Runs the command of a project that the words name, and resolves with its exit status; lists all without one. */
export async function runProjectCommand(
  words: readonly string[],
  { project: root, environment: chosen }: ProjectFlags,
  { terminal, parent }: RunContext,
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
    const { signal, release } = stopOnSignal(terminal)
    try {
      const log = logs.channel('command')
      const print = (line: string): void => terminal.out(`${line}\n`)
      const command = commands().find((one) => one.name === name)
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
function stopOnSignal(terminal: Terminal): ReturnType<typeof untilSignal> {
  const { signal, release } = untilSignal()
  const print = (): void => terminal.err('stopping; press Ctrl-C again to end it now\n')
  signal.addEventListener('abort', print)
  return { signal, release }
}

/** Log lines and the inspector show the name, but not the arguments, which may be private. */
function nameActivity(name: string): void {
  const { activity } = CurrentWork.context()
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

/** Runs a command that was found with its values. */
type FoundCommand = (
  name: string,
  given: { readonly args: ParsedValues; readonly options: ParsedValues },
) => Promise<void>

/** A parser for the commands of a project, with help for each and suggestions for misspelt names. */
function commandParser(
  commands: readonly CommandDescription[],
  parent: Command,
  found: FoundCommand,
): Command {
  const parser = new Command('framework run')
    .copyInheritedSettings(parent)
    .helpCommand(false)
    .helpOption('-h, --help', 'explain the command')
    .showHelpAfterError('See framework run for the commands of this project.')
  for (const { name, description, args, options } of commands) {
    const command = parser.command(name).description(description)
    for (const [key, parameter] of Object.entries(args)) {
      command.addArgument(argumentOf(key, parameter))
    }
    for (const [key, parameter] of Object.entries(options)) {
      command.addOption(optionOf(key, parameter))
    }
    command.action(() =>
      found(name, { args: argsOf(args, command.processedArgs), options: command.opts() }),
    )
  }
  return parser
}

/** `file`, or `files...` for a list, in the brackets of the help. */
function argumentOf(key: string, parameter: Parameter<unknown>): Argument {
  const { kind, description, isOptional, fallback } = parameter
  const name = kind === 'list' ? `${dashed(key)}...` : dashed(key)
  const argument = new Argument(isOptional ? `[${name}]` : `<${name}>`, description)
  if (kind === 'list') return argument.default(fallback, 'none')
  argument.argParser((text) => parsed(parameter, text))
  return fallback === undefined ? argument : argument.default(fallback)
}

/** `--dry-run`, or `--limit <number>`. */
function optionOf(key: string, parameter: Parameter<unknown>): Option {
  const { kind, description, placeholder, isOptional, fallback } = parameter
  const flag = `--${dashed(key)}`
  if (kind === 'flag') return new Option(flag, description).default(false)
  const option = new Option(`${flag} <${placeholder}>`, description)
  option.argParser((text) => parsed(parameter, text)).makeOptionMandatory(!isOptional)
  return fallback === undefined ? option : option.default(fallback)
}

function argsOf(args: CommandParameters, values: readonly unknown[]): ParsedValues {
  return Object.fromEntries(Object.keys(args).map((key, at) => [key, values[at]]))
}

function parsed({ parse, expects }: Parameter<unknown>, text: string): unknown {
  const value = parse(text)
  if (value !== undefined) return value
  throw new InvalidArgumentError(`It must be ${expects}.`)
}

/** `dryRun` as `dry-run`. */
function dashed(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
