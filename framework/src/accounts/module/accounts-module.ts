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
import { viewGlobals } from './view-globals.ts'

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
  const { users, credentials, trust, sessions, activity, apiTokens, passkeys, authenticator } =
    opened
  const { deletion, exports, exportJobs, emailChange, mails, openId } = opened
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
      users,
      credentials,
      trust,
      sessions,
      activity,
      apiTokens,
      passkeys,
      identities: openId?.accounts ?? null,
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
  // As a route: other requests never look for a file there.
  const files = new Statics(join(import.meta.dirname, 'public'), { prefix: assets })
  const missing = (): never => {
    throw new HttpError(404)
  }
  router.get(`${assets}/*file`, missing, { middlewares: [files] })
}
