import type { Accounts } from './account-services.ts'

/** A page of the settings of an account. */
export interface SettingsSection {
  readonly id: string
  readonly href: string
  readonly icon: string
  readonly name: string
}

/** What views know of accounts as `it.accounts`: which parts are on. */
export interface ViewGlobals {
  readonly registration: boolean
  readonly secondFactor: boolean
  readonly passkeys: boolean
  readonly mailSignIn: boolean
  readonly apiTokens: boolean
  /** The pages of the settings, in the order of their menu. */
  readonly sections: readonly SettingsSection[]
}

/** What views know of these accounts. */
export function viewGlobals(accounts: Accounts): ViewGlobals {
  return {
    registration: accounts.options.registration !== false,
    secondFactor: accounts.authenticator !== null,
    passkeys: accounts.passkeys !== null,
    mailSignIn: accounts.options.mailSignIn === true,
    apiTokens: accounts.apiTokens !== null,
    sections: settingsSections(accounts),
  }
}

function settingsSections(accounts: Accounts): readonly SettingsSection[] {
  const { activity, apiTokens, authenticator, deletion, emailChange } = accounts
  const { exports, openId, passkeys } = accounts
  const sections: readonly (readonly [
    part: unknown,
    id: string,
    href: string,
    icon: string,
    name: string,
  ])[] = [
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
  ]
  return sections
    .filter(([part]) => part !== null)
    .map(([, id, href, icon, name]) => ({ id, href, icon, name }))
}
