import { printable } from '../../base/encoding/printable.ts'
import type { ExitStatus } from '../exit-status.ts'
import type { Terminal } from '../terminal.ts'
import { answerAbout } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Ends all sessions and devices of an account. The status is not 0 if there is no such account. */
export function endAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return answerAbout(email, flags, terminal, async (accounts) => {
    const ended = await accounts.end(email)
    return ended === null ? null : `${printable(email)}: all sessions and devices ended\n`
  })
}
