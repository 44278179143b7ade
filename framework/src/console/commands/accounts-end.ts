import { printable } from '../../base/encoding/printable.ts'
import type { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { answerAbout } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Ends all sessions, devices and API tokens of an account. The status is not 0 if there is no such account. */
export function endAccount(
  email: string,
  flags: AccountsFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return answerAbout(email, flags, terminal, async (accounts) => {
    const ended = await accounts.end(email)
    if (ended === null) return null
    const { sessions, devices, tokens } = ended
    const parts = [
      counted(sessions, 'session'),
      counted(devices, 'device'),
      counted(tokens, 'API token'),
    ]
    return `${printable(email)}: ended ${parts.join(', ')}\n`
  })
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
