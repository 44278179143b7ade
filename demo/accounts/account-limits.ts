import { applicationKey } from 'framework'
import type { Boot } from 'framework'
import { deviceLane } from 'framework/auth'
import type { Remember, Users } from 'framework/auth'
import { AccountLimit } from 'framework/middlewares'
import type { AccountLane, RateLimitStore } from 'framework/middlewares'
import type { Configs } from '../configs/manifest.ts'

/** What the limits by account need. */
export interface AccountLimitsParts {
  readonly rateLimits: RateLimitStore
  readonly remember: Remember
  readonly users: Users
}

/**
 * What may be tried with one account in an hour, and how many mails one address gets, from all networks
 * together. A browser that is a device of the account is counted apart, so that strangers never make its
 * owner wait; without such a browser the owner may still sign in from a network in which nobody has guessed.
 */
export function accountLimits(
  boot: Boot<Configs>,
  { rateLimits, remember, users }: AccountLimitsParts,
) {
  const counted = {
    window: 3600,
    store: rateLimits,
    key: applicationKey(boot.configs.key, boot).derive('account limits'),
  }
  const device = deviceLane(remember, (id) => users.find(id))
  const shared = { ...counted, lane: device }
  // One lane for all of them: their mails go to one address.
  const devices: AccountLane = async (request, account) =>
    (await device(request, account)) === null ? null : 'devices'
  const mailed = { ...counted, lane: devices }
  return {
    /** Wrong passwords at sign-in. */
    signIns: new AccountLimit({
      ...shared,
      name: 'sign-in',
      limit: 100,
      perNetwork: 20,
      allowance: 2,
    }),
    /** Wrong guesses of the current password by somebody who is signed in. */
    passwordChecks: new AccountLimit({ ...shared, name: 'password', limit: 20 }),
    /** Wrong codes by somebody who knew the password. */
    factorChecks: new AccountLimit({ ...shared, name: 'factor', limit: 20, perNetwork: 10 }),
    /** Wrong codes for one sign-in, after which the password is asked for again. */
    challengeChecks: new AccountLimit({ ...shared, name: 'challenge', limit: 5 }),
    /** Reset mails to one address. */
    resetMails: new AccountLimit({ ...mailed, name: 'reset mail', limit: 10, perNetwork: 5 }),
    /** Verification mails to one address, in a day. */
    verificationMails: new AccountLimit({
      ...counted,
      name: 'verification mail',
      limit: 5,
      window: 86_400,
    }),
    /** Other mails to an address that is not verified, in a day. */
    unverifiedMails: new AccountLimit({
      ...counted,
      name: 'unverified mail',
      limit: 5,
      window: 86_400,
    }),
    /** Notices of one kind to one owner. Those above it are gathered: none is lost. */
    notices: new AccountLimit({ ...counted, name: 'notice', limit: 3 }),
    // part: email-change
    /** Requests of one account for another e-mail, on all its devices: each sends a mail to a stranger. */
    emailChanges: new AccountLimit({ ...counted, name: 'e-mail change', limit: 5 }),
    /** Mails to one address that somebody wants to have, in a day. */
    emailMails: new AccountLimit({ ...counted, name: 'e-mail mail', limit: 5, window: 86_400 }),
    // end: email-change
    // part: account-data
    /** Exports of one account. */
    exports: new AccountLimit({ ...counted, name: 'export', limit: 3, window: 86_400 }),
    // end: account-data
    /** Sign-in mails to one address. */
    signInMails: new AccountLimit({ ...mailed, name: 'sign-in mail', limit: 10, perNetwork: 5 }), // part: mail-login
    /** Mails with a code for somebody who is signed in: the address may be that of somebody else. */
    mailboxMails: new AccountLimit({ ...counted, name: 'mailbox mail', limit: 5 }),
    /** Wrong mailed codes in a day, or strangers could ask for mails and guess until one code fits. */
    mailedCodes: new AccountLimit({
      ...shared,
      name: 'mailed code',
      window: 86_400,
      limit: 20,
      perNetwork: 10,
    }),
  }
}
