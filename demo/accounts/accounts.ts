import { applicationKey } from 'framework'
import type { Boot } from 'framework'
import {
  AccountActivity, // part: activity
  AccountUndo,
  ApiTokens, // part: api-tokens
  AuthAudit,
  Authenticating,
  Authentication,
  AuthenticatorApp, // part: two-factor
  Bearer, // part: api-tokens
  BreachedPasswords,
  Confirmation,
  Confirmed,
  Credentials,
  MailSignIn,
  EmailChange, // part: email-change
  OpenIdIdentities, // part: oidc
  PasskeySignIn, // part: passkeys
  Passkeys, // part: passkeys
  Password,
  PasswordFactor,
  PasswordRules,
  Remember,
  SessionGuard,
  SignIn,
  SignInGate,
  Tokens,
  Trust,
  Users,
  Verified, // part: two-factor, passkeys, api-tokens, oidc
  accountDigest,
  rememberPolicy,
  deleteRowsOf,
} from 'framework/auth'
import type { Factor, Identity } from 'framework/auth'
import type { Database } from 'framework/database'
import { refuse } from 'framework/http' // part: two-factor, passkeys, api-tokens, oidc
import type { RateLimitStore } from 'framework/middlewares'
import type { Redis } from 'framework/redis'
import { RedisSessions, SqlSessions } from 'framework/sessions'
import type { Configs } from '../configs/manifest.ts'
import { accountLimits } from './account-limits.ts'
import { scopeNames } from './api-scopes.ts' // part: api-tokens

/** The connections and the store that accounts need. */
export interface AccountsParts {
  readonly database: Database
  readonly redis: Redis | null
  readonly rateLimits: RateLimitStore
}

/** Builds the stores of accounts, links and devices, and the guards that use them. */
export function openAccounts(boot: Boot<Configs>, { database, redis, rateLimits }: AccountsParts) {
  const { logs, root } = boot
  const { auth, session } = boot.configs
  const { rememberName, rememberTtl, rememberMax, rememberGrace, verify, breaches } = auth
  const cookie = { name: rememberName, prefix: session.prefix, lifetime: rememberTtl }
  Remember.policy = rememberPolicy(cookie)
  const key = applicationKey(boot.configs.key, boot)
  const password = new Password()
  const columns = {
    factors: 'factors',
    unproven: 'email_unproven_at',
    suspended: 'suspended_at',
    emailChanges: 'email_changes', // part: email-change
  }
  // A stopped database is a 503, not a wrong password.
  const onFailure = 'throw'
  const users = new Users(database, password, { ...columns, onFailure })
  const activity = new AccountActivity(database) // part: activity
  const credentials = new Credentials(database, password, {
    sessions: (surface) => (redis === null ? new SqlSessions(surface) : new RedisSessions(redis)),
    users: columns,
    // part: account-data
    // Whoever has registered the address of somebody else may have set a date for the deletion too.
    onClaim: deleteRowsOf('account_deletions'),
    // end: account-data
    activity, // part: activity
  })
  // part: two-factor
  const authenticator = new AuthenticatorApp(database, {
    credentials,
    key,
    issuer: boot.configs.app.title,
    onFailure,
    activity, // part: activity
  })
  // end: two-factor
  // part: passkeys
  const passkeys = new Passkeys(database, {
    credentials,
    key,
    url: boot.server.url,
    title: boot.configs.app.title,
    activity, // part: activity
  })
  // end: passkeys
  // What accounts may have besides their password; asked for when signing in, and to confirm.
  const factors: readonly Factor[] = [
    authenticator, // part: two-factor
    passkeys, // part: passkeys
  ]
  // What a thief may have left behind: it ends when the owner takes the account back.
  const leftBehind = {
    undoes: [
      'api_tokens', // part: api-tokens
      'account_deletions', // part: account-data
      'openid_identities', // part: oidc
    ].map((table) => deleteRowsOf(table)),
    factors: [
      authenticator, // part: two-factor
      passkeys, // part: passkeys
    ],
  }
  // part: email-change
  const emailChange = new EmailChange(database, {
    credentials,
    users,
    ...leftBehind,
    activity, // part: activity
  })
  // end: email-change
  const trust = new Trust(database, { maxAge: rememberMax, onFailure })
  // Loaded on every request: a deleted account is signed out, and routes never see stale data.
  const load = (id: string): Promise<Identity | null> => users.find(id)
  // part: api-tokens
  const apiTokens = new ApiTokens(database, {
    scopes: scopeNames,
    credentials,
    onFailure,
    activity, // part: activity
  })
  const bearer = new Bearer(apiTokens, { load })
  // end: api-tokens
  const identities = new OpenIdIdentities(database) // part: oidc
  const accountUndo = new AccountUndo(database, {
    credentials,
    users,
    additions: {
      totp: authenticator, // part: two-factor
      passkey: passkeys, // part: passkeys
      token: apiTokens, // part: api-tokens
      identity: identities, // part: oidc
    },
    ...leftBehind,
    activity, // part: activity
  })
  const gate = new SignInGate({
    factors,
    activity, // part: activity
  })
  const remember = new Remember(trust, { grace: rememberGrace, load, gate })
  // The session first: a device token is only used when there is no signed-in session.
  const visitors = new Authenticating(new SessionGuard({ load }), remember)
  const signIn = new SignIn({
    users,
    trust,
    remember,
    digest: accountDigest(key),
  })
  return {
    users,
    passwordRules: new PasswordRules({
      site: [boot.configs.app.title, boot.server.url],
      breaches: breaches === '' ? null : new BreachedPasswords(breaches, { logs, root }),
    }),
    tokens: new Tokens(database, { onFailure }),
    /** Whether a verification link asks for a click, unless its browser is signed in. */
    asksToVerify: verify === 'confirm',
    trust,
    credentials,
    emailChange, // part: email-change
    /** Takes back what somebody has added to an account. */
    accountUndo,
    identities, // part: oidc
    authenticator, // part: two-factor
    /** Mailed codes, to sign in with and to prove an address. */
    mailSignIn: new MailSignIn(database, { credentials, key, onFailure }),
    passkeys, // part: passkeys
    passkeySignIn: new PasskeySignIn({ passkeys, users, signIn }), // part: passkeys
    // part: api-tokens
    apiTokens,
    bearer,
    /** For routes that programs use with a token. */
    programs: new Authentication(bearer),
    // end: api-tokens
    activity, // part: activity
    remember,
    /** For pages that are open to guests but show who is signed in. */
    visitors,
    signIn,
    /** For routes that require sign-in. */
    signedIn: new Authentication(visitors, {
      fallback: async ({ method, session, path }, response) => {
        // The form of a visitor who signed out in another tab: the sign-in page says so.
        if (method === 'POST' && (await session.isLive())) session.flash('expired', path)
        return response.redirect('/login')
      },
    }),
    /** Takes the password or a factor of somebody who is signed in. */
    confirmation: new Confirmation({
      methods: [new PasswordFactor(users), ...factors],
      activity, // part: activity
    }),
    /** For routes that a stolen session must not open: after `signedIn`, on the page and on its form. */
    confirmed: new Confirmed({ within: 900, page: '/confirm' }),
    // part: two-factor, passkeys, api-tokens, oidc
    /** For what outlives a password: the owner of an address must not find it left by somebody else. */
    verified: new Verified({
      page: '/account/mailbox',
      fallback: (request, response) => {
        const message = 'Please verify your e-mail first.'
        return refuse(request, response, { to: '/account', message, status: 403 })
      },
    }),
    // end: two-factor, passkeys, api-tokens, oidc
    limits: accountLimits(boot, { rateLimits, remember, users }),
    audit: new AuthAudit({ logs }),
  }
}

export type Accounts = ReturnType<typeof openAccounts>
