import type { Environments } from '../../app/environments/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../exit-status.ts'
import type { Terminal } from '../terminal.ts'

/** Options of `framework accounts unlock`. */
export interface UnlockFlags {
  readonly project: string
  readonly environment?: Environments
}

/** Removes the factors of an account. The status is not 0 if there is no such account. */
export async function unlockAccount(
  email: string,
  flags: UnlockFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { project: root } = flags
  const { environment } = enterEnvironment(root, flags.environment)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { assembleAccounts } = await import('../../web/projects/assemble-accounts.ts')
  const { accounts, close } = await assembleAccounts({ root, environment })
  try {
    const removed = await accounts.unlock(email)
    const name = printable(email)
    if (removed === null) {
      terminal.err(`${terminal.errorPaint.red('error')} there is no account ${name}\n`)
      return ExitStatus.UserError
    }
    if (removed.length === 0) {
      terminal.out(`${name} has no second factor; nothing was changed\n`)
      return ExitStatus.Ok
    }
    terminal.out(`${name}: ${removed.join(', ')} removed, all sessions and devices ended\n`)
    return ExitStatus.Ok
  } finally {
    await close()
  }
}
