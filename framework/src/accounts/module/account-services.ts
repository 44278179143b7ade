import type { Session } from '../../http/session/session.ts'
import type { Sessions } from '../../http/session/sessions.ts'
import { openAccountData } from './account-data.ts'
import type { AccountData } from './account-data.ts'
import { AccountEvents } from './account-events.ts'
import { AccountMails } from './account-mails.ts'
import { AccountPages } from './account-pages.ts'
import { listPlaces } from './list-places.ts'
import type { Place } from './list-places.ts'
import type { AccountsOptions, IsOn, ScopesOf } from './accounts-options.ts'

import { openUnits } from './account-units.ts'
import type { AccountsContext, AccountStores, AccountUnits } from './account-units.ts'

/** What does the work of accounts, for pages of the project; what is off is null. */
export interface Accounts<Scope extends string = string, Fields extends object = object>
  extends AccountUnits<Scope, Fields>, AccountData {
  readonly sessions: Sessions
  readonly mails: AccountMails
  readonly pages: AccountPages
  /** Where an account is signed in, each browser once. That of `session` is first, and marked. */
  readonly places: (user: string, session?: Session) => Promise<readonly Place[]>
  readonly clock: () => number
  /** Where people go who asked for no other page. */
  readonly home: string
  readonly options: AccountsOptions
  readonly stores: AccountStores
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** What is null unless an option is on, by the option. */
interface PartsByOption {
  readonly emailChange: 'emailChange'
  readonly authenticator: 'secondFactor'
  readonly passkeys: 'passkeys'
  readonly passkeySignIn: 'passkeys'
  readonly apiTokens: 'apiTokens'
  readonly bearer: 'apiTokens'
  readonly programs: 'apiTokens'
  readonly identities: 'openId'
  readonly activity: 'activity'
  readonly deletion: 'deletion'
  readonly exports: 'exports'
  readonly exportJobs: 'exports'
}

/** The accounts of a project with these options, and these columns of its own. */
export type AccountsOf<Options, Fields extends object = object> = Omit<
  Accounts<ScopesOf<Options>, Fields>,
  keyof PartsByOption
> & {
  readonly [Part in keyof PartsByOption]: IsOn<Options, PartsByOption[Part]> extends true
    ? NonNullable<Accounts<ScopesOf<Options>>[Part]>
    : null
}

/** Accounts with parts that are on. */
export type AccountsWith<Part extends keyof Accounts> = Accounts & {
  readonly [Name in Part]: NonNullable<Accounts[Name]>
}

/** Whether these parts are on. */
export function hasParts<Part extends keyof Accounts>(
  accounts: Accounts,
  ...parts: readonly Part[]
): accounts is AccountsWith<Part> {
  return parts.every((part) => accounts[part] !== null)
}

/** Opens the accounts of a project. */
export async function openAccounts(
  options: AccountsOptions,
  context: AccountsContext,
  stores: AccountStores,
): Promise<Accounts> {
  const { clock } = context
  const units = await openUnits(options, context, stores)
  const mails = new AccountMails(stores, units, context)
  const data = openAccountData(options, context, { ...stores, units, mails })
  const { sessions, layoutValues } = stores
  const hooks = new AccountEvents(options.on ?? {}, units.users)
  const pages = new AccountPages({ ...units, sessions, layoutValues })
  const opened: Accounts = {
    ...units,
    ...data,
    stores,
    sessions,
    mails,
    pages,
    places: (user, session) => listPlaces({ sessions, trust: units.trust }, user, session),
    clock,
    home: options.after?.signIn ?? '/account',
    options,
    async close() {
      await data.exportJobs?.close()
      await mails.close()
      await hooks.close()
      units.audit.close()
    },
  }
  allOpened.add(opened)
  return opened
}

const allOpened = new WeakSet<object>()

/** Whether `openAccounts` has returned it. */
export function isOpened(value: unknown): value is Accounts {
  return typeof value === 'object' && value !== null && allOpened.has(value)
}
