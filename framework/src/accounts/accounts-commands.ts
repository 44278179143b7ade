import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import type { AccountSummary, AccountSupport, ActiveSession } from './account-support.ts'

/** The subcommands of `framework accounts`. */
export type AccountAction = 'show' | 'sessions' | 'end' | 'suspend' | 'restore' | 'unlock'

/** The options of a subcommand of `framework accounts`. */
export interface AccountCommandOptions {
  readonly email: string
  /** Whether `show` and `sessions` print JSON. */
  readonly json: boolean
}

/** Runs a subcommand about an account and prints the result. The status is not 0 if there is no such account. */
export async function accountCommand(
  action: AccountAction,
  accounts: AccountSupport,
  options: AccountCommandOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const text = await actions[action](accounts, options, terminal)
  if (text !== null) {
    terminal.out(text)
    return ExitStatus.Ok
  }
  const { red } = terminal.errorPaint
  terminal.err(`${red('error')} there is no account ${printable(options.email)}\n`)
  return ExitStatus.UserError
}

/** Does what a subcommand does and returns the text to print; null if there is no such account. */
type Action = (
  accounts: AccountSupport,
  options: AccountCommandOptions,
  terminal: Terminal,
) => Promise<string | null>

const actions: Readonly<Record<AccountAction, Action>> = {
  async show(accounts, { email, json }, terminal) {
    const account = await accounts.show(email)
    if (account === null) return null
    return json ? jsonOf(account) : accountTable(account, terminal)
  },

  async sessions(accounts, { email, json }, terminal) {
    const places = await accounts.sessions(email)
    if (places === null) return null
    if (json) return jsonOf(places)
    if (places.length === 0) return `${printable(email)} is not signed in anywhere\n`
    return placesTable(places, terminal)
  },

  async end(accounts, { email }) {
    const ended = await accounts.end(email)
    if (ended === null) return null
    const { sessions, devices, tokens } = ended
    const parts = [
      counted(sessions, 'session'),
      counted(devices, 'device'),
      counted(tokens, 'API token'),
    ]
    return `${printable(email)}: ended ${parts.join(', ')}\n`
  },

  async suspend(accounts, { email }) {
    const done = 'is suspended: signed out everywhere, and nobody gets in'
    return changeText(email, await accounts.suspend(email), done, 'is suspended already')
  },

  async restore(accounts, { email }) {
    const done = 'is restored and can sign in'
    return changeText(email, await accounts.restore(email), done, 'is not suspended')
  },

  async unlock(accounts, { email }) {
    const removed = await accounts.unlock(email)
    if (removed === null) return null
    return removed.length === 0
      ? `${printable(email)} has no second factor; nothing was changed\n`
      : `${printable(email)}: ${removed.join(', ')} removed, all sessions and devices ended\n`
  },
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function accountTable(account: AccountSummary, terminal: Terminal): string {
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
  return textTable(['account', ''], rows.map(printed), terminal)
}

function namesText(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function placesText(places: number, devices: number): string {
  if (places === 0) return 'nowhere'
  return `in ${places} ${places === 1 ? 'place' : 'places'}, ${devices} remembered`
}

function placesTable(places: readonly ActiveSession[], terminal: Terminal): string {
  const rows = places.map(({ used, created, peer, remembered, agent }) =>
    printed([timeOf(used), timeOf(created), peer, remembered ? 'yes' : 'no', agent]),
  )
  return textTable(['last used', 'since', 'address', 'remembered', 'browser'], rows, terminal)
}

// A user agent is whatever a client has sent.
function printed(cells: readonly string[]): readonly string[] {
  return cells.map(printable)
}

/** `2026-11-16 09:46 UTC` */
function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** What a change has done; `isDone` is null if there is no such account. */
function changeText(
  email: string,
  isDone: boolean | null,
  done: string,
  before: string,
): string | null {
  if (isDone === null) return null
  return `${printable(email)} ${isDone ? done : `${before}; nothing was changed`}\n`
}
