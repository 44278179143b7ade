import { inspect } from 'node:util'
import { printable } from '../base/encoding/printable.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { Channel } from '../logs/channel.ts'
import type { Parameter } from './parameter.ts'

/** Arguments or options of a command, by their name in code. */
export type CommandParameters = Readonly<Record<string, Parameter<unknown>>>

/** The values of arguments or options. */
export type ValuesOfParameters<Given extends CommandParameters> = {
  readonly [Name in keyof Given]: Given[Name] extends Parameter<infer T> ? T : never
}

/** Describes a command. */
export interface CommandOptions<Args extends CommandParameters, Options extends CommandParameters> {
  /** What it does, in a few words. */
  readonly description: string
  /** In the order in which they are given. @default none */
  readonly args?: Args
  /** `dryRun` is given as `--dry-run`. @default none */
  readonly options?: Options
}

/** What every command gets. */
export interface CommandTools<Services> {
  readonly services: Services
  /** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process. */
  readonly signal: AbortSignal
  /** Writes a line to the standard output. Log lines go to the standard error. */
  readonly print: (line: string) => void
  /** The channel `command`. */
  readonly log: Channel
}

/** What the code of a command gets. */
export interface CommandContext<
  Services,
  Args extends CommandParameters,
  Options extends CommandParameters,
> extends CommandTools<Services> {
  readonly args: ValuesOfParameters<Args>
  readonly options: ValuesOfParameters<Options>
}

/** The result of a command: an exit status from 0 to 255, or nothing for 0. */
export type CommandResult = number | void | Promise<number | void>

/** Values of arguments or options that were parsed by their parameters. */
type ParsedValues = Readonly<Record<string, unknown>>

/** What the words after the name of a command say. */
export interface GivenValues {
  readonly args: ParsedValues
  readonly options: ParsedValues
}

/** A command of a project, for `framework run <name>`. */
export interface Command<Services> {
  readonly name: string
  readonly description: string
  readonly args: CommandParameters
  readonly options: CommandParameters
  readonly run: (tools: CommandTools<Services>, given: GivenValues) => CommandResult
}

/** A command whose code is still to be given. */
export interface CommandPlan<Args extends CommandParameters, Options extends CommandParameters> {
  /** Gives the code of the command. */
  run<Services>(
    run: (context: CommandContext<Services, Args, Options>) => CommandResult,
  ): Command<Services>
}

/** The type of `args` or `options` for a command without any. */
export type NoParameters = Readonly<Record<string, never>>

const commandName = /^[a-z][a-z0-9]*([:._-][a-z0-9]+)*$/
const maxName = 64
const parameterName = /^[a-z][A-Za-z0-9]*$/
/** Options that every command of the console has; and `--no-cache` would mean the opposite of an option "cache". */
const reserved = /^(?:project|environment|verbose|version|help|no[A-Z].*)$/

/**
 * Describes a command: `command('items:import', { description, args: { file: parameter.text('…') } })
 * .run<Services>(async ({ services, args }) => …)`.
 * @throws ConfigurationError E_COMMAND for an invalid name or parameter.
 */
export function command<
  const Args extends CommandParameters = NoParameters,
  const Options extends CommandParameters = NoParameters,
>(name: string, described: CommandOptions<Args, Options>): CommandPlan<Args, Options> {
  if (typeof name !== 'string' || !commandName.test(name) || name.length > maxName) {
    throw problem(
      `the name of a command must be at most ${maxName} small letters, digits and :-._ between them, such as items:import, got ${JSON.stringify(name)}`,
    )
  }
  const { description, args = {}, options = {} } = described
  checkArgs(name, args)
  checkOptions(name, options)
  return Object.freeze({
    run: <Services>(run: (context: CommandContext<Services, Args, Options>) => CommandResult) => {
      if (typeof run !== 'function') throw problem(`run() of the command ${name} needs a function`)
      return Object.freeze<Command<Services>>({
        name,
        description,
        args,
        options,
        run: (tools, given) =>
          run({
            ...tools,
            args: valuesOf<Args>(args, given.args),
            options: valuesOf<Options>(options, given.options),
          }),
      })
    },
  })
}

// Every value is that of the parser of its parameter, or its default.
function valuesOf<Given extends CommandParameters>(
  parameters: CommandParameters,
  parsed: ParsedValues,
): ValuesOfParameters<Given> {
  const names = Object.keys(parameters)
  const values = Object.fromEntries(names.map((name) => [name, parsed[name]]))
  return Object.freeze(values) as ValuesOfParameters<Given>
}

function checkArgs(command: string, args: CommandParameters): void {
  const entries = Object.entries(args)
  for (const [at, [name, { kind, isOptional }]] of entries.entries()) {
    checkName(command, name)
    const next = entries[at + 1]
    if (kind === 'flag') throw problem(`the argument ${name} of ${command} cannot be a flag`)
    if (kind === 'list' && next !== undefined) {
      throw problem(`the argument ${name} of ${command} is a list, which must be the last one`)
    }
    if (isOptional && next !== undefined && !next[1].isOptional) {
      throw problem(
        `the argument ${next[0]} of ${command} must be optional, as ${name} before it is`,
      )
    }
  }
}

function checkOptions(command: string, options: CommandParameters): void {
  for (const [name, { kind }] of Object.entries(options)) {
    checkName(command, name)
    if (kind === 'list') throw problem(`the option ${name} of ${command} cannot be a list`)
    if (reserved.test(name)) {
      throw problem(`a command cannot have an option ${name}; choose another name for ${command}`)
    }
  }
}

function checkName(command: string, name: string): void {
  if (parameterName.test(name)) return
  throw problem(`a parameter of ${command} must have a name such as dryRun, got ${name}`)
}

function problem(text: string): ConfigurationError {
  return new ConfigurationError('E_COMMAND', text)
}

/** What a command is called and takes, without its code. */
export type CommandDescription = Omit<Command<never>, 'run'>

/** A command with the services it runs with; it resolves with its exit status. */
export interface BoundCommand extends CommandDescription {
  readonly run: (
    tools: Omit<CommandTools<never>, 'services'>,
    given: GivenValues,
  ) => Promise<number>
}

/** Binds commands to the services of a project. */
export function bindCommands<Services>(
  commands: readonly Command<Services>[],
  services: Services,
): readonly BoundCommand[] {
  return commands.map((command) => ({
    ...command,
    run: async (tools, given) =>
      checkedStatus(command.name, await command.run({ ...tools, services }, given)),
  }))
}

function checkedStatus(name: string, result: unknown): number {
  if (result === undefined) return 0
  if (typeof result === 'number' && Number.isInteger(result) && result >= 0 && result <= 255) {
    return result
  }
  throw new ConfigurationError(
    'E_COMMAND',
    `the command ${name} must return an exit status from 0 to 255 or nothing, got ${printable(inspect(result))}`,
  )
}
