import type { AccountSupport } from '../../app/security/accounts/account-support.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { assembleServices } from './assemble-services.ts'
import type { AssembleServicesOptions } from './assemble-services.ts'

/** The accounts of a project. */
export interface AssembledAccounts {
  readonly accounts: AccountSupport
  /** Closes the services in reverse order, then the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services without a server, to support the owners of its accounts.
 * @throws ConfigurationError for an invalid project or settings, or a project without accounts.
 */
export async function assembleAccounts(
  options: AssembleServicesOptions,
): Promise<AssembledAccounts> {
  const { built, close } = await assembleServices(
    options,
    { channel: 'accounts', output: process.stderr },
    async (project, ...context) => {
      const accounts = await project.accounts(...context)
      if (accounts !== null) return accounts
      throw new ConfigurationError(
        'E_PROJECT',
        'the project has no "accounts" in defineProject(); return an AccountSupport there',
      )
    },
  )
  return { accounts: built, close }
}
