import type { ApplicationKey } from '../../settings/application-key.ts'
import { deviceLane } from '../devices/device-lane.ts'
import type { Remember } from '../devices/remember.ts'
import type { Users } from '../users.ts'
import { AccountLimit } from '../../http/rate-limits/account-limit.ts'
import type { AccountLane } from '../../http/rate-limits/account-limit.ts'
import type { RateLimitStore } from '../../http/rate-limits/rate-limit-store.ts'
import { RateLimit } from '../../http/middlewares/rate-limit.ts'

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
  const counted = {
    window: 3600,
    store: rateLimits,
    key: key.derive('account limits'),
  }
  const device = deviceLane(remember, (id) => users.find(id))
  const shared = { ...counted, lane: device }
  // One lane for all of them: their mails go to one address.
  const devices: AccountLane = async (request, account) =>
    (await device(request, account)) === null ? null : 'devices'
  const mailed = { ...counted, lane: devices }
  return {
    signIns: new AccountLimit({
      ...shared,
      name: 'sign-in',
      limit: 100,
      perNetwork: 20,
      allowance: 2,
    }),
    passwordChecks: new AccountLimit({ ...shared, name: 'password', limit: 20 }),
    factorChecks: new AccountLimit({ ...shared, name: 'factor', limit: 20, perNetwork: 10 }),
    challengeChecks: new AccountLimit({ ...shared, name: 'challenge', limit: 5 }),
    resetMails: new AccountLimit({ ...mailed, name: 'reset mail', limit: 10, perNetwork: 5 }),
    verificationMails: new AccountLimit({
      ...counted,
      name: 'verification mail',
      limit: 5,
      window: 86_400,
    }),
    unverifiedMails: new AccountLimit({
      ...counted,
      name: 'unverified mail',
      limit: 5,
      window: 86_400,
    }),
    notices: new AccountLimit({ ...counted, name: 'notice', limit: 3 }),
    emailChanges: new AccountLimit({ ...counted, name: 'e-mail change', limit: 5 }),
    emailMails: new AccountLimit({ ...counted, name: 'e-mail mail', limit: 5, window: 86_400 }),
    exports: new AccountLimit({ ...counted, name: 'export', limit: 3, window: 86_400 }),
    signInMails: new AccountLimit({ ...mailed, name: 'sign-in mail', limit: 10, perNetwork: 5 }),
    mailboxMails: new AccountLimit({ ...counted, name: 'mailbox mail', limit: 5 }),
    mailedCodes: new AccountLimit({
      ...shared,
      name: 'mailed code',
      window: 86_400,
      limit: 20,
      perNetwork: 10,
    }),
  }
}

/** Limits the requests of one visitor per window, in seconds. */
export function perPeer(limit: number, window: number): RateLimit {
  return new RateLimit({ limit, window })
}
