import { createSecretKey, hash } from 'node:crypto'
import { Encrypter } from '../../base/crypto/encrypter.ts'
import { subkey } from '../../base/crypto/subkey.ts'
import { Cookies } from '../request/cookies.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { sendCookie } from '../response/set-cookie.ts'
import type { KeyedValues } from '../session/session-data.ts'
import type { SubmissionKey } from './submission-key.ts'

type Header = readonly [name: string, value: string]

/** A response that can be replayed. */
export interface ReplayableResponse {
  readonly status: number
  readonly headers: readonly Header[]
  readonly cookies: readonly string[]
  readonly body: string | null
  /** The CSP nonce in the body; null if it has none. */
  readonly nonce: string | null
}

/** What is stored of a submission that was handled. */
export interface RecordedResponse {
  /** Null if it is too large or not text. */
  readonly response: ReplayableResponse | null
  /** The sessions a repeat may present: digests of the old and the new one. */
  readonly sessions: readonly string[]
  /** For each other cookie the response sets, the values it may present: digests of the old and new one. */
  readonly cookies: Readonly<Record<string, readonly string[]>>
  /** Flashed again by a repeat: the page that took them may never have been shown. */
  readonly flashes: KeyedValues
}

/** In characters; encrypted, it must fit into a text column. */
const maxBody = 32 * 1024

/** In characters of JSON. */
const maxFlashes = 8 * 1024

/** The flashes to store; none if they are too large. */
export function keepFlashes(flashes: KeyedValues): KeyedValues {
  return JSON.stringify(flashes).length > maxFlashes ? {} : flashes
}

/** A response without its cookies, which are not known yet; null if it cannot be replayed. */
export function captureResponse(
  response: Response,
  before: readonly Header[],
): ReplayableResponse | null {
  const { code: status, headers, body = null } = response
  if (body !== null && (typeof body !== 'string' || body.length > maxBody)) return null
  const isNew = ([name, value]: Header): boolean =>
    name.toLowerCase() !== 'set-cookie' && !before.some(([n, v]) => n === name && v === value)
  return {
    status,
    headers: [...headers].filter(isNew),
    cookies: [],
    body,
    nonce: response.nonceUsed ? response.nonce : null,
  }
}

/** Sends the first response again. */
export function replayResponse(response: Response, first: ReplayableResponse): Response {
  const { status, headers, cookies, body, nonce } = first
  response.status(status)
  for (const [name] of headers) response.headers.delete(name)
  for (const [name, value] of headers) response.headers.append(name, value)
  for (const line of cookies) sendCookie(response, line)
  response.replaceBody(
    body === null || nonce === null ? body : body.replaceAll(nonce, response.nonce),
  )
  return response
}

/** The values a repeat may present of the cookies set by the response, except that of the session. */
export function boundCookies(
  sent: Cookies,
  lines: readonly string[],
  session: string,
): RecordedResponse['cookies'] {
  const allowed = new Map<string, readonly string[]>()
  for (const line of lines) {
    const [pair = ''] = line.split(';', 1)
    const [name = ''] = pair.split('=', 1)
    const earlier = allowed.get(name) ?? [digestOf(sent.get(name))]
    if (name !== session) allowed.set(name, [...earlier, digestOf(new Cookies(pair).get(name))])
  }
  return Object.fromEntries(allowed)
}

/** Whether a repeat comes with the old or new session, and the old or new value of each other cookie. */
export function presents({ session, cookies: sent }: Request, recorded: RecordedResponse): boolean {
  const { sessions, cookies } = recorded
  if (!sessions.includes(session.digest ?? '')) return false
  return Object.entries(cookies).every(([name, allowed]) =>
    allowed.includes(digestOf(sent.get(name))),
  )
}

/**
 * Encrypts the response for storage. It contains secrets, the session id and the device token; the key
 * is derived from the form's token, which is not stored.
 */
export function sealResponse({ digest, token }: SubmissionKey, recorded: RecordedResponse): string {
  const plain = Buffer.from(JSON.stringify(recorded))
  return encrypterOf(token).encrypt(plain, digest).toString('base64')
}

/** Decrypts the result of `sealResponse`. @throws FrameworkError E_DECRYPT if it was changed. */
export function openResponse({ digest, token }: SubmissionKey, text: string): RecordedResponse {
  const plain = encrypterOf(token).decrypt(Buffer.from(text, 'base64'), digest)
  // The decryption is authenticated: only `sealResponse` can have written it.
  return JSON.parse(plain.toString()) as RecordedResponse
}

function encrypterOf(token: string): Encrypter {
  return new Encrypter([subkey(createSecretKey(Buffer.from(token)), 'submission')], 'submission')
}

function digestOf(value: string | undefined): string {
  return hash('sha256', `cookie ${value ?? ''}`, 'hex')
}
