import type { Command, CommandResult, CommandTools, ParsedValues } from './command.ts'
import { ConfigurationError } from '../../base/errors.ts'

/** What a command is called and takes, without its code. */
export type CommandDescription = Omit<Command<never>, 'run'>

/** A command with the services it runs with. */
export interface BoundCommand extends CommandDescription {
  readonly run: (
    tools: Omit<CommandTools<never>, 'services'>,
    given: { readonly args: ParsedValues; readonly options: ParsedValues },
  ) => CommandResult
}

/** Binds commands to the services of a project. */
export function bindCommands<Services>(
  commands: readonly Command<Services>[],
  services: Services,
): readonly BoundCommand[] {
  return commands.map((command) => ({
    ...command,
    run: (tools, given) => command.run({ ...tools, services }, given),
  }))
}

/** @throws ConfigurationError E_COMMAND for something that is no command, or one that is listed twice. */
export function checkCommands(commands: unknown): void {
  if (!Array.isArray(commands)) throw problem('must be a list of commands')
  const names = new Set<unknown>()
  for (const entry of commands) {
    const { name } = isCommand(entry) ? entry : { name: undefined }
    if (name === undefined) throw problem('lists something that is not made by command(…).run(…)')
    if (names.has(name)) throw problem(`lists ${name} twice`)
    names.add(name)
  }
}

// They may come from untyped code.
function isCommand(value: unknown): value is { readonly name: string } {
  if (typeof value !== 'object' || value === null || !('run' in value)) return false
  return 'args' in value && 'name' in value && typeof value.name === 'string'
}

function problem(text: string): ConfigurationError {
  return new ConfigurationError('E_COMMAND', `defineProject: "commands" ${text}`)
}
