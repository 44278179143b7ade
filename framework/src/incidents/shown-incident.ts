import { fileLabel } from '../errors/stack/file-label.ts'
import type { Incident, IncidentStep } from './incident.ts'

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

/** A failed step as exports and the inbox show it: without values of users. */
export interface ShownStep extends Omit<IncidentStep, 'kind' | 'caller'> {
  readonly kind: string
  /** File and line of the project that caused it, `orders/store.ts:12`; empty if there is none. */
  readonly caller: string
}

/** Shortens a step; its file is relative to `root`. */
export function shownStep({ caller, ...step }: IncidentStep, root: string): ShownStep {
  return {
    ...step,
    durationMs: Math.round(step.durationMs * 1_000) / 1_000,
    caller: caller === null ? '' : `${fileLabel(caller.file, root)}:${caller.line}`,
  }
}

/**
 * A value as JSON that every parser takes: half of a character, as a text has that was cut in its middle, is
 * replaced. Strict ones would refuse the whole document.
 */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  )
}
