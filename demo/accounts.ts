import { accounts as mountAccounts } from 'framework/accounts'

/** The accounts of the project: what is left out is off. */
export const accounts = mountAccounts({
  secondFactor: true,
  passkeys: true,
  mailSignIn: true,
  openId: ['company'],
  apiTokens: {
    // A route that requires another scope does not compile.
    scopes: {
      'account:read': 'Read your e-mail address, and whether it is verified',
      'places:read': 'Read where you are signed in',
      'items:order': 'Order items',
    },
  },
  emailChange: true,
  deletion: true,
  exports: true,
  activity: true,
})
