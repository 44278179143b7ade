import { openSync } from 'node:fs'
import { Counter, Observability } from 'framework/observability'

/** Faults that the soak has to find. */
export type Bugs = 'lost-commit' | 'doubled-job' | 'kept-session' | 'open-file' | 'reset-counter'

const planted = new Set(process.env['SOAK_BUGS']?.split(','))

/** Whether this bug is planted, and strikes this time: one time in some. */
export function strikes(bug: Bugs, oneIn: number = 1): boolean {
  return planted.has(bug) && Math.random() * oneIn < 1
}

let counted = 0
const deposits = new Counter('deposits_total', {
  help: 'Deposits that were made.',
  observe: () => counted,
})
Observability.follow((registry) => registry.metrics.push(deposits))

export function countDeposit(): void {
  counted = strikes('reset-counter', 10) ? 0 : counted + 1
}

/** Opens files that nobody closes. */
export function openFiles(): void {
  if (strikes('open-file')) for (let file = 0; file < 5; file += 1) openSync('/dev/null', 'r')
}

const seen = new Map<string, string>()

/** Keeps what a cookie stood for once. */
export function remembered(cookie: string, id: string | null): string | null {
  if (id !== null) seen.set(cookie, id)
  return id ?? (strikes('kept-session') ? (seen.get(cookie) ?? null) : null)
}
