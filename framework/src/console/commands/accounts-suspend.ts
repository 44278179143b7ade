import { printable } from '../../base/encoding/printable.ts'
import type { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { answerAbout } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Suspends an account. The status is not 0 if there is no such account. */
export function suspendAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const name = printable(email)
  return answerAbout(email, flags, terminal, async (accounts) => {
    const isSuspended = await accounts.suspend(email)
    if (isSuspended === null) return null
    return isSuspended
      ? `${name} is suspended: signed out everywhere, and nobody gets in\n`
      : `${name} is suspended already; nothing was changed\n`
  })
}

/** Restores a suspended account. The status is not 0 if there is no such account. */
export function restoreAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const name = printable(email)
  return answerAbout(email, flags, terminal, async (accounts) => {
    const isRestored = await accounts.restore(email)
    if (isRestored === null) return null
    return isRestored
      ? `${name} is restored and can sign in\n`
      : `${name} is not suspended; nothing was changed\n`
  })
}
