import type { Translate } from '../../i18n/languages.ts'
import type { ActivityRow } from '../account-activity.ts'
import { describeAgent } from './describe-agent.ts'

/** An event of an account as its page shows it. */
export interface DescribedActivity {
  readonly title: string
  /** The browser, for example `Firefox on Linux`. */
  readonly place: string
  readonly icon: string
  readonly network: string
  /** Epoch seconds. */
  readonly at: number
  /** Who did it, if it was not the owner. */
  readonly actor: string | null
  /** Whether the owner should have a second look. */
  readonly isWarning: boolean
}

/** By event, or by event and method: whole sentences, since other languages join them differently. */
const titles: Readonly<Record<string, string>> = {
  registered: 'Account created',
  'registered oidc': 'Account created with an account of another site',
  verified: 'E-mail verified',
  'verified mail': 'E-mail verified by mail',
  login: 'Signed in',
  'login password': 'Signed in with a password',
  'login passkey': 'Signed in with a passkey',
  'login oidc': 'Signed in with an account of another site',
  'login mail': 'Signed in by mail',
  failed: 'Attempt to confirm refused',
  'failed oidc': 'Attempt to confirm refused with an account of another site',
  'failed mail': 'Attempt to confirm refused by mail',
  'failed password': 'Wrong password refused',
  'failed totp': 'Wrong code refused',
  logout: 'Signed out',
  revived: 'Signed in again by a remembered browser',
  theft: 'A copied cookie was used, and every browser was signed out',
  reset: 'Password reset by a mailed link',
  changed: 'Password changed',
  confirmed: 'Confirmed that it is you',
  'confirmed password': 'Confirmed that it is you with a password',
  'confirmed passkey': 'Confirmed that it is you with a passkey',
  'confirmed mail': 'Confirmed that it is you by mail',
  factor_added: 'Second step added',
  factor_removed: 'Second step removed',
  'factor_added passkey': 'Passkey added',
  'factor_removed passkey': 'Passkey removed',
  'failed passkey': 'Passkey refused',
  passkey_copied: 'Passkey refused that may be a copy',
  'passkey_copied passkey': 'Passkey refused that may be a copy with a passkey',
  identity_linked: 'Connected with another site',
  identity_unlinked: 'Disconnected from another site',
  'identity_unlinked undo': 'Disconnected from another site by the link in a mail',
  ended: 'Signed out another browser',
  'ended others': 'Signed out another browser everywhere else',
  'ended all': 'Signed out everywhere',
  factor_asked: 'Asked for the second step',
  'factor_asked password': 'Asked for the second step with a password',
  'factor_asked oidc': 'Asked for the second step with an account of another site',
  'factor_asked mail': 'Asked for the second step by mail',
  suspended: 'Account suspended',
  restored: 'Account restored',
  password_removed: 'Password removed, since the e-mail was verified only after it',
  'password_removed mail': 'Password removed, since the e-mail was verified only after it by mail',
  recovery_used: 'Recovery code used',
  codes_renewed: 'New recovery codes',
  token_created: 'API token created',
  token_revoked: 'API token revoked',
  'token_revoked undo': 'API token revoked by the link in a mail',
  email_requested: 'Asked to change the e-mail address',
  email_changed: 'E-mail address changed',
  email_restored: 'Former e-mail address restored',
  deletion_requested: 'Asked to delete the account',
  deletion_cancelled: 'Kept the account',
  export_requested: 'Asked for a copy of the data',
  export_ready: 'Copy of the data was made',
  export_downloaded: 'Copy of the data downloaded',
}
const actors: Readonly<Record<string, string>> = { operator: 'our support' }
const warnings: ReadonlySet<string> = new Set(
  (
    'failed theft reset suspended factor_removed password_removed identity_unlinked recovery_used ' +
    'passkey_copied email_changed email_restored deletion_requested export_downloaded'
  ).split(' '),
)

/** Of what an event changed; one without has that of the browser, or of a warning. */
const icons: Readonly<Record<string, RegExp>> = {
  key: /passkey/,
  shield: /^(?:factor|recovery|codes|confirmed)/,
  lock: /^(?:reset|changed|password_removed)/,
  mail: /^email_| mail$/,
  link: /^identity_| oidc$/,
  program: /^token_/,
  file: /^export_/,
  check: /^(?:verified|restored|deletion_cancelled)/,
  'user-plus': /^registered/,
}

/** Describes an event for the page of its account. */
export function describeActivity(row: ActivityRow, owner: string, t: Translate): DescribedActivity {
  const { event, method, agent, network, actor, at } = row
  const { name: place, kind } = describeAgent(agent, t)
  const isWarning = warnings.has(event)
  const [icon = isWarning ? 'alert' : kind] =
    Object.entries(icons).find(([, events]) => events.test(`${event} ${method}`)) ?? []
  return {
    title: t(titles[`${event} ${method}`] ?? titles[event] ?? event),
    place,
    icon,
    network,
    at,
    actor: actor === owner ? null : t(actors[actor] ?? actor),
    isWarning,
  }
}
