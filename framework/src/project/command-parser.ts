import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { CommandDescription, CommandParameters, GivenValues } from './command.ts'
import type { Parameter } from './parameter.ts'

/** Runs a command that was found with its values. */
export type FoundCommand = (name: string, given: GivenValues) => Promise<void>

/**
 * A parser for the commands of a project, with help for each and suggestions for misspelt names. It has
 * the settings of its parent, `framework run`.
 */
export function commandParser(
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

function argsOf(args: CommandParameters, values: readonly unknown[]): GivenValues['args'] {
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
