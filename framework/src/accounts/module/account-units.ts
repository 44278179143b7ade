import { AccountActivity } from '../account-activity.ts'
import type { accountDataScope, authScope } from '../accounts-settings.ts'
import { AuthAudit } from '../auth-audit.ts'
import { accountDigest } from '../auth-events.ts'
import { deleteRowsOf } from '../changes/account-deletion.ts'
import { AccountUndo } from '../changes/account-undo.ts'
import { Credentials } from '../changes/credentials.ts'
import { EmailChange } from '../changes/email-change.ts'
import { Remember } from '../devices/remember.ts'
import { rememberPolicy } from '../devices/remember-policy.ts'
import { Trust } from '../devices/trust.ts'
import { AuthenticatorApp } from '../factors/authenticator-app.ts'
import { PasswordFactor } from '../factors/password-factor.ts'
import { Authenticating } from '../guards/authenticating.ts'
import { Authentication } from '../guards/authentication.ts'
import { Bearer } from '../guards/bearer.ts'
import { Confirmation } from '../guards/confirmation.ts'
import { Confirmed } from '../guards/confirmed.ts'
import { HasFactor } from '../guards/has-factor.ts'
import { SessionGuard } from '../guards/session-guard.ts'
import { Verified } from '../guards/verified.ts'
import type { Identity } from '../identity.ts'
import { OpenIdAccounts } from '../openid/open-id-accounts.ts'
import { OpenIdIdentities } from '../openid/open-id-identities.ts'
import type { openIdScope } from '../openid/open-id-settings.ts'
import { OpenIdSignIn } from '../openid/open-id-sign-in.ts'
import { openIssuers } from '../openid/open-issuers.ts'
import { Passkeys } from '../passkeys/passkeys.ts'
import { BreachedPasswords } from '../passwords/breached-passwords.ts'
import { Password } from '../passwords/password.ts'
import { PasswordRules } from '../passwords/password-rules.ts'
import { MailSignIn } from '../sign-in/mail-sign-in.ts'
import { PasskeySignIn } from '../sign-in/passkey-sign-in.ts'
import { SignIn } from '../sign-in/sign-in.ts'
import { SignInGate } from '../sign-in/sign-in-gate.ts'
import { ApiTokens } from '../tokens/api-tokens.ts'
import { Tokens } from '../tokens/tokens.ts'
import { Users } from '../users.ts'
import type { Database } from '../../database/surface.ts'
import { refuse } from '../../http/input/form-responses.ts'
import type { RateLimitStore } from '../../http/rate-limits/rate-limit-store.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import { RedisSessions } from '../../http/session/redis-sessions.ts'
import type { sessionScope } from '../../http/session/session-settings.ts'
import type { Sessions } from '../../http/session/sessions.ts'
import { SqlSessions } from '../../http/session/sql-sessions.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { mailScope } from '../../mail/mail-settings.ts'
import type { JobStore } from '../../queue/job-store.ts'
import type { Queue } from '../../queue/queue.ts'
import type { queueScope } from '../../queue/queue-settings.ts'
import type { Redis } from '../../redis/redis.ts'
import type { Environments } from '../../settings/environments.ts'
import type { Languages } from '../../i18n/languages.ts'
import type { Logs } from '../../logs/logs.ts'
import type { ValuesOf } from '../../settings/scope.ts'
import { applicationKey } from '../../settings/application-key.ts'
import type { keyScope } from '../../settings/key-settings.ts'
import type { Disk } from '../../storage/disk.ts'
import { accountFields } from './account-fields.ts'
import type { AccountFields } from './account-fields.ts'
import { accountLimits } from './account-limits.ts'
import type { AccountLimits } from './account-limits.ts'
import { isOn } from './accounts-options.ts'
import type { AccountsOptions } from './accounts-options.ts'

/** The services of a project that accounts are built on. */
export interface AccountStores {
  readonly site: { readonly title: string }
  readonly database: Database
  /** Sessions are there if it is given, otherwise in the database. @default null */
  readonly redis?: Redis | null
  readonly sessions: Sessions
  readonly rateLimits: RateLimitStore
  readonly jobs: JobStore
  /** The queue that mails wait in, with MAIL_QUEUE. */
  readonly mails: Queue
  readonly mailer: Mailer
  /** Where copies of the data of accounts are. @default `storage/exports` of the project */
  readonly files?: Disk
  /** More values for the layout, such as what this visitor may open. @default none */
  readonly layoutValues?: (request: Request) => Readonly<Record<string, unknown>>
}

/** What is known of the project and its settings. */
export interface AccountsContext {
  readonly server: { readonly url: string }
  readonly environment: Environments
  readonly logs: Logs
  readonly root: string
  /** Where the project keeps its files. */
  readonly storageFolder: string
  readonly clock: () => number
  /** The languages of its pages and mails. */
  readonly languages: Languages
  readonly configs: { readonly [Name in keyof AccountScopes]: ValuesOf<AccountScopes[Name]> }
}

/** The scopes that accounts read, by the names of their values. */
export type AccountScopes = {
  readonly auth: typeof authScope
  readonly data: typeof accountDataScope
  readonly key: typeof keyScope
  readonly mail: typeof mailScope
  readonly oidc: ReturnType<typeof openIdScope>
  readonly queue: typeof queueScope
  readonly session: typeof sessionScope
}

/** The units that accounts consist of; what is off is null. */
export interface AccountUnits<Scope extends string = string, Fields extends object = object> {
  readonly users: Users<Fields>
  /** The columns of the project, and what the form of the registration asks for. */
  readonly fields: AccountFields | null
  readonly passwordRules: PasswordRules
  readonly tokens: Tokens
  /** Whether a verification link asks for a click, unless its browser is signed in. */
  readonly asksToVerify: boolean
  readonly trust: Trust
  readonly credentials: Credentials
  readonly emailChange: EmailChange | null
  /** Takes back what somebody has added to an account. */
  readonly accountUndo: AccountUndo
  readonly authenticator: AuthenticatorApp | null
  /** Mailed codes, to sign in with and to prove an address. */
  readonly mailSignIn: MailSignIn
  readonly passkeys: Passkeys | null
  readonly passkeySignIn: PasskeySignIn | null
  readonly apiTokens: ApiTokens<Scope> | null
  readonly bearer: Bearer<Scope> | null
  /** For routes that programs use with a token. */
  readonly programs: Authentication | null
  readonly identities: OpenIdIdentities | null
  /** Null also while no site is configured. */
  readonly openId: OpenIdSignIn | null
  readonly activity: AccountActivity | null
  readonly remember: Remember
  /** For pages that are open to guests but show who is signed in. */
  readonly visitors: Authenticating
  readonly signIn: SignIn
  /** For routes that require sign-in, and a second factor of those who must have one. */
  readonly signedIn: Authentication
  /** For routes that somebody needs who has to add one. */
  readonly enrolling: Authentication
  /** Takes the password or a factor of somebody who is signed in. */
  readonly confirmation: Confirmation
  /** For routes that a stolen session must not open: after `signedIn`, on the page and on its form. */
  readonly confirmed: Confirmed
  /** For what outlives a password: the owner of an address must not find it left by somebody else. */
  readonly verified: Verified
  readonly limits: AccountLimits
  readonly audit: AuthAudit
}

/** Opens the units of a project. */
export async function openUnits(
  options: AccountsOptions,
  context: AccountsContext,
  { site, database, redis = null, rateLimits }: AccountStores,
): Promise<AccountUnits> {
  const { configs, logs, root, server } = context
  const { auth, session } = configs
  const { rememberName, rememberTtl, rememberMax, rememberGrace, verify, breaches } = auth
  const cookie = { name: rememberName, prefix: session.prefix, lifetime: rememberTtl }
  Remember.policy = rememberPolicy(cookie)
  const key = applicationKey(configs.key, context)
  const password = new Password()
  const columns = {
    factors: 'factors',
    unproven: 'email_unproven_at',
    suspended: 'suspended_at',
    emailChanges: options.emailChange === true ? 'email_changes' : null,
  }
  // A stopped database is a 503, not a wrong password.
  const onFailure = 'throw'
  const fields = await accountFields(options)
  const users = new Users(database, password, {
    ...columns,
    onFailure,
    fields: { language: 'text', timezone: 'text', ...fields?.kinds },
  })
  const activity = options.activity === true ? new AccountActivity(database) : null
  const isDeletable = isOn(options.deletion)
  const credentials = new Credentials(database, password, {
    sessions: (surface) => (redis === null ? new SqlSessions(surface) : new RedisSessions(redis)),
    users: columns,
    // Whoever has registered the address of somebody else may have set a date for the deletion too.
    ...(isDeletable && { onClaim: deleteRowsOf('account_deletions') }),
    activity,
  })
  const shared = { credentials, key, onFailure } as const
  const { title } = site
  const authenticator = isOn(options.secondFactor)
    ? new AuthenticatorApp(database, { ...shared, issuer: title })
    : null
  const passkeys =
    options.passkeys === true ? new Passkeys(database, { ...shared, url: server.url, title }) : null
  // What accounts may have besides their password; asked for when signing in, and to confirm.
  const factors = [authenticator, passkeys].filter((factor) => factor !== null)
  const apiScopes = isOn(options.apiTokens) ? options.apiTokens.scopes : null
  const tables = [
    apiScopes === null ? null : 'api_tokens',
    isDeletable ? 'account_deletions' : null,
    isOn(options.openId) ? 'openid_identities' : null,
  ].filter((table) => table !== null)
  // What a thief may have left behind: it ends when the owner takes the account back.
  const leftBehind = { users, undoes: tables.map((table) => deleteRowsOf(table)), factors }
  const emailChange =
    options.emailChange === true ? new EmailChange(database, { credentials, ...leftBehind }) : null
  const trust = new Trust(database, { maxAge: rememberMax, onFailure })
  // Loaded on every request: a deleted account is signed out, and routes never see stale data.
  const load = (id: string): Promise<Identity | null> => users.find(id)
  const apiTokens =
    apiScopes === null
      ? null
      : new ApiTokens(database, { ...shared, scopes: Object.keys(apiScopes) })
  const bearer = apiTokens === null ? null : new Bearer(apiTokens, { load })
  const identities = isOn(options.openId) ? new OpenIdIdentities(database) : null
  const accountUndo = new AccountUndo(database, {
    credentials,
    ...leftBehind,
    additions: {
      ...(authenticator !== null && { totp: authenticator }),
      ...(passkeys !== null && { passkey: passkeys }),
      ...(apiTokens !== null && { token: apiTokens }),
      ...(identities !== null && { identity: identities }),
    },
  })
  const gate = new SignInGate({ factors, activity })
  const remember = new Remember(trust, { grace: rememberGrace, load, gate })
  // The session first: a device token is only used when there is no signed-in session.
  const visitors = new Authenticating(new SessionGuard({ load }), remember)
  const signIn = new SignIn({ users, trust, remember, digest: accountDigest(key) })
  const { secondFactor } = options
  const issuers = isOn(options.openId) ? await openIssuers(configs.oidc, context) : []
  const openIdAccounts = new OpenIdAccounts(database, {
    users,
    credentials,
    activity,
    issuers,
    ...(passkeys !== null && {
      hasOtherWay: (surface, user) => passkeys.isEnrolled(user, surface),
    }),
  })
  return {
    users,
    fields,
    passwordRules: new PasswordRules({
      site: [title, server.url],
      breaches: breaches === '' ? null : new BreachedPasswords(breaches, { logs, root }),
    }),
    tokens: new Tokens(database, { onFailure }),
    asksToVerify: verify === 'confirm',
    trust,
    credentials,
    emailChange,
    accountUndo,
    identities,
    authenticator,
    mailSignIn: new MailSignIn(database, { credentials, key, onFailure }),
    passkeys,
    passkeySignIn: passkeys === null ? null : new PasskeySignIn({ passkeys, users, signIn }),
    apiTokens,
    bearer,
    programs: bearer === null ? null : new Authentication(bearer),
    activity,
    remember,
    visitors,
    signIn,
    openId:
      issuers.length === 0
        ? null
        : new OpenIdSignIn({ issuers, accounts: openIdAccounts, signIn, url: server.url }),
    signedIn: new Authentication(visitors, {
      fallback: leadToSignIn,
      ...(typeof secondFactor === 'object' && {
        // Identities that `Users` has loaded.
        admit: new HasFactor({
          required: ({ id, email = '', verified = false, ...fields }) =>
            secondFactor.required({ ...fields, id, email, verified }),
        }).admit,
      }),
    }),
    enrolling: new Authentication(visitors, { fallback: leadToSignIn }),
    confirmation: new Confirmation({ methods: [new PasswordFactor(users), ...factors], activity }),
    confirmed: new Confirmed({ within: 900, page: '/confirm' }),
    verified: new Verified({
      page: '/account/mailbox',
      fallback: (request, response) => {
        const message = 'Please verify your e-mail first.'
        return refuse(request, response, { to: '/account', message, status: 403 })
      },
    }),
    limits: accountLimits(key, { rateLimits, remember, users }),
    audit: new AuthAudit({ logs }),
  }
}

async function leadToSignIn(
  { method, session, path }: Request,
  response: Response,
): Promise<Response> {
  // The form of a visitor who signed out in another tab: the sign-in page says so.
  if (method === 'POST' && (await session.isLive())) session.flash('expired', path)
  return response.redirect('/login')
}
