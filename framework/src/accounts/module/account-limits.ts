import type { ApplicationKey } from '../../settings/application-key.ts'
import { deviceLane } from '../devices/remember.ts'
import type { Remember } from '../devices/remember.ts'
import type { Users } from '../users.ts'
import { AccountLimit } from '../../http/rate-limits/account-limit.ts'
import type { AccountLane } from '../../http/rate-limits/account-limit.ts'
import type { RateLimitStore } from '../../http/rate-limits/rate-limit-store.ts'
import { RateLimit } from '../../http/middlewares/rate-limit.ts'
import type { Middleware } from '../../http/router/middleware.ts'

/** What the limits by account need. */
export interface AccountLimitsParts {
  readonly rateLimits: RateLimitStore
  readonly remember: Remember
  readonly users: Users
}

/** Limits by account. */
export interface AccountLimits {
  /** Wrong passwords at sign-in. */
  readonly signIns: AccountLimit
  /** Wrong guesses of the current password by somebody who is signed in. */
  readonly passwordChecks: AccountLimit
  /** Wrong codes by somebody who knew the password. */
  readonly factorChecks: AccountLimit
  /** Wrong codes for one sign-in, after which the password is asked for again. */
  readonly challengeChecks: AccountLimit
  /** Reset mails to one address. */
  readonly resetMails: AccountLimit
  /** Verification mails to one address, in a day. */
  readonly verificationMails: AccountLimit
  /** Other mails to an address that is not verified, in a day. */
  readonly unverifiedMails: AccountLimit
  /** Notices of one kind to one owner. Those above it are gathered: none is lost. */
  readonly notices: AccountLimit
  /** Requests of one account for another e-mail, on all its devices: each sends a mail to a stranger. */
  readonly emailChanges: AccountLimit
  /** Mails to one address that somebody wants to have, in a day. */
  readonly emailMails: AccountLimit
  /** Exports of one account. */
  readonly exports: AccountLimit
  /** Sign-in mails to one address. */
  readonly signInMails: AccountLimit
  /** Mails with a code for somebody who is signed in: the address may be that of somebody else. */
  readonly mailboxMails: AccountLimit
  /** Wrong mailed codes in a day, or strangers could ask for mails and guess until one code fits. */
  readonly mailedCodes: AccountLimit
}

/**
 * What may be tried with one account in an hour, and how many mails one address gets, from all networks
 * together. A browser that is a device of the account is counted apart, so that strangers never make its
 * owner wait; without such a browser the owner may still sign in from a network in which nobody has guessed.
 */
export function accountLimits(
  key: ApplicationKey,
  { rateLimits, remember, users }: AccountLimitsParts,
): AccountLimits {
  const counted = { window: 3600, store: rateLimits, key: key.derive('account limits') }
  const lane = deviceLane(remember, (id) => users.find(id))
  // One lane for all of them: their mails go to one address.
  const devices: AccountLane = async (request, account) =>
    (await lane(request, account)) === null ? null : 'devices'
  const limit = (
    name: string,
    times: number,
    more: Partial<ConstructorParameters<typeof AccountLimit>[0]> = {},
  ): AccountLimit => new AccountLimit({ ...counted, name, limit: times, ...more })
  const daily = { window: 86_400 }
  return {
    signIns: limit('sign-in', 100, { lane, perNetwork: 20, allowance: 2 }),
    passwordChecks: limit('password', 20, { lane }),
    factorChecks: limit('factor', 20, { lane, perNetwork: 10 }),
    challengeChecks: limit('challenge', 5, { lane }),
    resetMails: limit('reset mail', 10, { lane: devices, perNetwork: 5 }),
    verificationMails: limit('verification mail', 5, daily),
    unverifiedMails: limit('unverified mail', 5, daily),
    notices: limit('notice', 3),
    emailChanges: limit('e-mail change', 5),
    emailMails: limit('e-mail mail', 5, daily),
    exports: limit('export', 3, daily),
    signInMails: limit('sign-in mail', 10, { lane: devices, perNetwork: 5 }),
    mailboxMails: limit('mailbox mail', 5),
    mailedCodes: limit('mailed code', 20, { ...daily, lane, perNetwork: 10 }),
  }
}

/** Options of a route that limit the requests of one visitor per window, in seconds, in front of its guards. */
export function perPeer(
  limit: number,
  window: number,
  guards: readonly Middleware[] = [],
): { readonly middlewares: readonly Middleware[] } {
  return { middlewares: [new RateLimit({ limit, window }), ...guards] }
}
