import type { ServerLog } from '../server-log.ts'
import { probeDueResponse } from './due-response.ts'
import { probeQuickResponse } from './quick-response.ts'
import { probeSentBytes } from './sent-bytes.ts'

/**
 * The undocumented fields of Node that this one lacks, by the part of the engine that wants them; null
 * where nothing is lacking. What is lacking is done by documented means.
 */
export interface MissingFields {
  readonly quickResponse: string | null
  readonly dueResponse: string | null
  readonly sentBytes: string | null
}

/** What the documented means cost. */
const costs: Readonly<Record<keyof MissingFields, string>> = {
  quickResponse:
    'responses go through writeHead() and end(), which is slower, and a connection whose request ' +
    'body was not read may be reset before its client has the response',
  dueResponse: 'every request is remembered until it is answered, which is slower',
  sentBytes: 'a client that takes longer than sendTimeout for one large write is cut',
}

let probed: MissingFields | null = null

/** Looks for the fields, once in a process. */
export function missingFields(): MissingFields {
  probed ??= {
    quickResponse: probeQuickResponse(),
    dueResponse: probeDueResponse(),
    sentBytes: probeSentBytes(),
  }
  return probed
}

const warned = new Set<string>()

/** Logs a warning for each missing field, once in a process. */
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
