import { printable } from '../../base/encoding/printable.ts'
import type { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { answerAbout } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Removes the factors of an account. The status is not 0 if there is no such account. */
export function unlockAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const name = printable(email)
  return answerAbout(email, flags, terminal, async (accounts) => {
    const removed = await accounts.unlock(email)
    if (removed === null) return null
    return removed.length === 0
      ? `${name} has no second factor; nothing was changed\n`
      : `${name}: ${removed.join(', ')} removed, all sessions and devices ended\n`
  })
}
