import { join } from 'node:path'
import { AccountSupport } from '../account-support.ts'
import { accountDataScope, authScope } from '../accounts-settings.ts'
import { openIdScope } from '../openid/open-id-settings.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { ErrorValues } from '../../http/errors/error-values.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { Statics } from '../../http/middlewares/statics.ts'
import { routeSet } from '../../http/router/route-set.ts'
import type { RouteSet } from '../../http/router/route-set.ts'
import type { Router } from '../../http/router/router.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { sessionScope } from '../../http/session/session-settings.ts'
import type { Sessions } from '../../http/session/sessions.ts'
import type { RateLimitStore } from '../../http/rate-limits/rate-limit-store.ts'
import { mailScope } from '../../mail/mail-settings.ts'
import { queueScope } from '../../queue/queue-settings.ts'
import { queueWorker } from '../../queue/run-queue.ts'
import type { QueueWorker } from '../../queue/run-queue.ts'
import { keyScope } from '../../settings/key-settings.ts'
import { accountRoutes } from './account-routes.ts'
import { isOpened, openAccounts } from './account-services.ts'
import type { Accounts, AccountsOf } from './account-services.ts'
import type { AccountScopes, AccountsContext, AccountStores } from './account-units.ts'
import { accountTables } from './account-tables.ts'
import { isOn } from './accounts-options.ts'
import type { AccountsOptions } from './accounts-options.ts'
import { authRoutes } from './auth-routes.ts'
import type { Languages } from '../../i18n/languages.ts'

/** Folder of the views that a project can replace or copy. */
export const builtInViews: string = join(import.meta.dirname, 'views')

/** Accounts as a part of a project, the result of `accounts`. */
export interface AccountsModule<Opened extends object = object> {
  /** The scopes it reads, for `configs` of the project: `{ ...storeScopes, ...accounts.configs }`. */
  readonly configs: AccountScopes
  /**
   * The tables of what is on, and the columns of the project.
   * @throws ConfigurationError if the columns cannot be told from their schema.
   */
  migrations(): ReturnType<typeof accountTables>
  /** Folder of its views, for what the project has not replaced. */
  readonly views: string
  /** Folder of its texts, a file for each language but English. */
  readonly messages: string
  /** Opens them on the stores of a project, which returns the result as its service `accounts`. */
  open(boot: AccountsContext, stores: AccountStores): Promise<Opened>
  /**
   * What a project mounts of them.
   * @throws ConfigurationError if the services lack what `open` resolved with.
   */
  mount(services: object): MountedAccounts
}

/** What is mounted of accounts. */
export interface MountedAccounts {
  readonly sessions: Sessions
  readonly rateLimits: RateLimitStore
  readonly routes: RouteSet<unknown>
  readonly queues: readonly QueueWorker[]
  readonly sweeps: Readonly<Record<string, { sweep(): number | Promise<number> }>>
  readonly support: AccountSupport
  /** For `it` in every view. */
  readonly globals: Readonly<Record<string, unknown>>
  readonly errorValues: ErrorValues
}

/** Makes options an error that are misspelt, or mean nothing because of another one. */
type Consistent<Options> = {
  readonly [Name in Exclude<keyof Options, keyof AccountsOptions>]: never
} & (Options extends { readonly registration: false }
  ? { readonly after?: { readonly registration?: never } }
  : unknown)

/**
 * The accounts of a project: `defineProject({ accounts: accounts({ passkeys: true }) })` mounts their routes, forms,
 * mails, jobs, sweeps, migrations, commands and settings.
 */
export function accounts<const Options, Fields extends object = object>(
  options: Options & AccountsOptions<Fields> & Consistent<Options>,
): AccountsModule<AccountsOf<Options, Fields>> {
  if (options.on?.deleted !== undefined && !isOn(options.deletion)) {
    throw new ConfigurationError('E_ACCOUNTS', 'on.deleted would never be called: turn on deletion')
  }
  return Object.freeze({
    configs: {
      auth: authScope,
      data: accountDataScope,
      key: keyScope,
      mail: mailScope,
      oidc: openIdScope(...sitesOf(options)),
      queue: queueScope,
      session: sessionScope,
    },
    migrations: () => accountTables(options),
    views: builtInViews,
    messages: join(import.meta.dirname, 'messages'),
    async open(boot: AccountsContext, stores: AccountStores) {
      const opened = await openAccounts(options, boot, stores)
      // Its parts and scopes are those of the options, which the types of its classes cannot say.
      return opened as unknown as AccountsOf<Options, Fields>
    },
    mount: (services: object) => mount(openedIn(services)),
  })
}

function sitesOf({ openId = false }: AccountsOptions): readonly string[] {
  if (typeof openId === 'object') return openId
  return openId ? ['company'] : []
}

function openedIn(services: object): Accounts {
  const opened = 'accounts' in services ? services.accounts : undefined
  if (isOpened(opened)) return opened
  throw new ConfigurationError(
    'E_ACCOUNTS',
    'services() must return the accounts: accounts: await accounts.open(boot, stores)',
  )
}

function mount(opened: Accounts): MountedAccounts {
  const { sessions, activity, apiTokens, passkeys, authenticator } = opened
  const { deletion, exports, exportJobs, emailChange, mails, trust } = opened
  return {
    sessions,
    rateLimits: opened.stores.rateLimits,
    routes: routeSet<unknown>(
      'Accounts',
      (router, _services, server) => mountRoutes(router, opened, server),
      { yields: true },
    ),
    queues: [
      queueWorker(opened.stores.mails, mails.work),
      ...(exportJobs === null ? [] : [exportJobs.worker]),
    ],
    sweeps: {
      sessions,
      tokens: opened.tokens,
      trusts: trust,
      ...(activity !== null && { activity }),
      ...(authenticator !== null && { authenticator }),
      ...(passkeys !== null && { passkeys }),
      mailSignIn: opened.mailSignIn,
      ...(apiTokens !== null && { apiTokens }),
      ...(emailChange !== null && { emailChanges: emailChange }),
      undos: opened.accountUndo,
      // Deletes accounts, and after them their files.
      ...(deletion !== null && { deletions: deletion }),
      ...(exports !== null && { exports }),
      // Sends what is due: also who was deleted just now is told.
      gatheredMails: mails.gathered,
    },
    support: new AccountSupport({
      ...opened,
      identities: opened.openId?.accounts ?? null,
      factors: [authenticator, passkeys].filter((factor) => factor !== null),
    }),
    globals: { accounts: viewGlobals(opened) },
    errorValues: opened.pages.errorValues,
  }
}

const assets = '/accounts/assets'

function mountRoutes(router: Router, opened: Accounts, server: ServerHost): void {
  authRoutes(router, opened, server)
  accountRoutes(router, opened)
  router.get('/accounts/texts/:language', ({ params }, response) =>
    response
      .view('accounts/texts', { t: opened.languages.in(params.language) })
      .header('Content-Type', 'application/json')
      .header('Cache-Control', 'public, max-age=3600'),
  )
  // As a route: other requests never look for a file there.
  const files = new Statics(join(import.meta.dirname, 'public'), { prefix: assets })
  const missing = (): never => {
    throw new HttpError(404)
  }
  router.get(`${assets}/*file`, missing, { middlewares: [files] })
}

/** A page of the settings of an account. */
interface SettingsSection {
  readonly id: string
  readonly href: string
  readonly icon: string
  /** In English, which is the key of its message. */
  readonly name: string
}

/** What views know of accounts as `it.accounts`: which parts are on. */
interface ViewGlobals {
  readonly registration: boolean
  readonly secondFactor: boolean
  readonly passkeys: boolean
  readonly mailSignIn: boolean
  readonly apiTokens: boolean
  /** The languages to choose from; none if there is only one. */
  readonly languages: Languages['choices']
  /** The pages of the settings, in the order of their menu. */
  readonly sections: readonly SettingsSection[]
}

/** What views know of these accounts. */
function viewGlobals(accounts: Accounts): ViewGlobals {
  return {
    registration: accounts.options.registration !== false,
    secondFactor: accounts.authenticator !== null,
    passkeys: accounts.passkeys !== null,
    mailSignIn: accounts.options.mailSignIn === true,
    apiTokens: accounts.apiTokens !== null,
    get languages() {
      return accounts.languages.names.length > 1 ? accounts.languages.choices : []
    },
    sections: settingsSections(accounts),
  }
}

function settingsSections(accounts: Accounts): readonly SettingsSection[] {
  const { activity, apiTokens, authenticator, deletion, emailChange } = accounts
  const { exports, openId, passkeys } = accounts
  const sections = [
    [true, 'profile', '/account', 'user', 'Profile'],
    [emailChange, 'email', '/account/email', 'mail', 'E-mail'],
    [true, 'password', '/password', 'lock', 'Password'],
    [authenticator, 'two-factor', '/account/two-factor', 'shield', 'Two-factor'],
    [passkeys, 'passkeys', '/account/passkeys', 'key', 'Passkeys'],
    [openId, 'sign-ins', '/account/sign-ins', 'link', 'Connected accounts'],
    [apiTokens, 'tokens', '/account/tokens', 'program', 'API tokens'],
    [true, 'access', '/account/access', 'shield', 'Ways in'],
    [true, 'devices', '/account#devices', 'computer', 'Devices and sessions'],
    [activity, 'activity', '/account/activity', 'clock', 'Activity'],
    [exports, 'export', '/account/export', 'file', 'Your data'],
    [deletion, 'delete', '/account/delete', 'alert', 'Delete account'],
  ] as const
  return sections
    .filter(([part]) => part !== null)
    .map(([, id, href, icon, name]) => ({ id, href, icon, name }))
}
