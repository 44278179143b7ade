import { CommanderError } from 'commander'
import type { Command } from 'commander'
import { frameworkCode } from '../base/framework-code.ts'
import { toError } from '../base/to-error.ts'
import { CommandActivity } from './command-activity.ts'
import { ExitStatus } from '../base/terminal/exit-status.ts'

/** The activity of a command line; null for a server, whose requests are the activities. */
export function activityOf(program: Command, argv: readonly string[]): CommandActivity | null {
  if (argv.find((word) => !word.startsWith('-')) === 'serve') return null
  const activity = new CommandActivity()
  program.hook('preAction', (_program, command) => {
    activity.title = nameOf(command)
    activity.words = command.args
  })
  return activity
}

/** The status of a command that ended with an error. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode
  return frameworkCode(toError(thrown)) === null ? ExitStatus.Uncaught : ExitStatus.UserError
}

/** The name of a command with those of the commands it belongs to, without the program: `queue run`. */
function nameOf(command: Command): string {
  const { parent } = command
  if (parent === null) return ''
  return `${nameOf(parent)} ${command.name()}`.trim()
}
