import { createSecretKey, hash } from 'node:crypto'
import { Encrypter } from '../../base/crypto/encrypter.ts'
import { subkey } from '../../base/crypto/subkey.ts'
import { Cookies } from '../request/cookies.ts'
import type { Response } from '../response/response.ts'
import { sendCookie } from '../response/set-cookie.ts'
import type { KeyedValues } from '../session/session-data.ts'
import type { SubmissionKey } from './submission-key.ts'

type Header = readonly [name: string, value: string]

/** An answer that can be given again. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly cookies: readonly string[]
  readonly body: string | null
  /** What allows the inline scripts of the body; null when it has none. */
  readonly nonce: string | null
}

/** What is kept of a submission that was answered. */
export interface RecordedAnswer {
  /** Null for one that is too large, or no text. */
  readonly answer: KeptAnswer | null
  /** For each cookie that the answer sets, what a repeat may present: digests of the old and new value. */
  readonly cookies: Readonly<Record<string, readonly string[]>>
  /** What the next page shows once: a browser that has left that page since should see it all the same. */
  readonly flashes: KeyedValues
}

/** Longest body that is kept, in characters: what comes out of it must fit into a row of a session. */
const maxBody = 32 * 1024

/** The most that is kept of flashes, in characters of JSON. */
const maxFlashes = 8 * 1024

/** The flashes that are kept; none when they are too large. */
export function keepFlashes(flashes: KeyedValues): KeyedValues {
  return JSON.stringify(flashes).length > maxFlashes ? {} : flashes
}

/** An answer before its cookies are known; null when it cannot be kept. */
export function keepAnswer(response: Response, before: readonly Header[]): KeptAnswer | null {
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

/** Gives an answer again. */
export function giveAgain(response: Response, answer: KeptAnswer): Response {
  const { status, headers, cookies, body, nonce } = answer
  response.status(status)
  for (const [name] of headers) response.headers.delete(name)
  for (const [name, value] of headers) response.headers.append(name, value)
  for (const line of cookies) sendCookie(response, line)
  response.replaceBody(
    body === null || nonce === null ? body : body.replaceAll(nonce, response.nonce),
  )
  return response
}

/** What a repeat may present of the cookies that an answer sets, and of one more. */
export function boundCookies(
  sent: Cookies,
  lines: readonly string[],
  session: string,
): RecordedAnswer['cookies'] {
  const allowed = new Map([[session, [digestOf(sent.get(session))]]])
  for (const line of lines) {
    const [pair = ''] = line.split(';', 1)
    const [name = ''] = pair.split('=', 1)
    const earlier = allowed.get(name) ?? [digestOf(sent.get(name))]
    allowed.set(name, [...earlier, digestOf(new Cookies(pair).get(name))])
  }
  return Object.fromEntries(allowed)
}

/** Whether a repeat presents each of these cookies as it was, or as the answer has made it. */
export function presents(sent: Cookies, { cookies }: RecordedAnswer): boolean {
  return Object.entries(cookies).every(([name, allowed]) =>
    allowed.includes(digestOf(sent.get(name))),
  )
}

/**
 * The answer as it may be stored. It holds the ids of a session and a device that somebody could come
 * in with: only who sends the same token again, which is not stored, can read it.
 */
export function sealAnswer({ digest, token }: SubmissionKey, recorded: RecordedAnswer): string {
  const plain = Buffer.from(JSON.stringify(recorded))
  return encrypterOf(token).encrypt(plain, digest).toString('base64')
}

/** What `sealAnswer` was given. @throws FrameworkError E_DECRYPT for what was changed since. */
export function openAnswer({ digest, token }: SubmissionKey, text: string): RecordedAnswer {
  const plain = encrypterOf(token).decrypt(Buffer.from(text, 'base64'), digest)
  // It was sealed: nobody but this file has written it.
  return JSON.parse(plain.toString()) as RecordedAnswer
}

function encrypterOf(token: string): Encrypter {
  return new Encrypter([subkey(createSecretKey(Buffer.from(token)), 'submission')], 'submission')
}

function digestOf(value: string | undefined): string {
  return hash('sha256', `cookie ${value ?? ''}`, 'hex')
}
