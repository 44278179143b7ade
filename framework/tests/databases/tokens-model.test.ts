import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import type { Tokens } from '../../src/accounts/tokens/tokens.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { assertExplained, dropping } from './at-once.ts'
import type { Explanation, Model, Site } from './at-once.ts'
import { TokenStores, tampered } from './token-stores.ts'

/** The token that a user has for a purpose: its place among all that were ever minted. */
interface Kept {
  readonly token: number
  readonly expires: number
}

/** One call, with tokens by their place among those minted so far. */
type Call =
  | {
      readonly verb: 'mint'
      readonly user: string
      readonly purpose: Purposes
      readonly ttl: number
    }
  | {
      readonly verb: 'redeem' | 'check'
      readonly token: number
      readonly purpose: Purposes
      readonly isTampered: boolean
    }
  | { readonly verb: 'revoke'; readonly user: string; readonly purpose: Purposes | null }
  | { readonly verb: 'sweep' }

interface Minted {
  readonly value: string
  readonly user: string
  readonly purpose: Purposes
}

class TokensSite implements Site<Call, Kept> {
  readonly stores: TokenStores
  readonly scheduler: fc.Scheduler
  readonly #minted: Minted[] = []

  constructor(stores: TokenStores, scheduler: fc.Scheduler) {
    this.stores = stores
    this.scheduler = scheduler
  }

  async stored(): Promise<Model<Kept>> {
    const rows = await this.stores.rows('tokens')
    return new Map(
      rows.map(({ user_id, purpose, selector, expires }) => [
        [user_id, purpose].join(' '),
        {
          token: this.#minted.findIndex(({ value }) => value.startsWith(String(selector))),
          expires: Number(expires),
        },
      ]),
    )
  }

  async make(call: Call, database: Database): Promise<Explanation<Kept>> {
    const tokens = this.stores.tokens(database)
    const { now } = this.stores.clock
    switch (call.verb) {
      case 'mint':
        return this.#mint(tokens, call)
      case 'sweep':
        return dropping(await tokens.sweep(), ({ expires }) => expires <= now)
      case 'revoke': {
        const purposes = call.purpose === null ? Object.values(Purposes) : [call.purpose]
        const places = new Set(purposes.map((purpose) => `${call.user} ${purpose}`))
        const count = await tokens.revoke(call.user, call.purpose)
        return dropping(count, (_, place) => places.has(place))
      }
      case 'redeem':
      case 'check':
        break
    }
    return this.#present(tokens, call)
  }

  async #mint(
    tokens: Tokens,
    { user, purpose, ttl }: Extract<Call, { verb: 'mint' }>,
  ): Promise<Explanation<Kept>> {
    const { value, expires } = await tokens.mint(user, purpose, ttl)
    const token = this.#minted.push({ value, user, purpose }) - 1
    return (model) => new Map(model).set(`${user} ${purpose}`, { token, expires })
  }

  async #present(
    tokens: Tokens,
    { verb, token, purpose, isTampered }: Extract<Call, { verb: 'redeem' | 'check' }>,
  ): Promise<Explanation<Kept>> {
    const place = token % Math.max(1, this.#minted.length)
    const minted = this.#minted[place]
    const text = minted?.value ?? `${'0'.repeat(16)}.${'0'.repeat(64)}`
    const { now } = this.stores.clock
    const outcome = await tokens[verb](isTampered ? tampered(text) : text, purpose)
    return (model) => {
      const kept = [...model.values()].find((one) => one.token === place)
      const isOver = kept !== undefined && kept.expires <= now
      const isGood = kept !== undefined && !isOver && !isTampered && purpose === minted?.purpose
      const owner = isGood ? minted?.user : null
      if (outcome !== (verb === 'check' ? isGood : owner)) return null
      const isGone = isOver || (isGood && verb === 'redeem')
      return isGone ? new Map([...model].filter(([, one]) => one.token !== place)) : model
    }
  }
}

const user = fc.constantFrom('7', '8')
const purpose = fc.constantFrom(...Object.values(Purposes))
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ verb: fc.constant('mint'), user, purpose, ttl: fc.constantFrom(1, 2, 3600) }),
  fc.record({
    verb: fc.constantFrom('redeem', 'redeem', 'check'),
    token: fc.nat(7),
    purpose,
    isTampered: fc.constantFrom(false, false, true),
  }),
  fc.record({ verb: fc.constant('revoke'), user, purpose: fc.option(purpose) }),
  fc.record({ verb: fc.constant('sweep') }),
)

onEveryDatabase((name, open) => {
  test('concurrent calls behave as in some sequential order, and leave its state', async (t) => {
    const stores = await TokenStores.open(t, open)
    const openSite = async (scheduler: fc.Scheduler): Promise<TokensSite> => {
      await stores.database.run(sql`DELETE FROM tokens`)
      return new TokensSite(stores, scheduler)
    }
    await assertExplained(call, openSite, name === Dialects.SQLite ? 250 : 30)
    assert.deepEqual(stores.reported, [])
  })
})
