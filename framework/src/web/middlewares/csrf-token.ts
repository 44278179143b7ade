import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'
import { csrfKey } from '../session/session.ts'

/** Name of the form field that carries the token. */
export const tokenField = '_token'

/** Name of the header that carries it for scripts. */
export const tokenHeader = 'x-csrf-token'

/** Bytes of a token. */
const tokenBytes = 32

const maskedForm = /^[\w-]{86}$/
const keptForm = /^[\w-]{43}$/

/**
 * The token that forms and scripts of this visitor must send, masked; the session gets one if it has
 * none. In a view `it.csrf` and `it.csrfToken` are there without it.
 * @throws FrameworkError unless the request has a session; HttpError 503 when that cannot be read.
 */
export async function csrfToken(request: Request): Promise<string> {
  return maskToken((await keptToken(request)) ?? newToken(request))
}

/** The masked token of a session that has one; null otherwise. */
export async function presentCsrfToken(request: Request): Promise<string | null> {
  const token = await keptToken(request)
  return token === null ? null : maskToken(token)
}

/** Whether the request carries the token of its session, in the header or in the form. */
export async function carriesToken(request: Request): Promise<boolean> {
  const header = request.header(tokenHeader)
  const isInForm = header === undefined && request.hasBody && isForm(request.type)
  const text = isInForm ? (await request.form()).fields[tokenField] : header
  const given = unmaskToken(text ?? '')
  if (given === null) return false
  const kept = tokenIn(await request.session.get(csrfKey))
  return kept !== null && timingSafeEqual(given, kept)
}

async function keptToken({ session }: Request): Promise<Buffer | null> {
  return tokenIn(await session.get(csrfKey))
}

function tokenIn(kept: unknown): Buffer | null {
  return typeof kept === 'string' && keptForm.test(kept) ? Buffer.from(kept, 'base64url') : null
}

function newToken({ session }: Request): Buffer {
  const token = randomBytes(tokenBytes)
  session.set(csrfKey, token.toString('base64url'))
  return token
}

/**
 * A token as it may stand on a page: behind a pad of its own in each answer, so that no two are
 * alike and the length of a compressed page gives nothing away (BREACH).
 */
export function maskToken(token: Buffer): string {
  const pad = randomBytes(tokenBytes)
  return Buffer.concat([pad, combined(pad, token)]).toString('base64url')
}

/** The token behind its mask; null for a text that cannot hold one. */
export function unmaskToken(text: string): Buffer | null {
  if (!maskedForm.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return combined(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes))
}

function combined(one: Buffer, other: Buffer): Buffer {
  const bytes = Buffer.alloc(one.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (one[at] ?? 0) ^ (other[at] ?? 0)
  return bytes
}
