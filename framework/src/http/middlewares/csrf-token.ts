import { timingSafeEqual, randomUUID } from 'node:crypto'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import { HttpError } from '../errors/http-error.ts'
import { isForm } from '../request/form.ts'
import type { Values } from '../request/query.ts'
import type { CsrfState, Request } from '../request/request.ts'
import { csrfKey } from '../session/session-keys.ts'
import type { Response } from '../response/response.ts'

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

// Views are synchronous and cannot read the session, and most pages have no form. So views print a
// placeholder, which is replaced by the token only if it is there.

/** Values for `it` in views. On an error page `csrfToken` is empty if its forms could not be sent. */
export function placeholderValues(state: CsrfState): Readonly<Record<string, string>> {
  // Random, so that no input of a visitor can be taken for it.
  if (state.placeholder === '') state.placeholder = `csrf-${randomUUID()}`
  const value = state.isErrorPage && state.token === '' ? '' : state.placeholder
  return {
    csrf: `<input type="hidden" name="${tokenField}" value="${value}">`,
    csrfToken: value,
  }
}

/** Puts the token on a page with the placeholder. */
export function fillPlaceholder(
  state: CsrfState,
  request: Request,
  response: Response,
): Response | Promise<Response> {
  return !state.isErrorPage && isIn(state, response) ? fillNow(state, request, response) : response
}

/**
 * Reads the token that an error page may need. None is created, because a failed request saves nothing.
 * @throws `thrown`, always.
 */
export async function readTokenAfterError(
  state: CsrfState,
  request: Request,
  response: Response,
  thrown: unknown,
): Promise<never> {
  const status = thrown instanceof HttpError ? thrown.status : 500
  await readTokenForError(state, request, response, status)
  throw thrown
}

/** The same for a status that is sent without an error; `fillErrorPage` then fills the page. */
export async function readTokenForError(
  state: CsrfState,
  request: Request,
  response: Response,
  status: number,
): Promise<void> {
  state.isErrorPage = true
  if (!response.hasView(`errors/${status}`)) return
  const token = await storedToken(request).catch(() => null)
  state.token = token === null ? '' : maskToken(token)
}

/** Puts the token, if it was read, on a page rendered outside the middleware chain. */
export function fillErrorPage(state: CsrfState, response: Response): void {
  if (isIn(state, response)) replace(state, response)
}

async function fillNow(state: CsrfState, request: Request, response: Response): Promise<Response> {
  state.token = await csrfToken(request)
  replace(state, response)
  return response
}

function isIn(state: CsrfState, { body }: Response): boolean {
  if (state.placeholder === '' || typeof body !== 'string' || body === state.searched) return false
  state.searched = body
  return body.includes(state.placeholder)
}

function replace(state: CsrfState, response: Response): void {
  const { body, headers } = response
  if (typeof body !== 'string') return
  state.searched = body.replaceAll(state.placeholder, state.token)
  response.replaceBody(state.searched)
  // The page now belongs to one visitor: a shared cache must not keep it, whatever the handler set.
  if (!/\b(?:private|no-store)\b/i.test(headers.get('Cache-Control') ?? '')) {
    headers.set('Cache-Control', 'private, no-cache')
  }
}
