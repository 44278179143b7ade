import { CommanderError } from 'commander'
import type { Command } from 'commander'
import { frameworkCode } from '../base/framework-code.ts'
import { toError } from '../base/throwables/to-error.ts'
import { Scopes } from '../services/activity/scopes.ts'
import { CommandActivity } from './command-activity.ts'
import { ExitStatus } from './exit-status.ts'

/**
 * Runs the command of a command line, as an activity of its own. A server is none: its requests are.
 * @throws what the command throws.
 */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  status: () => number,
): Promise<void> {
  const activity = new CommandActivity()
  const parse = (): Promise<unknown> => program.parseAsync([...argv], { from: 'user' })
  program.hook('preAction', (_program, command) => {
    activity.title = nameOf(command)
    activity.words = command.args
  })
  if (argv.find((word) => !word.startsWith('-')) === 'serve') await parse()
  else await Scopes.runActivity(activity, () => follow(activity, parse, status))
}

async function follow(
  activity: CommandActivity,
  parse: () => Promise<unknown>,
  status: () => number,
): Promise<void> {
  try {
    await parse()
  } catch (thrown) {
    await activity.ended?.(statusOf(thrown), thrown)
    throw thrown
  }
  await activity.ended?.(status(), null)
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode
  return frameworkCode(toError(thrown)) === null ? ExitStatus.Uncaught : ExitStatus.UserError
}

/** The name of a command with those of the commands it belongs to, without the program: `queue run`. */
function nameOf(command: Command): string {
  const { parent } = command
  if (parent === null) return ''
  return `${nameOf(parent)} ${command.name()}`.trim()
}
