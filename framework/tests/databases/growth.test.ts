import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountActivity, createActivityTable } from '../../src/accounts/account-activity.ts'
import { createTrustsTable, Trust } from '../../src/accounts/devices/trust.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { createTokensTable, Tokens } from '../../src/accounts/tokens/tokens.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { createJobsTable, SqlJobs } from '../../src/queue/sql-jobs.ts'
import { SentStatements, verbs } from './sent-statements.ts'

// The benchmark `growth` measures how these grow. Here is why they do not: none of their statements reads a
// whole table, and there are as many of them for a large one.

const now = 1_800_000_000
const clock = (): number => now
const random = (): number => 0.5
const job = { payload: new Uint8Array(9), delay: 0, digest: null, remember: 0 }

/** What a request, a worker or a sweep does. */
const calls: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'reading a session': async (database) => new SqlSessions(database).read(hex(1, 64)),
  'listing the sessions of an account': (database) => new SqlSessions(database).list('1'),
  'ending the others': (database) => new SqlSessions(database).destroyOf('1', hex(1, 64)),
  'sweeping sessions': (database) => new SqlSessions(database).sweep(0),
  'exchanging a device token': (database) =>
    trustIn(database).rotate(`${hex(1, 16)}.${hex(1, 64)}`),
  'listing devices': (database) => trustIn(database).list('1'),
  'remembering a device': (database) => trustIn(database).issue('1'),
  'sweeping devices': (database) => trustIn(database).sweep(),
  'a link for a new password': (database) =>
    new Tokens(database, { clock, random }).mint('1', Purposes.Recovery),
  'sweeping links': (database) => new Tokens(database, { clock, random }).sweep(),
  'an event of an account': (database) =>
    new AccountActivity(database, { clock, random }).record({ user: '1', event: 'Login' }),
  'listing the events of an account': (database) => new AccountActivity(database).list('1'),
  'adding a job': (database) => new SqlJobs(database, { clock }).add('mail', job),
  'taking a job': (database) => new SqlJobs(database, { clock }).claim('mail', 1, 60),
  'listing jobs': (database) =>
    new SqlJobs(database, { clock }).list('mail', 'waiting', { offset: 0, limit: 20 }),
}

for (const [what, call] of Object.entries(calls)) {
  test(`${what} reads no whole table, and sends as many statements when there is more`, async (t) => {
    const sent = new SentStatements()
    const [few, many] = [await site(t, sent, 3), await site(t, sent, 300)]
    const counted = verbs(await sent.during(() => call(few)))
    const statements = await sent.during(() => call(many))
    assert.ok(statements.length > 0)
    assert.deepEqual(verbs(statements), counted)
    for (const statement of statements.filter((one) => /^(?:SELECT|UPDATE|DELETE)/.test(one))) {
      const parameters = Array.from(statement.matchAll(/\?/g), () => 1)
      const plan = await many.rows({ sql: `EXPLAIN QUERY PLAN ${statement}`, parameters })
      for (const { detail } of plan) {
        assert.doesNotMatch(String(detail), /^SCAN (?!CONSTANT)/, `${statement}: ${String(detail)}`)
      }
    }
  })
}

function trustIn(database: Database): Trust {
  return new Trust(database, { clock, random })
}

/** Tables with so many rows, a few of them of account 1. */
async function site(
  t: { after(undo: () => unknown): unknown },
  sent: SentStatements,
  size: number,
): Promise<Database> {
  const database = await connect('sqlite::memory:', { log: sent.log })
  t.after(() => database.close())
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createSessionsTable(schema)
    await createTrustsTable(schema)
    await createTokensTable(schema)
    await createActivityTable(schema)
    await createJobsTable(schema)
    for (let at = 1; at <= size; at += 1) {
      const owner = String(Math.ceil(at / 3))
      await new SqlSessions(transaction).create(hex(at, 64), {
        data: '{}',
        identity: owner,
        device: null,
        agent: '',
        peer: '',
        created: now,
        used: now,
        expires: now + 9,
      })
      await transaction.run(sql`INSERT INTO trusts
        (selector, verifier, user_id, expires, created_at, agent, peer, used)
        VALUES (${hex(at, 16)}, ${hex(0, 64)}, ${owner}, ${now + 9}, ${now}, '', '', ${now})`)
      await new SqlJobs(transaction, { clock }).add('mail', job)
      await new AccountActivity(transaction, { clock, random }).record({
        user: owner,
        event: 'Login',
      })
    }
    await transaction.run(sql`ANALYZE`)
  })
  return database
}

function hex(at: number, length: number): string {
  return at.toString(16).padStart(length, '0')
}
