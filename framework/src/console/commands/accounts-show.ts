import type { ActiveSession, AccountSummary } from '../../accounts/account-support.ts'
import { printable } from '../../base/encoding/printable.ts'
import type { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Paint } from '../../base/terminal/paints.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import { answerAbout } from './project-accounts.ts'
import type { AccountsFlags } from './project-accounts.ts'

/** Options of `framework accounts show` and `framework accounts sessions`. */
export interface ShowAccountFlags extends AccountsFlags {
  readonly json?: boolean
}

/** Describes an account. The status is not 0 if there is no such account. */
export function showAccount(
  email: string,
  { json = false, ...flags }: ShowAccountFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return answerAbout(email, flags, terminal, async (accounts) => {
    const account = await accounts.show(email)
    if (account === null) return null
    return json ? jsonOf(account) : tableOf(account, terminal.paint.bold)
  })
}

/** Lists where an account is signed in. The status is not 0 if there is no such account. */
export function showSessions(
  email: string,
  { json = false, ...flags }: ShowAccountFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return answerAbout(email, flags, terminal, async (accounts) => {
    const places = await accounts.sessions(email)
    if (places === null) return null
    if (json) return jsonOf(places)
    if (places.length === 0) return `${printable(email)} is not signed in anywhere\n`
    return placesTable(places, terminal.paint.bold)
  })
}

function tableOf(account: AccountSummary, bold: Paint): string {
  const { id, email, verified, password, suspended, places, devices, last } = account
  const rows = [
    ['id', id],
    ['e-mail', email],
    ['verified', verified ? 'yes' : 'no'],
    ['suspended', suspended ? 'yes' : 'no'],
    ['password', password ? 'yes' : 'no'],
    ['factors', namesText(account.factors)],
    ['passkeys', namesText(account.passkeys)],
    ['other sites', namesText(account.identities)],
    ['API tokens', namesText(account.tokens)],
    ['signed in', placesText(places, devices.length)],
    ...devices.map(({ agent, peer, used }) => [
      'device',
      `${agent}, ${peer}, last used ${timeOf(used)}`,
    ]),
    ['last event', last === null ? 'none' : `${last.event}, ${timeOf(last.at)}, ${last.network}`],
  ]
  return textTable(['account', ''], rows.map(printed), bold)
}

function namesText(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function placesText(places: number, devices: number): string {
  if (places === 0) return 'nowhere'
  return `in ${places} ${places === 1 ? 'place' : 'places'}, ${devices} remembered`
}

function placesTable(places: readonly ActiveSession[], bold: Paint): string {
  const rows = places.map(({ used, created, peer, remembered, agent }) =>
    printed([timeOf(used), timeOf(created), peer, remembered ? 'yes' : 'no', agent]),
  )
  return textTable(['last used', 'since', 'address', 'remembered', 'browser'], rows, bold)
}

// A user agent is whatever a client has sent.
function printed(cells: readonly string[]): readonly string[] {
  return cells.map(printable)
}

/** `2026-11-16 09:46 UTC` */
function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
