import type { CollectorResponse } from './post-request.ts'

/** The warning or partial rejection in a successful response; null when there is none. */
export function acceptanceMessage({ text }: CollectorResponse): string | null {
  const partial = member(parse(text), 'partialSuccess')
  const [rejected, noun] = rejectedIn(partial)
  const message = member(partial, 'errorMessage')
  const words = typeof message === 'string' ? message : ''
  if (rejected === 0n) return words === '' ? null : `the collector warns: ${words}`
  const what = `the collector rejected ${rejected} ${noun}${rejected === 1n ? '' : 's'}`
  return words === '' ? what : `${what}: ${words}`
}

/** The error message in a failed response; `''` when there is none. */
export function rejectionMessage({ type, text }: CollectorResponse): string {
  const message = member(parse(text), 'message')
  if (typeof message === 'string') return message
  return type.startsWith('text/plain') ? text : ''
}

const nouns = {
  rejectedDataPoints: 'data point',
  rejectedSpans: 'span',
  rejectedLogRecords: 'log record',
} as const

function rejectedIn(partial: unknown): readonly [number: bigint, noun: string] {
  for (const [name, noun] of Object.entries(nouns)) {
    const given = String(member(partial, name))
    if (/^\d{1,20}$/.test(given)) return [BigInt(given), noun]
  }
  return [0n, '']
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
