import { cookieName } from '../http/session/session-settings.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable } from '../settings/variable.ts'

const minute = 60
const week = 604_800
const year = 31_536_000
/** Browsers keep no cookie longer than 400 days, whatever its Max-Age. */
const maxCookieLength = 34_560_000

/**
 * The scope `auth`: how long links and trusted devices last. The flags of the remember cookie are
 * fixed, not settings. `APP_URL`, the base of all links, is in the scope `server`.
 */
export const authScope: ConfigScope<{
  readonly verificationTtl: Variable<number>
  readonly recoveryTtl: Variable<number>
  readonly rememberName: Variable<string>
  readonly rememberTtl: Variable<number>
  readonly rememberMax: Variable<number>
  readonly rememberGrace: Variable<number>
  readonly verify: Variable<'link' | 'confirm'>
  readonly breaches: Variable<string>
}> = scope('auth', {
  verificationTtl: env.integer('AUTH_VERIFICATION_TTL', {
    default: 86_400,
    min: minute,
    max: year,
    meaning: 'seconds for which a link to verify an e-mail works',
  }),
  // Kept short: anyone who finds an old mail could set a new password with it.
  recoveryTtl: env.integer('AUTH_RECOVERY_TTL', {
    default: 3600,
    min: minute,
    max: week,
    meaning: 'seconds for which a link to reset a password works',
  }),
  rememberName: env.custom('AUTH_REMEMBER_NAME', cookieName, {
    default: 'remember',
    meaning: 'name of the trusted-device cookie; a name starting with __Host- binds it to the host',
  }),
  rememberTtl: env.integer('AUTH_REMEMBER_TTL', {
    default: 2_592_000,
    min: minute,
    max: maxCookieLength,
    meaning: 'seconds without a visit after which a trusted device is forgotten',
  }),
  rememberMax: env.integer('AUTH_REMEMBER_MAX', {
    default: 15_552_000,
    min: minute,
    meaning: 'seconds after which a trusted device is forgotten, however often it is used',
  }),
  // Within this time a token that has just been replaced does not count as stolen: keep it to
  // seconds.
  rememberGrace: env.integer('AUTH_REMEMBER_GRACE', {
    default: 5,
    min: 0,
    max: minute,
    meaning: 'seconds in which tabs opened together may present the same device token',
  }),
  // Mail scanners open links too, and would verify an address whose owner never read the mail.
  verify: env.choice('AUTH_VERIFY', ['link', 'confirm'], {
    default: 'link',
    meaning:
      'whether opening the link verifies an e-mail, or asks for a click unless its browser is signed in',
  }),
  breaches: env.string('PASSWORD_BREACHES', {
    default: '',
    meaning:
      'folder or URL with ranges of breached passwords, which are then refused; empty for none',
  }),
})

const hour = 3600
const day = 86_400

/** The scope `data`: when accounts are deleted, and how their data is exported. */
export const accountDataScope: ConfigScope<{
  readonly deletionDelay: Variable<number>
  readonly exportTtl: Variable<number>
  readonly exportQueue: Variable<boolean>
}> = scope('data', {
  // Longer than the 72 hours in which a stolen account can be taken back.
  deletionDelay: env.integer('DELETION_DELAY', {
    default: 7 * day,
    min: 4 * day,
    max: 90 * day,
    meaning: 'seconds between the request to delete an account and its deletion',
  }),
  exportTtl: env.integer('EXPORT_TTL', {
    default: 2 * day,
    min: hour,
    max: 30 * day,
    meaning: 'seconds for which an exported file can be downloaded',
  }),
  exportQueue: env.boolean('EXPORT_QUEUE', {
    default: false,
    meaning: 'leave exports to `framework queue run exports`',
  }),
})
