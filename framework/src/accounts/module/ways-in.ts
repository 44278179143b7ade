import type { Translate } from '../../i18n/languages.ts'
import type { AccountUnits } from './account-units.ts'
import { describeAgent } from './describe-agent.ts'

/** Something besides its password that opens an account. */
export interface WayIn {
  /** What it is, for pages and mails. */
  readonly kind: string
  /** What it is called. Whoever has added it may have chosen that: pages show it, mails do not. */
  readonly name: string
  readonly icon: string
  /** Epoch seconds. */
  readonly added: number
  /** Whether that was in the last seven days. */
  readonly isNew: boolean
  /** Whether it is what the mailed link for everything leaves: an older factor, see `AccountUndo`. */
  readonly stays: boolean
  /** The page that shows and ends it. */
  readonly page: string
}

const week = 604_800
const factorKind = 'Authenticator app'

/** Lists what opens an account besides its password, the newest first. */
export async function listWaysIn(
  accounts: AccountUnits,
  user: string,
  { now, own = null, t }: { readonly now: number; readonly own?: unknown; readonly t?: Translate },
): Promise<readonly WayIn[]> {
  const found: WayIn[] = []
  const add = (way: Omit<WayIn, 'isNew' | 'stays'>): void => {
    const isNew = way.added > now - week
    const stays = !isNew && way.kind === factorKind
    found.push({ ...way, kind: t?.(way.kind) ?? way.kind, isNew, stays })
  }
  const app = (await accounts.authenticator?.status(user)) ?? null
  if (app !== null) {
    const page = '/account/two-factor'
    add({ kind: factorKind, name: '', icon: 'shield', added: app.since, page })
  }
  for (const { name, created: added } of (await accounts.passkeys?.list(user)) ?? []) {
    add({ kind: 'Passkey', name, icon: 'key', added, page: '/account/passkeys' })
  }
  for (const { issuer, created: added } of (await accounts.identities?.list(user)) ?? []) {
    const { host: name } = new URL(issuer)
    add({ kind: 'Connected site', name, icon: 'link', added, page: '/account/sign-ins' })
  }
  for (const { name, created: added } of (await accounts.apiTokens?.list(user)) ?? []) {
    add({ kind: 'API token', name, icon: 'program', added, page: '/account/tokens' })
  }
  for (const { handle, agent, created: added } of await accounts.trust.list(user)) {
    if (handle === own) continue
    const { name, kind: icon } = describeAgent(agent, t)
    add({ kind: 'Remembered browser', name, icon, added, page: '/account#devices' })
  }
  return found.toSorted((one, other) => other.added - one.added)
}
