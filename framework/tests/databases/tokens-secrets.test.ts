import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { Purposes, Token } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { redact } from '../../src/base/redact.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { createTables, tampered } from './token-stores.ts'

const { Recovery, Verification } = Purposes

/** Every way to write a secret down. */
function spellings(value: string): readonly string[] {
  const secret = value.slice(17)
  const bytes = Buffer.from(secret, 'hex')
  return [
    secret,
    secret.toUpperCase(),
    bytes.toString('base64').replace('=', ''),
    bytes.toString('base64url'),
    bytes.toString('latin1'),
    Buffer.from(secret).toString('base64').slice(0, 80),
  ]
}

/** Uses stores in every way, also wrong ones, and remembers all secrets and all that was said. */
class Traffic {
  readonly values: string[] = []
  readonly said: string[] = []
  readonly #tokens: Tokens
  readonly #trust: Trust
  readonly #clock = { now: 1_700_000_000 }

  constructor(database: Database) {
    const throwables = createThrowables()
    throwables.reporters.push((error, context) => {
      this.#says(error)
      this.#says(context)
      this.said.push(throwables.render(error))
    })
    const options = { throwables, clock: () => this.#clock.now, random: () => 0.5 }
    this.#tokens = new Tokens(database, options)
    this.#trust = new Trust(database, options)
  }

  async does(step: number): Promise<void> {
    const latest = this.values.at(-1) ?? ''
    const works: readonly (() => Promise<unknown>)[] = [
      () => this.#tokens.mint(`${step % 3}`, Recovery, 100),
      () => this.#trust.issue(`${step % 3}`, 100, { agent: 'Firefox', peer: '192.0.2.1' }),
      () => this.#trust.rotate(latest, 100),
      () => this.#trust.rotate(this.values.at(-2) ?? '', 100, { grace: 5 }),
      () => this.#tokens.check(latest, Recovery),
      () => this.#tokens.redeem(tampered(latest), Verification),
      () => this.#tokens.redeem(latest, Recovery),
      () => this.#trust.forget(tampered(latest)),
      // Mistakes that put a secret where another value belongs.
      () => this.#tokens.mint(latest.repeat(5), Recovery),
      () => this.#tokens.revoke(`\0${latest}`),
      () => this.#trust.isLive(`\0${latest}`),
      () => this.#trust.issue(latest.slice(0, 16), Number(latest)),
      async () => (this.#clock.now += 40),
    ]
    const outcome = await works[step % works.length]?.().catch((error: unknown) => error)
    if (outcome instanceof Token) this.values.push(outcome.value)
    this.#says(outcome)
  }

  #says(thing: unknown): void {
    this.said.push(inspect(thing, { depth: null }), JSON.stringify(redact(thing)) ?? '')
    if (thing instanceof Error) this.said.push(thing.stack ?? '')
  }
}

onEveryDatabase((name, _, create) => {
  test('no secret of a token is in a table, an error, a report or the statement log', async (t) => {
    const logged: string[] = []
    const url = await create()
    const database = await connect(url, { log: (entry) => logged.push(JSON.stringify(entry)) })
    t.after(() => database.close())
    await createTables(database)
    const numRuns = name === Dialects.SQLite ? 60 : 15
    const steps = fc.array(fc.nat(12), { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const traffic = new Traffic(database)
        for (const step of [0, ...list]) await traffic.does(step)
        const dump = [
          ...(await database.rows(sql`SELECT * FROM tokens`)),
          ...(await database.rows(sql`SELECT * FROM trusts`)),
        ].map((row) => Object.values(row).join(' '))
        const texts = [...dump, ...traffic.said, ...logged.splice(0), fileOf(name, url)].join('\n')
        assert.ok(traffic.values.length > 0)
        for (const value of traffic.values) {
          for (const spelling of spellings(value)) assert.equal(texts.includes(spelling), false)
        }
      }),
      { numRuns },
    )
  })

  test('a failing database reveals nothing of what it was asked', async (t) => {
    const database = await connect(await create())
    t.after(() => database.close())
    await createTables(database)
    const traffic = new Traffic(database)
    for (const step of [0, 13, 1, 14]) await traffic.does(step)
    await database.run(sql`DROP TABLE tokens`)
    await database.run(sql`DROP TABLE trusts`)
    for (let step = 0; step < 26; step += 1) await traffic.does(step)
    const said = traffic.said.join('\n')
    assert.match(said, /E_STATEMENT/)
    for (const value of traffic.values) {
      for (const spelling of spellings(value)) assert.equal(said.includes(spelling), false)
    }
  })
})

/** Everything that SQLite has written, its log included. */
function fileOf(name: Dialects, url: string): string {
  if (name !== Dialects.SQLite) return ''
  const file = url.slice('sqlite:'.length)
  const files = [file, `${file}-wal`].filter((path) => existsSync(path))
  return files.map((path) => readFileSync(path, 'latin1')).join('')
}
