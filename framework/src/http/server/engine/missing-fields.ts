import type { ServerLog } from '../server-host.ts'
import { probeDueResponse } from './due-response.ts'
import { probeQuickResponse } from './quick-response.ts'
import { probeSentBytes } from './socket-sweep.ts'

/**
 * The undocumented fields that this Node lacks, by the part of the engine that uses them; null where
 * none is missing. For a missing field the engine uses the public API instead.
 */
export interface MissingFields {
  readonly quickResponse: string | null
  readonly dueResponse: string | null
  readonly sentBytes: string | null
}

/** What the public API costs instead. */
const costs: Readonly<Record<keyof MissingFields, string>> = {
  quickResponse:
    'responses go through writeHead() and end(), which is slower, and a connection whose request ' +
    'body was not read may be reset before its client has the response',
  dueResponse: 'every request is remembered until it is answered, which is slower',
  sentBytes: 'a client that takes longer than sendTimeout for one large write is cut',
}

let probed: MissingFields | null = null

/** Probes for the fields, once per process. */
export function missingFields(): MissingFields {
  probed ??= {
    quickResponse: probeQuickResponse(),
    dueResponse: probeDueResponse(),
    sentBytes: probeSentBytes(),
  }
  return probed
}

const warned = new Set<string>()

/** Logs a warning for each missing field, once per process. */
export function warnOfMissingFields(
  log: ServerLog,
  missing: MissingFields = missingFields(),
): void {
  for (const part of ['quickResponse', 'dueResponse', 'sentBytes'] as const) {
    const field = missing[part]
    if (field === null || warned.has(field)) continue
    warned.add(field)
    const context = { field, cost: costs[part], node: process.version }
    log('this Node lacks an internal field, so the engine does without', context, 'warn')
  }
}
