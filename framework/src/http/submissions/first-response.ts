import { createCipheriv, createDecipheriv, createSecretKey, hash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import { Cookies } from '../request/cookies.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { KeyedValues } from '../session/session-data.ts'
import type { SubmissionKey } from './submission.ts'

/** What is stored of the response to a submission: where it leads, and what the browser must have got. */
export interface FirstResponse {
  readonly status: number
  /** The value of `Location`, or of `Refresh`; null if it leads nowhere else. */
  readonly location: string | null
  readonly refresh: string | null
  /** Lines of `Set-Cookie`. The browser has discarded the first response, perhaps with its new session. */
  readonly cookies: readonly string[]
  /** Flashed again by a repeat: the page that took them may never have been shown. */
  readonly flashes: KeyedValues
  /** The sessions a repeat may present: digests of the old and the new one. */
  readonly sessions: readonly string[]
  /** For each other cookie of the response, the values it may present: digests of the old and new one. */
  readonly presented: Readonly<Record<string, readonly string[]>>
}

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** In characters of JSON. */
const maxFlashes = 8 * 1024

/** In characters, encrypted: guests must not fill the store. */
const maxGuestRecord = 8 * 1024

/** What a repeat needs of a response. `session` is the digest that the request came with. */
export function firstResponse(
  { cookies: sent, openedSession }: Request,
  { code: status, headers }: Response,
  { session, sessionCookie }: { readonly session: string | null; readonly sessionCookie: string },
): FirstResponse {
  const cookies = headers.all('Set-Cookie')
  const flashes = openedSession?.flashed ?? {}
  return {
    status,
    location: headers.get('Location') ?? null,
    refresh: headers.get('Refresh') ?? null,
    cookies,
    flashes: JSON.stringify(flashes).length > maxFlashes ? {} : flashes,
    sessions: [session, openedSession?.digest ?? null].filter((digest) => digest !== null),
    presented: presentedCookies(sent, cookies, sessionCookie),
  }
}

function presentedCookies(
  sent: Cookies,
  lines: readonly string[],
  sessionCookie: string,
): FirstResponse['presented'] {
  const allowed = new Map<string, readonly string[]>()
  for (const line of lines) {
    const [pair = ''] = line.split(';', 1)
    const [name = ''] = pair.split('=', 1)
    if (name === sessionCookie) continue
    const earlier = allowed.get(name) ?? [digestOf(sent.get(name))]
    allowed.set(name, [...earlier, digestOf(new Cookies(pair).get(name))])
  }
  return Object.fromEntries(allowed)
}

/** Whether a repeat comes with the old or new session, and the old or new value of each other cookie. */
export function isFromSameVisitor(
  { session, cookies: sent }: Request,
  { sessions, presented }: FirstResponse,
): boolean {
  if (!sessions.includes(session.digest ?? '')) return false
  return Object.entries(presented).every(([name, allowed]) =>
    allowed.includes(digestOf(sent.get(name))),
  )
}

/**
 * Encrypts it for storage: its cookies are secrets, the session id and the device token. The key is
 * derived from the form's token, which is not stored.
 */
export function sealResponse(key: SubmissionKey, first: FirstResponse, isGuest: boolean): string {
  const sealed = seal(key, first)
  if (!isGuest || sealed.length <= maxGuestRecord) return sealed
  return seal(key, { ...first, location: null, refresh: null, cookies: [], flashes: {} })
}

/** Decrypts the result of `sealResponse`. @throws Error if it was changed. */
export function openResponse({ digest, token }: SubmissionKey, sealed: string): FirstResponse {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, keyOf(token), nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(digest)).setAuthTag(bytes.subarray(-tagLength))
  const plain = decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8')
  // The decryption is authenticated: only `sealResponse` can have written it.
  return JSON.parse(plain + decipher.final('utf8')) as FirstResponse
}

function seal({ digest, token }: SubmissionKey, first: FirstResponse): string {
  const nonce = pooledRandomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, keyOf(token), nonce).setAAD(Buffer.from(digest))
  const parts = [nonce, cipher.update(JSON.stringify(first)), cipher.final()]
  return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64')
}

// A masked token has 256 random bits of its own, so one hash makes a key of it.
function keyOf(token: string): KeyObject {
  return createSecretKey(hash('sha256', `submission response ${token}`, 'buffer'))
}

function digestOf(value: string | undefined): string {
  return hash('sha256', `cookie ${value ?? ''}`, 'hex')
}
