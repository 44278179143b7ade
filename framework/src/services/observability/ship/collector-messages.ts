import type { CollectorResponse } from './post-request.ts'

/** The warning or partial rejection in a successful response; null when there is none. */
export function acceptanceMessage({ text }: CollectorResponse): string | null {
  const partial = member(parse(text), 'partialSuccess')
  const records = member(partial, 'rejectedLogRecords')
  const given = records ?? member(partial, 'rejectedDataPoints')
  const rejected = /^\d{1,20}$/.test(String(given)) ? BigInt(String(given)) : 0n
  const message = member(partial, 'errorMessage')
  const words = typeof message === 'string' ? message : ''
  if (rejected === 0n) return words === '' ? null : `the collector warns: ${words}`
  const noun = records === undefined ? 'data point' : 'log record'
  const what = `the collector rejected ${rejected} ${noun}${rejected === 1n ? '' : 's'}`
  return words === '' ? what : `${what}: ${words}`
}

/** The error message in a failed response; `''` when there is none. */
export function rejectionMessage({ type, text }: CollectorResponse): string {
  const message = member(parse(text), 'message')
  if (typeof message === 'string') return message
  return type.startsWith('text/plain') ? text : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
