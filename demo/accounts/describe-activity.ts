import type { ActivityRow } from 'framework/auth'
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
  failed: 'Refused',
  logout: 'Signed out',
  revived: 'Signed in again by a remembered browser',
  theft: 'A copied cookie was used, and every browser was signed out',
  reset: 'Password reset by a mailed link',
  changed: 'Password changed',
  confirmed: 'Confirmed that it is you',
  factor_added: 'Second step added',
  factor_removed: 'Second step removed',
  identity_linked: 'Connected with another site', // part: oidc
  identity_unlinked: 'Disconnected from another site', // part: oidc
  ended: 'Signed out another browser',
  recovery_used: 'Recovery code used', // part: two-factor
  codes_renewed: 'New recovery codes', // part: two-factor
  token_created: 'API token created', // part: api-tokens
  token_revoked: 'API token revoked', // part: api-tokens
}
const methods: Readonly<Record<string, string>> = {
  password: 'with a password',
  oidc: 'with an account of another site', // part: oidc
  others: 'everywhere else',
}
const warnings: ReadonlySet<string> = new Set([
  'failed',
  'theft',
  'reset',
  'factor_removed',
  'identity_unlinked', // part: oidc
  'recovery_used', // part: two-factor
])

/** Describes an event for the page of its account. */
export function describeActivity(row: ActivityRow, owner: string): DescribedActivity {
  const { event, method, agent, network, actor, at } = row
  const title = [titles[event] ?? event, method === null ? '' : (methods[method] ?? '')]
  const { name: place, kind: icon } = describeAgent(agent)
  return {
    title: title.filter((part) => part !== '').join(' '),
    place,
    icon: warnings.has(event) ? 'alert' : icon,
    network,
    at,
    actor: actor === owner ? null : actor,
    isWarning: warnings.has(event),
  }
}
