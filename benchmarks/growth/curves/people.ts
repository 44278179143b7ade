import { createSessionsTable, SqlSessions } from '../../../framework/dist/public/sessions.js'
import { sql } from '../../../framework/dist/public/database.js'
import { Token, Trust } from '../../../framework/dist/public/security.js'
import { createTrustsTable } from '../../../framework/dist/accounts/devices/trust.js'
import { microsOf, Shapes } from '../curve.ts'
import type { Case, Curve } from '../curve.ts'
import type { Ground } from '../ground.ts'

const year = 31_536_000

/** Sessions of a site that grows; an account has four. */
export async function sessionCurves(ground: Ground, sizes: readonly number[]): Promise<Curve[]> {
  const read = new Map<number, Case>()
  const listed = new Map<number, Case>()
  const ended = new Map<number, Case>()
  const swept = new Map<number, Case>()
  for (const size of sizes) {
    const now = Math.floor(Date.now() / 1_000)
    const database = await ground.database(
      createSessionsTable,
      sql`INSERT INTO sessions
        (digest, data, revision, identity, device, agent, peer, created_at, used, expires)
        SELECT lpad(to_hex(at), 64, '0'), ${'{"identity":"7","intended":"/items"}'}, 1, (at / 4)::text, NULL,
          'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', '203.0.113.9',
          ${now}, ${now}, ${now + year} FROM generate_series(1, ${size}) AS at`,
    )
    const sessions = new SqlSessions(database)
    const some = (at: number): number => 1 + ((at * 7_919) % size)
    const digest = (at: number): string => some(at).toString(16).padStart(64, '0')
    const account = (at: number): string => String(Math.floor(some(at) / 4))
    read.set(size, { measure: () => microsOf((at) => sessions.read(digest(at))) })
    listed.set(size, { measure: () => microsOf((at) => sessions.list(account(at))) })
    // Of accounts that have only the session to keep, as most do.
    const other = 'an account without sessions'
    ended.set(size, { measure: () => microsOf((at) => sessions.destroyOf(other, digest(at))) })
    swept.set(size, { measure: () => microsOf(() => sessions.sweep(now)) })
  }
  const curve = { group: 'Sessions of a site', unit: 'µs', shape: Shapes.Logarithmic } as const
  return [
    { ...curve, name: 'reading one', cases: read },
    { ...curve, name: 'the list of an account', cases: listed },
    { ...curve, name: 'ending the others of an account', cases: ended },
    { ...curve, name: 'a sweep that finds nothing', cases: swept },
  ]
}

/** Remembered devices of a site that grows. */
export async function deviceCurves(ground: Ground, sizes: readonly number[]): Promise<Curve[]> {
  const rotated = new Map<number, Case>()
  const issued = new Map<number, Case>()
  for (const size of sizes) {
    const now = Math.floor(Date.now() / 1_000)
    const database = await ground.database(
      createTrustsTable,
      sql`INSERT INTO trusts (selector, verifier, user_id, expires, created_at, agent, peer, used)
        SELECT lpad(to_hex(at), 16, '0'), repeat('0', 64), (at / 3)::text, ${now + year}, ${now},
          'Mozilla/5.0', '203.0.113.9', ${now} FROM generate_series(1, ${size}) AS at`,
    )
    const trust = new Trust(database)
    let { value } = await trust.issue('somebody')
    rotated.set(size, {
      measure: () =>
        microsOf(async () => {
          const next = await trust.rotate(value)
          if (!(next instanceof Token)) throw new Error('a current token was not exchanged')
          value = next.value
        }),
    })
    issued.set(size, { measure: () => microsOf((at) => trust.issue(`new ${at % 100}`)) })
  }
  const curve = { group: 'Devices of a site', unit: 'µs', shape: Shapes.Logarithmic } as const
  return [
    { ...curve, name: 'exchanging a token', cases: rotated },
    { ...curve, name: 'remembering one more', cases: issued },
  ]
}
