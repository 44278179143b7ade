import { accounts as makeAccounts } from 'framework/accounts'

/**
 * The accounts of the project: registration, sign-in, remembered devices, mails, passwords and their settings. Turn on
 * what you need besides, such as `passkeys: true`; `docs/guides/accounts.md` of the framework has the table.
 */
export const accounts = makeAccounts({
  secondFactor: true,
  mailSignIn: true,
  emailChange: true,
  deletion: true,
  exports: true,
  activity: true,
})
