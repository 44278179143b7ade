import { timingSafeEqual } from 'node:crypto'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import { HttpError } from '../errors/http-error.ts'
import { isForm } from '../request/form.ts'
import type { Values } from '../request/query.ts'
import type { Request } from '../request/request.ts'
import { csrfKey } from '../session/session-keys.ts'

/** Name of the form field. */
export const tokenField = '_token'

/** Name of the header, for scripts. */
export const tokenHeader = 'x-csrf-token'

const tokenBytes = 32

const maskedFormat = /^[\w-]{86}$/
const storedFormat = /^[\w-]{43}$/

/**
 * The masked token that forms and scripts of this visitor must send; created if the session has none.
 * Views do not need it: they have `it.csrf` and `it.csrfToken`.
 * @throws FrameworkError if the request has no session; HttpError 503 if it cannot be read.
 */
export async function csrfToken(request: Request): Promise<string> {
  return maskToken((await storedToken(request)) ?? newToken(request))
}

/** The masked token if the session has one; otherwise null. */
export async function presentCsrfToken(request: Request): Promise<string | null> {
  const token = await storedToken(request)
  return token === null ? null : maskToken(token)
}

/** A form that was refused at its first file, because the token did not come before it. */
export class TokenRefused extends HttpError {
  /** The fields before that file. */
  readonly fields: Values

  constructor(fields: Values) {
    super(403, 'Invalid CSRF token', { expose: true })
    this.fields = fields
  }
}

/** The fields of the form; of one that was refused for its token, those before its first file. */
export async function sentFields(request: Request): Promise<Values> {
  if (!request.hasBody || !isForm(request.type)) return {}
  try {
    return (await request.form()).fields
  } catch (error) {
    if (error instanceof TokenRefused) return error.fields
    throw error
  }
}

/**
 * Whether the request has the token of its session, in the header or in the form. The session is the one
 * the browser sent: a guard may have given it a new id since, and with it a new token.
 */
export async function carriesToken(request: Request): Promise<boolean> {
  const text = request.header(tokenHeader) ?? (await sentFields(request))[tokenField]
  const sent = unmaskToken(text ?? '')
  return sent !== null && isTokenOf(request, sent)
}

/**
 * Makes the token come before the files of a form, so that nothing is stored for a request that is
 * refused anyway. A middleware that reads the form outside `Sessions` cannot compare it yet.
 * @throws TokenRefused if it is missing or not that of the session.
 */
export async function requireTokenFirst(request: Request<unknown>, fields: Values): Promise<void> {
  const sent = unmaskToken(request.header(tokenHeader) ?? fields[tokenField] ?? '')
  if (sent === null) throw new TokenRefused(fields)
  if (request.sessions !== null && !(await isTokenOf(request, sent))) throw new TokenRefused(fields)
}

async function isTokenOf(request: Request<unknown>, sent: Buffer): Promise<boolean> {
  const stored = tokenOf(await request.session.presented(csrfKey))
  return stored !== null && timingSafeEqual(sent, stored)
}

async function storedToken({ session }: Request<unknown>): Promise<Buffer | null> {
  return tokenOf(await session.get(csrfKey))
}

function tokenOf(value: unknown): Buffer | null {
  if (typeof value !== 'string' || !storedFormat.test(value)) return null
  return Buffer.from(value, 'base64url')
}

function newToken({ session }: Request): Buffer {
  const token = pooledRandomBytes(tokenBytes)
  session.set(csrfKey, token.toString('base64url'))
  return token
}

/**
 * A token for a page, masked with a new one-time pad in each response, so that the length of a
 * compressed page does not reveal it (BREACH).
 */
export function maskToken(token: Buffer): string {
  const pad = pooledRandomBytes(tokenBytes)
  return Buffer.concat([pad, xor(pad, token)]).toString('base64url')
}

/** The unmasked token; null for a text in another format. */
export function unmaskToken(text: string): Buffer | null {
  if (!maskedFormat.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return xor(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes))
}

function xor(one: Buffer, other: Buffer): Buffer {
  const bytes = Buffer.alloc(one.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (one[at] ?? 0) ^ (other[at] ?? 0)
  return bytes
}
