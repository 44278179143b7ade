import type { Command } from 'commander'
import type { ShowAccountFlags } from './commands/accounts-show.ts'
import type { AccountsFlags } from './commands/project-accounts.ts'
import type { ExitStatus } from '../base/terminal/exit-status.ts'
import { environmentOption, projectOption } from './program-options.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/** Adds `framework accounts` and its subcommands. */
export function addAccountsCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: ExitStatus) => void,
): void {
  const accounts = program.command('accounts').description('support the owners of accounts')

  /** A subcommand about one account. */
  const about = (name: string, description: string): Command =>
    accounts
      .command(name)
      .description(description)
      .argument('<email>', 'e-mail of the account')
      .addOption(projectOption())
      .addOption(environmentOption())

  about('show', 'show everything that can open an account, and its last event')
    .option('--json', 'print JSON')
    .action(async (email: string, flags: ShowAccountFlags) => {
      const { showAccount } = await import('./commands/accounts-show.ts')
      ended(await showAccount(email, flags, terminal))
    })

  about('sessions', 'list where an account is signed in')
    .option('--json', 'print JSON')
    .action(async (email: string, flags: ShowAccountFlags) => {
      const { showSessions } = await import('./commands/accounts-show.ts')
      ended(await showSessions(email, flags, terminal))
    })

  about('end', 'end all sessions, devices and API tokens of an account').action(
    async (email: string, flags: AccountsFlags) => {
      const { endAccount } = await import('./commands/accounts-end.ts')
      ended(await endAccount(email, flags, terminal))
    },
  )

  about('suspend', 'sign an account out everywhere and let nobody in').action(
    async (email: string, flags: AccountsFlags) => {
      const { suspendAccount } = await import('./commands/accounts-suspend.ts')
      ended(await suspendAccount(email, flags, terminal))
    },
  )

  about('restore', 'let the owner of a suspended account in again').action(
    async (email: string, flags: AccountsFlags) => {
      const { restoreAccount } = await import('./commands/accounts-suspend.ts')
      ended(await restoreAccount(email, flags, terminal))
    },
  )

  about('unlock', 'remove the second factors of an account whose owner has lost them').action(
    async (email: string, flags: AccountsFlags) => {
      const { unlockAccount } = await import('./commands/accounts-unlock.ts')
      ended(await unlockAccount(email, flags, terminal))
    },
  )
}
