import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { deviceHandle, Theft } from '../../src/accounts/devices/trust.ts'
import { Token } from '../../src/accounts/tokens/token.ts'
import type { Trust } from '../../src/accounts/devices/trust.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { assertExplained, dropping } from './at-once.ts'
import type { Explanation, Model, Site } from './at-once.ts'
import { TokenStores, storedDigest, tampered } from './token-stores.ts'

/** A series; its validators by their digest. */
interface Series {
  readonly user: string
  readonly current: string
  readonly previous: string | null
  readonly rotated: number | null
  readonly expires: number
}

/**
 * One call, with tokens counted back from the newest that was given out: 0 mostly is a current one.
 */
type Call =
  | { readonly verb: 'issue'; readonly user: string; readonly ttl: number }
  | {
      readonly verb: 'rotate'
      readonly token: number
      readonly isTampered: boolean
      readonly ttl: number
      readonly grace: number
    }
  | { readonly verb: 'forget'; readonly token: number; readonly isTampered: boolean }
  | { readonly verb: 'end'; readonly token: number; readonly user: string }
  | { readonly verb: 'revoke'; readonly user: string }
  | { readonly verb: 'sweep' }

const unknown = new Token({
  value: `${'0'.repeat(16)}.${'0'.repeat(64)}`,
  selector: '0'.repeat(16),
  user: '',
  purpose: null,
  expires: 0,
})

class TrustSite implements Site<Call, Series> {
  readonly stores: TokenStores
  readonly scheduler: fc.Scheduler
  readonly #given: Token[] = []

  constructor(stores: TokenStores, scheduler: fc.Scheduler) {
    this.stores = stores
    this.scheduler = scheduler
  }

  async stored(): Promise<Model<Series>> {
    const rows = await this.stores.rows('trusts')
    return new Map(
      rows.map((row) => [
        String(row['selector']),
        {
          user: String(row['user_id']),
          current: String(row['verifier']),
          previous: typeof row['previous'] === 'string' ? row['previous'] : null,
          rotated: row['rotated'] === null ? null : Number(row['rotated']),
          expires: Number(row['expires']),
        },
      ]),
    )
  }

  async make(call: Call, database: Database, start: Model<Series>): Promise<Explanation<Series>> {
    const trust = this.stores.trust(database)
    const { now } = this.stores.clock
    switch (call.verb) {
      case 'issue':
        return this.#issue(trust, call)
      case 'rotate':
        return this.#rotate(trust, call, start)
      case 'forget':
        return this.#forget(trust, call)
      case 'end': {
        const { selector } = this.#token(call.token)
        const count = (await trust.end(call.user, deviceHandle(selector))) ? 1 : 0
        return dropping(count, ({ user, expires }, name) => {
          return name === selector && user === call.user && expires > now
        })
      }
      case 'revoke':
        return dropping(await trust.revoke(call.user), ({ user }) => user === call.user)
      case 'sweep':
        break
    }
    return dropping(await trust.sweep(), ({ expires }) => expires <= now)
  }

  async #issue(
    trust: Trust,
    { user, ttl }: Extract<Call, { verb: 'issue' }>,
  ): Promise<Explanation<Series>> {
    const token = await trust.issue(user, ttl)
    this.#given.push(token)
    const { selector, expires, value } = token
    const series = { user, current: storedDigest(value), previous: null, rotated: null, expires }
    return (model) => new Map(model).set(selector, series)
  }

  async #rotate(
    trust: Trust,
    { token, isTampered, ttl, grace }: Extract<Call, { verb: 'rotate' }>,
    start: Model<Series>,
  ): Promise<Explanation<Series>> {
    const { selector, value } = this.#token(token)
    const text = isTampered ? tampered(value) : value
    const presented = storedDigest(text)
    const { now } = this.stores.clock
    const outcome = await trust.rotate(text, ttl, { grace })
    if (outcome instanceof Token) this.#given.push(outcome)
    const wasCurrent = start.get(selector)?.current === presented
    return (model) => {
      const series = model.get(selector)
      if (series === undefined) return outcome === null ? model : null
      if (series.expires <= now) return outcome === null ? without(model, selector) : null
      if (series.current === presented) return renewed(model, series, outcome, now)
      const wasJustCurrent = series.previous === presented && (series.rotated ?? 0) >= now - grace
      const isLate = grace > 0 && wasJustCurrent
      // It was valid when the calls began: a lost race, which is not a theft.
      if (outcome === null) return isLate || wasCurrent ? model : null
      if (isLate || !(outcome instanceof Theft)) return null
      const isTold = isDeepStrictEqual(outcome, new Theft(series.user, selector, now))
      return isTold ? new Map([...model].filter(([, { user }]) => user !== series.user)) : null
    }
  }

  async #forget(
    trust: Trust,
    { token, isTampered }: Extract<Call, { verb: 'forget' }>,
  ): Promise<Explanation<Series>> {
    const { selector, value } = this.#token(token)
    const text = isTampered ? tampered(value) : value
    const { now } = this.stores.clock
    const isForgotten = await trust.forget(text)
    return (model) => {
      const series = model.get(selector)
      const isOver = series !== undefined && series.expires <= now
      const isHeld = !isOver && series?.current === storedDigest(text)
      if (isForgotten !== isHeld) return null
      return isOver || isHeld ? without(model, selector) : model
    }
  }

  #token(place: number): Token {
    return this.#given.at(-1 - (place % Math.max(1, this.#given.length))) ?? unknown
  }
}

function renewed(
  model: Model<Series>,
  { user, current }: Series,
  outcome: Token | Theft | null,
  now: number,
): Model<Series> | null {
  if (!(outcome instanceof Token) || outcome.user !== user) return null
  const { selector, expires, value } = outcome
  const next = { user, current: storedDigest(value), previous: current, rotated: now, expires }
  return new Map(model).set(selector, next)
}

function without(model: Model<Series>, selector: string): Model<Series> {
  return new Map([...model].filter(([name]) => name !== selector))
}

const user = fc.constantFrom('7', '8')
const ttl = fc.constantFrom(3, 3600)
const token = fc.nat(4)
const isTampered = fc.constantFrom(false, false, false, true)
const grace = fc.constantFrom(0, 2)
const call: fc.Arbitrary<Call> = fc.oneof(
  { arbitrary: fc.record({ verb: fc.constant('issue'), user, ttl }), weight: 3 },
  {
    arbitrary: fc.record({ verb: fc.constant('rotate'), token, isTampered, ttl, grace }),
    weight: 5,
  },
  fc.record({ verb: fc.constant('forget'), token, isTampered }),
  fc.record({ verb: fc.constant('end'), token, user }),
  fc.record({ verb: fc.constant('revoke'), user }),
  fc.record({ verb: fc.constant('sweep') }),
)

onEveryDatabase((name, open) => {
  test('concurrent calls behave as in some sequential order, except for lost races', async (t) => {
    const stores = await TokenStores.open(t, open)
    const openSite = async (scheduler: fc.Scheduler): Promise<TrustSite> => {
      await stores.database.run(sql`DELETE FROM trusts`)
      return new TrustSite(stores, scheduler)
    }
    await assertExplained(call, openSite, name === Dialects.SQLite ? 250 : 30)
    assert.deepEqual(stores.reported, [])
  })
})
