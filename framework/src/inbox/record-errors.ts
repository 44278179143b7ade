import { isRecord } from '../base/is-record.ts'
import { unlessNested, deadlockRetries } from '../database/transaction-options.ts'
import type { Surface, Transaction } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { insertedValue, upsertStatement } from '../database/upsert-statement.ts'
import { ErrorLimits, ErrorStates } from './error-store.ts'
import type { ErrorBatch } from './error-store.ts'
import { errorTables } from './error-tables.ts'

/** What a batch changed. */
export interface RecordOutcome {
  /** Whether this call made the group. */
  readonly isNew: boolean
  /** Whether this call opened a resolved group again. */
  readonly isReturned: boolean
}

/** Kinds of marks, and how many of each are kept. */
const markLimits: ReadonlyMap<string, number> = new Map([
  ['account', ErrorLimits.accounts],
  ['title', ErrorLimits.titles],
  ['release', ErrorLimits.releases],
])

const groups = sql.name(errorTables.groups)
const samples = sql.name(errorTables.samples)
const marks = sql.name(errorTables.marks)

/**
 * Adds a batch in one transaction. Its first statement locks the row of the group, so that processes
 * that add to the same group do so one after the other.
 */
export function recordErrors(surface: Surface, batch: ErrorBatch): Promise<RecordOutcome> {
  return surface.transaction(
    async (transaction) => {
      const { rows } = await transaction.run(countStatement(batch, transaction))
      const isNew = occurrencesIn(rows) === batch.count
      const isReturned = !isNew && (await reopen(transaction, batch))
      await addMarks(transaction, batch, isNew)
      if (batch.sample !== null) await addSample(transaction, batch, isNew)
      return { isNew, isReturned }
    },
    unlessNested(surface, { isolation: 'read-committed', retry: deadlockRetries }),
  )
}

function countStatement(batch: ErrorBatch, { dialect }: Transaction): Statement {
  const kept = (column: string): Statement => sql`${groups}.${sql.name(column)}`
  const given = (column: string): Statement => insertedValue(column, dialect)
  const ifNewer = (column: string): Statement =>
    sql`CASE WHEN ${given('last_ms')} >= ${kept('last_ms')} THEN ${given(column)} ELSE ${kept(column)} END`
  const upsert = {
    table: groups,
    key: ['fingerprint'],
    row: {
      fingerprint: batch.fingerprint,
      class: batch.class,
      message: batch.message,
      code: batch.code,
      place: batch.place,
      state: ErrorStates.Open,
      occurrences: batch.count,
      first_ms: batch.firstMs,
      last_ms: batch.lastMs,
      first_release: batch.release,
      last_release: batch.release,
    },
    changes: {
      occurrences: sql`${kept('occurrences')} + ${given('occurrences')}`,
      message: ifNewer('message'),
      last_release: ifNewer('last_release'),
      first_ms: sql`CASE WHEN ${given('first_ms')} < ${kept('first_ms')} THEN ${given('first_ms')} ELSE ${kept('first_ms')} END`,
      // Last: the others look at the old one.
      last_ms: ifNewer('last_ms'),
    },
    returning: ['occurrences'],
  }
  return upsertStatement(upsert, dialect)
}

// Of all that see a resolved group, one changes its state. What happened before it was resolved, and
// was stored late, does not.
async function reopen(transaction: Transaction, batch: ErrorBatch): Promise<boolean> {
  const { fingerprint, lastMs, release } = batch
  const { affected } = await transaction.run(sql`UPDATE ${groups}
    SET state = ${ErrorStates.Open}, returned_ms = ${lastMs}, returned_release = ${release},
      resolved_ms = NULL, resolved_release = NULL
    WHERE fingerprint = ${fingerprint} AND state = ${ErrorStates.Resolved}
      AND resolved_ms < ${lastMs} AND (resolved_release IS NULL OR resolved_release <> ${release})`)
  return affected > 0
}

async function addMarks(
  transaction: Transaction,
  { fingerprint, accounts, titles, release }: ErrorBatch,
  isNew: boolean,
): Promise<void> {
  const found = isNew
    ? []
    : await transaction.rows(
        sql`SELECT kind, value FROM ${marks} WHERE fingerprint = ${fingerprint}`,
      )
  const missing = [
    ...accounts.map((value) => ({ kind: 'account', value })),
    ...titles.map((value) => ({ kind: 'title', value })),
    ...(release === '' ? [] : [{ kind: 'release', value: release }]),
  ].filter((mark) => !found.some(({ kind, value }) => kind === mark.kind && value === mark.value))
  const rows = [...markLimits].flatMap(([kind, limit]) => {
    const room = limit - found.filter((mark) => mark['kind'] === kind).length
    return missing.filter((mark) => mark.kind === kind).slice(0, Math.max(0, room))
  })
  if (rows.length === 0) return
  const values = rows.map(({ kind, value }) => sql`(${fingerprint}, ${kind}, ${value})`)
  await transaction.run(
    sql`INSERT INTO ${marks} (fingerprint, kind, value) VALUES ${sql.list(values)}`,
  )
}

async function addSample(
  transaction: Transaction,
  { fingerprint, lastMs, sample }: ErrorBatch,
  isNew: boolean,
): Promise<void> {
  const body = JSON.stringify(sample)
  await transaction.run(sql`INSERT INTO ${samples} (fingerprint, at_ms, body)
    VALUES (${fingerprint}, ${lastMs}, ${body})`)
  if (isNew) return
  const [surplus] = await transaction.rows(sql`SELECT id FROM ${samples}
    WHERE fingerprint = ${fingerprint} ORDER BY id DESC LIMIT 1 OFFSET ${ErrorLimits.samples}`)
  if (surplus === undefined) return
  await transaction.run(
    sql`DELETE FROM ${samples} WHERE fingerprint = ${fingerprint} AND id <= ${surplus['id']}`,
  )
}

function occurrencesIn([row]: readonly unknown[]): number {
  return isRecord(row) ? Number(row['occurrences']) : 0
}
