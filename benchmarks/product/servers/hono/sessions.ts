import { randomUUID, webcrypto } from 'node:crypto'
import { type Session, type SessionEnv, useSession, useSessionStorage } from '@hono/session'
import type { MiddlewareHandler } from 'hono'
import type { Contestant } from '../contestant.ts'
import type { PeerDatabase } from '../peer-database.ts'
import { sessionRows, sessionSeconds } from '../shared/session-rows.ts'

/** What a session holds. */
export interface SessionData extends Record<string, unknown> {
  readonly token: string
  readonly userId?: number
}

/** The storage, whose work can be awaited although the package does not. */
interface SessionStorage {
  get(sid: string): Promise<SessionData | null>
  set(sid: string, data: SessionData): Promise<void>
  delete(sid: string): Promise<void>
}

export interface SessionVariables {
  readonly session: Session<SessionData>
  readonly sessionStorage?: SessionStorage
}

/** `@hono/session`, which the documentation of Hono lists, with a storage as its README shows one. */
export async function sessions(
  settings: Contestant,
  database: PeerDatabase,
  key: Buffer,
): Promise<MiddlewareHandler<SessionEnv<SessionData>>[]> {
  const rows = sessionRows(settings, database)
  const storage: SessionStorage = {
    async get(sid) {
      const json = await rows.get(sid, Date.now())
      return json === null ? null : JSON.parse(json)
    },
    set: async (sid, data) =>
      rows.set(sid, JSON.stringify(data), Date.now() + sessionSeconds * 1000),
    delete: async (sid) => rows.destroy(sid),
  }
  // A key is imported once; a secret as text would be imported for every cookie.
  const usages = ['encrypt', 'decrypt'] as const
  const secret = await webcrypto.subtle.importKey('raw', key, 'AES-GCM', false, [...usages])
  const duration = { absolute: sessionSeconds }
  return [useSessionStorage(storage), useSession<SessionData>({ secret, duration })]
}

/**
 * The token of the session for its forms. Hono's own protection is `csrf()`, which needs none; forms
 * have one all the same, so that they do the work of the others.
 */
export async function newFormToken(session: Session<SessionData>): Promise<string> {
  const { token } = (await session.get()) ?? {}
  if (token !== undefined) return token
  const fresh = randomUUID()
  await session.update({ token: fresh })
  return fresh
}
