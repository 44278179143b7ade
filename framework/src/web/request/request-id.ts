import { randomUUID } from 'node:crypto'

const valid = /^[\w.~+/=:@-]{1,128}$/

/** The id a client or proxy gave, if it is a plain token of at most 128 characters, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && valid.test(given) ? given : randomUUID()
}
