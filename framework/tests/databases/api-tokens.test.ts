import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { crc32 } from 'node:zlib'
import { ApiTokens, createApiTokensTable } from '../../src/accounts/tokens/api-tokens.ts'
import { AuthEvents } from '../../src/accounts/auth-events.ts'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { createUsersTable } from '../../src/accounts/users-rows.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { InvalidArgumentException } from '../../src/base/errors.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { noSessions } from '../support/no-sessions.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { around } from './token-stores.ts'

type Scope = 'items:read' | 'items:write' | 'reports'
const scopes: readonly Scope[] = ['items:read', 'items:write', 'reports']
const month = 2_592_000
/** No session asks. */
const by = { keep: null }

class Shop {
  readonly database: Database
  readonly clock: { now: number } = { now: 1_700_000_000 }
  readonly told: unknown[] = []
  readonly statements: string[] = []
  readonly credentials: Credentials
  readonly tokens: ApiTokens<Scope>
  /** The same, with its statements noted. */
  readonly counted: ApiTokens<Scope>

  constructor(database: Database, options: { maxTokens?: number } = {}) {
    this.database = database
    const emitter = new Emitter()
    for (const event of [AuthEvents.TokenCreated, AuthEvents.TokenRevoked]) {
      emitter.listen(event, ({ user, peer }) => this.told.push([event.name, user, peer]))
    }
    const credentials = new Credentials(database, new Password(), {
      sessions: () => noSessions,
      emitter,
    })
    const clock = (): number => this.clock.now
    const settings = { scopes, credentials, clock, random: () => 0.5, ...options }
    this.credentials = credentials
    this.tokens = new ApiTokens(database, settings)
    const noted = around(database, (proceed, statement) => {
      const { sql: text } = 'compile' in statement ? statement.compile(database.dialect) : statement
      this.statements.push(/^\w+/.exec(text)?.[0] ?? '')
      return proceed()
    })
    this.counted = new ApiTokens(noted, settings)
  }

  async create(user: string, granted: readonly Scope[] = ['items:read']): Promise<string> {
    const made = await this.tokens.create(user, { name: 'CI', scopes: granted, ttl: month }, by)
    return made?.value ?? ''
  }

  /** The statements that `work` sends. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    this.statements.length = 0
    await work()
    return [...this.statements]
  }
}

onEveryDatabase((_, open) => {
  const opened = async (t: TestContext, options = {}): Promise<Shop> => {
    const database = await open(t, 'pool=8')
    await database.transaction(async (transaction) => {
      await createUsersTable(new Schema(transaction))
      await createApiTokensTable(new Schema(transaction))
    })
    await database.run(sql`INSERT INTO users (id, email) VALUES (7, 'ada@x.org'), (8, 'bob@x.org')`)
    return new Shop(database, options)
  }

  test('a token is found by its text until it expires, is revoked, or all of its account are', async (t) => {
    const shop = await opened(t)
    const { tokens, clock } = shop
    const made = await tokens.create(
      '7',
      {
        name: ' CI ',
        scopes: ['reports', 'items:read'],
        ttl: 60,
      },
      by,
    )
    const { value = '', token } = made ?? {}
    const expected = {
      handle: value.slice(3, 19),
      name: 'CI',
      scopes: ['items:read', 'reports'],
      created: clock.now,
      expires: clock.now + 60,
    }
    assert.deepEqual(token, { ...expected, used: null })
    assert.deepEqual(await tokens.find(value), { ...expected, used: null, user: '7' })
    assert.deepEqual(await tokens.list('7'), [{ ...expected, used: clock.now }])
    clock.now += 60
    assert.deepEqual(await tokens.list('7'), [])
    assert.equal(await tokens.find(value), null)
    assert.deepEqual(await shop.database.rows(sql`SELECT id FROM api_tokens`), [])
    const [one, two, three] = [
      await shop.create('7'),
      await shop.create('7'),
      await shop.create('8'),
    ]
    assert.equal(
      await tokens.revoke('8', one.slice(3, 19), by),
      false,
      'not that of another account',
    )
    assert.equal(await tokens.revoke('7', one.slice(3, 19), by), true)
    assert.equal(await tokens.revoke('7', one.slice(3, 19), by), false)
    assert.equal(await tokens.find(one), null)
    const told = shop.told.length
    assert.equal(await tokens.revokeAll('7', { ...by, peer: '203.0.113.9' }), 1)
    assert.equal(await tokens.revokeAll('7', by), 0)
    assert.deepEqual(shop.told.slice(told), [['auth.token_revoked', '7', '203.0.113.9']])
    assert.equal(await tokens.find(two), null)
    assert.equal((await tokens.find(three))?.user, '8')
  })

  test('a wrong verifier finds nothing and leaves the token valid; malformed ones cost no statement', async (t) => {
    const shop = await opened(t)
    const value = await shop.create('7')
    const other = await shop.create('8')
    const mixed = `${value.slice(0, 20)}${other.slice(20)}`
    const body = mixed.slice(0, 84)
    const forged = `${body}${crc32(body).toString(16).padStart(8, '0')}`
    const sent = await shop.during(async () => assert.equal(await shop.counted.find(forged), null))
    assert.deepEqual(sent, ['SELECT'])
    for (const text of ['', 'x', mixed, value.toUpperCase(), `${value}0`]) {
      const statements = await shop.during(async () => {
        assert.equal(await shop.counted.find(text), null)
      })
      assert.deepEqual(statements, [])
    }
    assert.equal((await shop.tokens.find(value))?.user, '7')
  })

  test('only the digest of the verifier is stored, and the new token prints no secret', async (t) => {
    const shop = await opened(t)
    const made = await shop.tokens.create('7', { name: 'CI', scopes, ttl: month }, by)
    const secret = made?.value.slice(20, 84) ?? 'x'
    const rows = await shop.database.rows(sql`SELECT * FROM api_tokens`)
    assert.equal(rows.length, 1)
    for (const text of [
      inspect(rows),
      inspect(made),
      JSON.stringify(made),
      inspect(Object.assign({}, made)),
    ]) {
      assert.equal(text.includes(secret), false)
    }
  })

  test('using a token is one statement; the last use is written at most once a minute', async (t) => {
    const shop = await opened(t)
    const value = await shop.create('7')
    const use = (): Promise<readonly string[]> => shop.during(() => shop.counted.find(value))
    assert.deepEqual(await use(), ['SELECT', 'UPDATE'])
    assert.deepEqual(await use(), ['SELECT'])
    shop.clock.now += 59
    assert.deepEqual(await use(), ['SELECT'])
    shop.clock.now += 1
    assert.deepEqual(await use(), ['SELECT', 'UPDATE'])
    assert.deepEqual(await use(), ['SELECT'])
    const [listed] = await shop.tokens.list('7')
    assert.equal(listed?.used, shop.clock.now)
  })

  test('of concurrent first uses one writes the time, and all are accepted', async (t) => {
    const shop = await opened(t)
    const value = await shop.create('7')
    const found = await Promise.all(Array.from({ length: 8 }, () => shop.tokens.find(value)))
    assert.equal(found.filter((token) => token !== null).length, 8)
  })

  test('a scope that the project no longer has is gone from its tokens', async (t) => {
    const shop = await opened(t)
    const value = await shop.create('7', ['items:read', 'reports'])
    const later = new ApiTokens(shop.database, {
      scopes: ['items:read'],
      credentials: shop.credentials,
      clock: () => shop.clock.now,
    })
    assert.deepEqual((await later.find(value))?.scopes, ['items:read'])
  })

  test('an account has a limited number of tokens', async (t) => {
    const shop = await opened(t, { maxTokens: 2 })
    await shop.create('7')
    await shop.create('7')
    assert.equal(await shop.tokens.create('7', { name: 'x', scopes, ttl: 60 }, by), null)
    assert.notEqual(await shop.create('8'), '')
    shop.clock.now += month
    assert.notEqual(await shop.create('7'), '', 'expired ones do not count')
  })

  test('of twenty that are created at once no more are there than an account can have', async (t) => {
    const shop = await opened(t, { maxTokens: 5 })
    const made = await Promise.all(Array.from({ length: 20 }, () => shop.create('7')))
    assert.equal(made.filter((value) => value !== '').length, 5)
    assert.equal((await shop.tokens.list('7')).length, 5)
  })

  test('creating and revoking tell the owner', async (t) => {
    const shop = await opened(t)
    const origin = { ...by, peer: '203.0.113.9' }
    const made = await shop.tokens.create('7', { name: 'CI', scopes, ttl: 60 }, origin)
    await shop.tokens.revoke('7', made?.token.handle ?? '', origin)
    await shop.tokens.revoke('7', made?.token.handle ?? '', origin)
    assert.deepEqual(shop.told, [
      ['auth.token_created', '7', '203.0.113.9'],
      ['auth.token_revoked', '7', '203.0.113.9'],
    ])
  })

  test('what cannot be is refused before anything is sent', async (t) => {
    const shop = await opened(t)
    const valid = { name: 'CI', scopes, ttl: 60 }
    const unknown: readonly string[] = ['items:delete']
    const statements = await shop.during(async () => {
      for (const [user, wrong] of [
        ['', {}],
        ['x'.repeat(256), {}],
        ['7', { name: ' ' }],
        ['7', { name: 'x'.repeat(101) }],
        ['7', { ttl: 0 }],
        ['7', { ttl: 1.5 }],
        ['7', { ttl: Infinity }],
        ['7', { scopes: [] }],
      ] as const) {
        const creating = shop.counted.create(user, { ...valid, ...wrong }, by)
        await assert.rejects(creating, InvalidArgumentException)
      }
      const { credentials } = shop
      const loose = new ApiTokens<string>(shop.database, { scopes, credentials })
      await assert.rejects(loose.create('7', { ...valid, scopes: unknown }, by), {
        message: /at least one of the scopes items:read, items:write, reports, got items:delete/,
      })
    })
    assert.deepEqual(statements, [])
    for (const wrong of [[], ['two words'], [''], ['x'.repeat(1001)]]) {
      const { credentials } = shop
      const options = { scopes: wrong, credentials }
      assert.throws(() => new ApiTokens(shop.database, options), InvalidArgumentException)
    }
  })

  test('a failing database is not an invalid token', async (t) => {
    const shop = await opened(t)
    const value = await shop.create('7')
    await shop.database.run(sql`DROP TABLE api_tokens`)
    await assert.rejects(shop.tokens.find(value), { code: 'E_STATEMENT' })
    await assert.rejects(shop.tokens.list('7'), { code: 'E_STATEMENT' })
  })

  test('expired tokens are swept', async (t) => {
    const shop = await opened(t)
    await shop.create('7')
    shop.clock.now += month
    assert.equal(await shop.tokens.sweep(), 1)
  })
})
