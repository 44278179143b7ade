import type { Command } from 'commander'
import type { AccountsFlags } from './commands/project-accounts.ts'
import type { ExitStatus } from './exit-status.ts'
import { environmentOption, projectOption } from './program-options.ts'
import type { Terminal } from './terminal.ts'

/** Adds `framework accounts` and its subcommands. */
export function addAccountsCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: ExitStatus) => void,
): void {
  const accounts = program.command('accounts').description('support the owners of accounts')

  accounts
    .command('unlock')
    .description('remove the second factors of an account whose owner has lost them')
    .argument('<email>', 'e-mail of the account')
    .addOption(projectOption())
    .addOption(environmentOption())
    .action(async (email: string, flags: AccountsFlags) => {
      const { unlockAccount } = await import('./commands/accounts-unlock.ts')
      ended(await unlockAccount(email, flags, terminal))
    })
}
