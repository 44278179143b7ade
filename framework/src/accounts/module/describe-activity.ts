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

const titles: Readonly<Record<string, string>> = {
  registered: 'Account created',
  verified: 'E-mail verified',
  login: 'Signed in',
  failed: 'Attempt to confirm refused',
  'failed password': 'Wrong password refused',
  'failed totp': 'Wrong code refused',
  logout: 'Signed out',
  revived: 'Signed in again by a remembered browser',
  theft: 'A copied cookie was used, and every browser was signed out',
  reset: 'Password reset by a mailed link',
  changed: 'Password changed',
  confirmed: 'Confirmed that it is you',
  factor_added: 'Second step added',
  factor_removed: 'Second step removed',
  'factor_added passkey': 'Passkey added',
  'factor_removed passkey': 'Passkey removed',
  'failed passkey': 'Passkey refused',
  passkey_copied: 'Passkey refused that may be a copy',
  identity_linked: 'Connected with another site',
  identity_unlinked: 'Disconnected from another site',
  ended: 'Signed out another browser',
  'ended all': 'Signed out everywhere',
  factor_asked: 'Asked for the second step',
  suspended: 'Account suspended',
  restored: 'Account restored',
  password_removed: 'Password removed, since the e-mail was verified only after it',
  recovery_used: 'Recovery code used',
  codes_renewed: 'New recovery codes',
  token_created: 'API token created',
  token_revoked: 'API token revoked',
  email_requested: 'Asked to change the e-mail address',
  email_changed: 'E-mail address changed',
  email_restored: 'Former e-mail address restored',
  deletion_requested: 'Asked to delete the account',
  deletion_cancelled: 'Kept the account',
  export_requested: 'Asked for a copy of the data',
  export_ready: 'Copy of the data was made',
  export_downloaded: 'Copy of the data downloaded',
}
const methods: Readonly<Record<string, string>> = {
  password: 'with a password',
  passkey: 'with a passkey',
  oidc: 'with an account of another site',
  others: 'everywhere else',
  mail: 'by mail',
  undo: 'by the link in a mail',
}
const actors: Readonly<Record<string, string>> = { operator: 'our support' }
const warnings: ReadonlySet<string> = new Set([
  'failed',
  'theft',
  'reset',
  'suspended',
  'factor_removed',
  'password_removed',
  'identity_unlinked',
  'recovery_used',
  'passkey_copied',
  'email_changed',
  'email_restored',
  'deletion_requested',
  'export_downloaded',
])

/** Describes an event for the page of its account. */
export function describeActivity(row: ActivityRow, owner: string): DescribedActivity {
  const { event, method, agent, network, actor, at } = row
  const own = titles[`${event} ${method}`]
  const title = [titles[event] ?? event, method === null ? '' : (methods[method] ?? '')]
  const { name: place, kind: icon } = describeAgent(agent)
  return {
    title: own ?? title.filter((part) => part !== '').join(' '),
    place,
    icon: warnings.has(event) ? 'alert' : icon,
    network,
    at,
    actor: actor === owner ? null : (actors[actor] ?? actor),
    isWarning: warnings.has(event),
  }
}
