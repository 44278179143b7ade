import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { isSample } from './error-sample.ts'
import { ErrorOrders, ErrorStates } from './error-store.ts'
import type {
  ErrorDetails,
  ErrorGroup,
  ErrorList,
  ErrorQuery,
  StoredSample,
} from './error-store.ts'
import { errorTables } from './error-tables.ts'

const groups = sql.name(errorTables.groups)
const samples = sql.name(errorTables.samples)
const marks = sql.name(errorTables.marks)

const withAccounts = sql`SELECT ${groups}.*, (SELECT count(*) FROM ${marks}
  WHERE ${marks}.fingerprint = ${groups}.fingerprint AND kind = 'account') AS accounts FROM ${groups}`

/** A page of the groups that match a query. */
export async function listErrors(surface: Surface, query: ErrorQuery): Promise<ErrorList> {
  const { order, offset, limit } = query
  const matches = conditionOf(query)
  const column = sql.name(order === ErrorOrders.Count ? 'occurrences' : 'last_ms')
  const rows = await surface.rows(sql`${withAccounts} WHERE ${matches}
    ORDER BY ${column} DESC, fingerprint LIMIT ${limit} OFFSET ${offset}`)
  const [matching] = await surface.rows(
    sql`SELECT count(*) AS total FROM ${groups} WHERE ${matches}`,
  )
  const states = await surface.rows(
    sql`SELECT state, count(*) AS total FROM ${groups} GROUP BY state`,
  )
  return {
    groups: rows.map(readGroup),
    matching: Number(matching?.['total'] ?? 0),
    totals: {
      open: totalOf(states, ErrorStates.Open),
      resolved: totalOf(states, ErrorStates.Resolved),
      muted: totalOf(states, ErrorStates.Muted),
    },
  }
}

/** A group by its fingerprint. */
export async function findGroup(surface: Surface, fingerprint: string): Promise<ErrorGroup | null> {
  const [row] = await surface.rows(sql`${withAccounts} WHERE fingerprint = ${fingerprint}`)
  return row === undefined ? null : readGroup(row)
}

/** A group with its marks and samples. */
export async function findErrors(
  surface: Surface,
  fingerprint: string,
): Promise<ErrorDetails | null> {
  const group = await findGroup(surface, fingerprint)
  if (group === null) return null
  const marked = await surface.rows(
    sql`SELECT kind, value FROM ${marks} WHERE fingerprint = ${fingerprint} ORDER BY value`,
  )
  const stored = await surface.rows(
    sql`SELECT id, body FROM ${samples} WHERE fingerprint = ${fingerprint} ORDER BY id DESC`,
  )
  const valuesOf = (kind: string): readonly string[] =>
    marked.filter((mark) => mark['kind'] === kind).map(({ value }) => String(value))
  return {
    group,
    accounts: valuesOf('account'),
    titles: valuesOf('title'),
    releases: valuesOf('release'),
    samples: stored.flatMap(readSample),
  }
}

function readGroup(row: ObjectRow): ErrorGroup {
  const textOrNull = (name: string): string | null => {
    const value = row[name]
    return typeof value === 'string' ? value : null
  }
  const text = (name: string): string => textOrNull(name) ?? ''
  const secondsOrNull = (name: string): number | null =>
    row[name] === null ? null : Number(row[name]) / 1000
  return {
    fingerprint: text('fingerprint'),
    class: text('class'),
    message: text('message'),
    code: textOrNull('code'),
    place: text('place'),
    state: stateOf(row['state']),
    count: Number(row['occurrences']),
    firstSeen: Number(row['first_ms']) / 1000,
    lastSeen: Number(row['last_ms']) / 1000,
    firstRelease: text('first_release'),
    lastRelease: text('last_release'),
    resolvedAt: secondsOrNull('resolved_ms'),
    resolvedRelease: textOrNull('resolved_release'),
    returnedAt: secondsOrNull('returned_ms'),
    returnedRelease: textOrNull('returned_release'),
    accounts: Number(row['accounts'] ?? 0),
  }
}

function stateOf(value: unknown): ErrorStates {
  return Object.values(ErrorStates).find((state) => state === value) ?? ErrorStates.Open
}

function conditionOf({ state, search }: ErrorQuery): Statement {
  const inState = sql`state = ${state}`
  if (search === '') return inState
  const pattern = `%${search.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`
  const like = (column: string): Statement =>
    sql`LOWER(${sql.name(column)}) LIKE ${pattern} ESCAPE '!'`
  return sql`${inState} AND (${like('class')} OR ${like('message')} OR ${like('code')} OR ${like('place')})`
}

function totalOf(rows: readonly ObjectRow[], state: ErrorStates): number {
  return Number(rows.find((row) => row['state'] === state)?.['total'] ?? 0)
}

function readSample({ id, body }: ObjectRow): StoredSample[] {
  try {
    const sample: unknown = JSON.parse(String(body))
    return isSample(sample) ? [{ id: String(id), sample }] : []
  } catch {
    // Not written by us.
    return []
  }
}
