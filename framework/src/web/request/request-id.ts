import { randomUUID } from 'node:crypto'

const validId = /^[\w.~+/=:@-]{1,128}$/

/** The id sent by a client or proxy, if it is a token of at most 128 characters, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && validId.test(given) ? given : randomUUID()
}
