import { Emitter } from '../../events/emitter.ts'
import { AuthEvents } from '../auth-events.ts'
import type { Users } from '../users.ts'
import { AfterResponse } from '../../http/request/after-response.ts'
import type { Languages, Translate } from '../../i18n/languages.ts'
import type { Session } from '../../http/session/session.ts'
import type { Sessions } from '../../http/session/sessions.ts'
import { openAccountData } from './account-data.ts'
import type { AccountData } from './account-data.ts'
import { AccountMails } from './account-mails.ts'
import { AccountPages } from './account-pages.ts'
import { listPlaces } from './list-places.ts'
import type { Place } from './list-places.ts'
import type { AccountHooks, AccountsOptions, IsOn, ScopesOf } from './accounts-options.ts'
import { openUnits } from './account-units.ts'
import type { AccountsContext, AccountStores, AccountUnits } from './account-units.ts'

/** What does the work of accounts, for pages of the project; what is off is null. */
export interface Accounts<Scope extends string = string, Fields extends object = object>
  extends AccountUnits<Scope, Fields>, AccountData {
  readonly sessions: Sessions
  readonly mails: AccountMails
  readonly pages: AccountPages
  /** Where an account is signed in, each browser once. That of `session` is first, and marked. */
  readonly places: (user: string, session?: Session, t?: Translate) => Promise<readonly Place[]>
  readonly clock: () => number
  readonly languages: Languages
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
  const { clock, languages } = context
  const units = await openUnits(options, context, stores)
  const mails = new AccountMails(stores, units, context)
  const data = await openAccountData(options, context, { ...stores, units, mails })
  const { sessions } = stores
  const hooks = new AfterResponse()
  const stops = startHooks(options.on ?? {}, units.users, hooks)
  const pages = new AccountPages({ ...stores, ...units })
  const opened: Accounts = {
    ...units,
    ...data,
    stores,
    sessions,
    mails,
    pages,
    places: (...of) => listPlaces({ sessions, trust: units.trust }, ...of),
    clock,
    languages,
    home: options.after?.signIn ?? '/account',
    options,
    async close() {
      await data.exportJobs?.close()
      await mails.close()
      for (const stop of stops) stop()
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

/** Calls the functions of a project when something happened to an account, until what it returns is called. */
function startHooks(
  { registered, signedIn }: AccountHooks,
  users: Users,
  running: AfterResponse,
): readonly (() => void)[] {
  const hooks = [['Registered', registered] as const, ['Login', signedIn] as const]
  return hooks.flatMap(([event, hook]) =>
    hook === undefined
      ? []
      : Emitter.Instance.listen(AuthEvents[event], ({ user }) =>
          running.start(async () => {
            const identity = user === null ? null : await users.find(user)
            if (identity !== null) await hook(identity)
          }),
        ),
  )
}
