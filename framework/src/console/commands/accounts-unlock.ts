import { printable } from '../../base/encoding/printable.ts'
import { ExitStatus } from '../exit-status.ts'
import type { Terminal } from '../terminal.ts'
import { withProjectAccounts } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Removes the factors of an account. The status is not 0 if there is no such account. */
export function unlockAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectAccounts(flags, async (accounts) => {
    const removed = await accounts.unlock(email)
    const name = printable(email)
    if (removed === null) {
      terminal.err(`${terminal.errorPaint.red('error')} there is no account ${name}\n`)
      return ExitStatus.UserError
    }
    const outcome =
      removed.length === 0
        ? `${name} has no second factor; nothing was changed`
        : `${name}: ${removed.join(', ')} removed, all sessions and devices ended`
    terminal.out(`${outcome}\n`)
    return ExitStatus.Ok
  })
}
