import type { Incident } from './incident.ts'

/** What exports say elsewhere, and the address of the client, which stays here. */
const saidElsewhere: ReadonlySet<string> = new Set(['method', 'URI', 'peer', 'request'])

/** Longer values are left out, in characters of JSON. */
const maxLength = 4_096

/** The rest of what the reporter got: queue and job, table, origin. Values are bounded. */
export function shownContext({ context }: Incident): Readonly<Record<string, unknown>> {
  const shown = Object.entries(context)
    .filter(([key, value]) => value !== undefined && !saidElsewhere.has(key))
    .map(([key, value]) => [key, bounded(value)] as const)
  return Object.fromEntries(shown)
}

function bounded(value: unknown): unknown {
  return JSON.stringify(value).length > maxLength ? '[too large]' : value
}

/** A text of the context; empty if it is none. */
export function textIn({ context }: Incident, key: string): string {
  const value = context[key]
  return typeof value === 'string' ? value : ''
}
