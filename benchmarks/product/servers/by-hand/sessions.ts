import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import type { Contestant } from '../contestant.ts'
import type { PeerDatabase } from '../peer-database.ts'
import { Failure, randomPart } from './responses.ts'

/** What is known about a visitor. */
export interface Session {
  /** The CSRF token, as 43 characters. */
  readonly csrf: string
  /** The id of the member; null for a guest. */
  readonly identity: number | null
  /** When it began and was last written, in ms. */
  readonly created: number
  readonly used: number
}

/** A session and the cookie that the response has to set, if any. */
export interface OpenedSession {
  readonly session: Session
  readonly cookies: readonly string[]
}

/** Sessions of guests in their cookies, encrypted; those of members in a store. */
export interface Sessions {
  /** The session of a visitor, or a new one. */
  open(request: IncomingMessage): OpenedSession | Promise<OpenedSession>
  /** Signs somebody in, under a new id; returns the headers of the response. */
  enter(request: IncomingMessage, identity: number): Promise<readonly string[]>
}

interface Store {
  get(digest: string, nowMs: number): string | null | Promise<string | null>
  set(digest: string, data: string, expireMs: number): unknown
  destroy(digest: string): unknown
}

const idleMs = 7_200_000
const lifetimeMs = 86_400_000
const touchMs = 60_000
const name = 'session'
const flags = '; Path=/; Secure; HttpOnly; SameSite=Lax'
const none: readonly string[] = []

/** Opens the store that the harness asks for. */
export async function openSessions(
  database: PeerDatabase,
  { sessions, redis }: Contestant,
): Promise<Sessions> {
  const store = sessions === 'redis' ? await redisStore(redis) : database.sessions
  const key = createSecretKey(randomBytes(32))

  function seal(session: Session): readonly string[] {
    const nonce = randomPart(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const parts = [nonce, cipher.update(JSON.stringify(session)), cipher.final()]
    const sealed = Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url')
    return ['Set-Cookie', `${name}=1.${sealed}${flags}`]
  }

  function unseal(text: string): Session | null {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length < 30) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      const data = decipher.update(bytes.subarray(12, -16), undefined, 'utf8')
      return live(data + decipher.final('utf8'))
    } catch {
      return null
    }
  }

  function begin(): OpenedSession {
    const now = Date.now()
    const csrf = randomPart(32).toString('base64url')
    const session = { csrf, identity: null, created: now, used: now }
    return { session, cookies: seal(session) }
  }

  async function openStored(id: string): Promise<OpenedSession> {
    const now = Date.now()
    const digest = hash('sha256', id, 'base64url')
    const data = await store.get(digest, now)
    const session = data === null ? null : live(data)
    if (session === null) return begin()
    if (session.used <= now - touchMs) {
      await store.set(digest, JSON.stringify({ ...session, used: now }), now + idleMs)
    }
    return { session, cookies: none }
  }

  return {
    open(request) {
      const value = cookieOf(request)
      if (value === null) return begin()
      if (!value.startsWith('1.')) return openStored(value)
      const session = unseal(value.slice(2))
      return session === null ? begin() : { session, cookies: none }
    },
    async enter(request, identity) {
      const former = cookieOf(request)
      if (former !== null && !former.startsWith('1.')) {
        await store.destroy(hash('sha256', former, 'base64url'))
      }
      const id = randomPart(32).toString('base64url')
      const now = Date.now()
      const csrf = randomPart(32).toString('base64url')
      const session: Session = { csrf, identity, created: now, used: now }
      await store.set(hash('sha256', id, 'base64url'), JSON.stringify(session), now + idleMs)
      return ['Set-Cookie', `${name}=${id}${flags}`]
    },
  }
}

/** The token of a session for one page, behind a new mask, so that compression reveals nothing. */
export function maskedToken({ csrf }: Session): string {
  const mask = randomPart(32)
  const both = Buffer.alloc(64)
  const token = Buffer.from(csrf, 'base64url')
  for (let at = 0; at < 32; at += 1) {
    const byte = mask[at] ?? 0
    both[at] = byte
    both[32 + at] = byte ^ (token[at] ?? 0)
  }
  return both.toString('base64url')
}

/** @throws Failure 403 for a form that no page of this site sent. */
export function checkToken({ csrf }: Session, masked: string | null): void {
  const both = Buffer.from(masked ?? '', 'base64url')
  if (both.length !== 64) throw new Failure(403)
  const token = Buffer.alloc(32)
  for (let at = 0; at < 32; at += 1) token[at] = (both[at] ?? 0) ^ (both[32 + at] ?? 0)
  if (!timingSafeEqual(token, Buffer.from(csrf, 'base64url'))) throw new Failure(403)
}

/** @throws Failure 403 for a request that another site made the browser send. */
export function checkOrigin({ headers, socket }: IncomingMessage): void {
  const { origin, host = '' } = headers
  if (headers['sec-fetch-site'] === 'cross-site') throw new Failure(403)
  if (origin === undefined) return
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  if (origin !== `${scheme}://${host}`) throw new Failure(403)
}

function live(data: string): Session | null {
  const { csrf, identity, created, used }: Session = JSON.parse(data)
  return created > Date.now() - lifetimeMs ? { csrf, identity, created, used } : null
}

function cookieOf({ headers: { cookie } }: IncomingMessage): string | null {
  if (cookie === undefined) return null
  for (const pair of cookie.split('; ')) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return null
}

async function redisStore(url: string): Promise<Store> {
  const redis = new Redis(url, { lazyConnect: true, enableAutoPipelining: true })
  await redis.connect()
  return {
    get: (digest) => redis.get(`by-hand:${digest}`),
    set: (digest, data, expireMs) => redis.set(`by-hand:${digest}`, data, 'PXAT', expireMs),
    destroy: (digest) => redis.del(`by-hand:${digest}`),
  }
}
