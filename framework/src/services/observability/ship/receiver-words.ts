import type { Answer } from './post.ts'

/** What a collector said about metrics that it took: null when it took them all and is content. */
export function complaintOf({ text }: Answer): string | null {
  const partial = member(parse(text), 'partialSuccess')
  const given = member(partial, 'rejectedDataPoints')
  const rejected = /^\d{1,20}$/.test(String(given)) ? BigInt(String(given)) : 0n
  const message = member(partial, 'errorMessage')
  const words = typeof message === 'string' ? message : ''
  if (rejected === 0n) return words === '' ? null : `the collector warns: ${words}`
  const what = `the collector rejected ${rejected} data ${rejected === 1n ? 'point' : 'points'}`
  return words === '' ? what : `${what}: ${words}`
}

/** What a collector said when it took nothing; `''` when it said nothing to people. */
export function refusalOf({ type, text }: Answer): string {
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
