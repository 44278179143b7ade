import type { AccountSupport } from '../../accounts/account-support.ts'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** The project of an accounts command. */
export interface AccountsFlags {
  readonly project: string
  readonly environment?: Environments
}

/**
 * Prints what `answer` resolves with about an account of a project; null stands for an account that does
 * not exist.
 * @throws ConfigurationError for an invalid project or settings, or a project without accounts.
 */
export function answerAbout(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
  answer: (accounts: AccountSupport) => Promise<string | null>,
): Promise<ExitStatus> {
  return withProjectAccounts(flags, async (accounts) => {
    const text = await answer(accounts)
    if (text !== null) {
      terminal.out(text)
      return ExitStatus.Ok
    }
    const { red } = terminal.errorPaint
    terminal.err(`${red('error')} there is no account ${printable(email)}\n`)
    return ExitStatus.UserError
  })
}

/** Runs `work` with the accounts of a project, then closes its services. */
async function withProjectAccounts<T>(
  { project: root, environment: chosen }: AccountsFlags,
  work: (accounts: AccountSupport) => Promise<T>,
): Promise<T> {
  const { environment } = enterEnvironment(root, chosen)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { assembleServices } = await import('../../project/assemble-services.ts')
  const { built, close } = await assembleServices(
    { root, environment },
    { channel: 'accounts', output: process.stderr },
    (project, ...context) => project.accounts(...context),
  )
  try {
    if (built === null) throw noAccounts()
    return await work(built)
  } finally {
    await close()
  }
}

function noAccounts(): ConfigurationError {
  return new ConfigurationError(
    'E_PROJECT',
    'the project has no "accounts" in defineProject(); return an AccountSupport there',
  )
}
