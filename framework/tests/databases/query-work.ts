import { DatabaseSync } from 'node:sqlite'
import type { Surface } from '../../src/database/surface.ts'
import { compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { dialects } from '../support/dialects.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import type { SelectPlan } from '../../src/database/sql/plan/select-plan.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

/** What a database does to answer a select. */
export interface QueryWork {
  /**
   * Every index that is read, once for each time it is. A table read without one is 'table', or
   * 'rowid' on SQLite, where it is itself the index of its key.
   */
  readonly reads: readonly string[]
  /** Whether the rows of the table are put in order, rather than read in it. */
  readonly sorts: boolean
  /** Rows of the table or its indexes that were looked at. */
  readonly visited: number
}

/** The work of SQLite, in a file. Rows are counted by a function that each of them must pass. */
export function sqliteWork(file: string, plan: SelectPlan): QueryWork {
  const database = new DatabaseSync(file)
  let visited = 0
  database.function('visited', () => (visited += 1))
  const conditions = [
    ...plan.conditions,
    { type: 'handwritten', statement: sql`visited() > ${0}` } as const,
  ]
  const query = compileSelect({ ...plan, conditions }, dialects.sqlite)
  const parameters = query.parameters.map((value) =>
    value === true ? 1 : value === false ? 0 : value,
  )
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(...parameters.map(storable))
  database.prepare(query.sql).all(...parameters.map(storable))
  database.close()
  const details = steps.map(({ detail }) => String(detail))
  return {
    reads: details.flatMap(indexOfDetail),
    sorts: details.some((detail) => detail.includes('TEMP B-TREE')),
    visited,
  }
}

function indexOfDetail(detail: string): string[] {
  if (!/^(SCAN|SEARCH) /.test(detail)) return []
  return [/ USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1] ?? 'rowid']
}

function storable(value: unknown): string | number | bigint {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`no test binds a ${typeof value}`)
}

/**
 * The work of PostgreSQL. With `generic` it is that of the plan which is kept for all values of the
 * parameters, as after a few runs of a prepared statement.
 */
export async function postgresWork(
  surface: Surface,
  plan: SelectPlan,
  generic: boolean,
): Promise<QueryWork> {
  const query = compileSelect(plan, dialects.postgres)
  const output = generic ? await explainGeneric(surface, query) : await explain(surface, query)
  const work: Mutable = { reads: [], sorts: false, visited: 0 }
  collectNode(nodeOf(nodeOf(output[0])['Plan']), work)
  return work
}

async function explain(surface: Surface, { sql: text, parameters }: Query): Promise<unknown[]> {
  const words = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)'
  return listOf((await surface.rows({ sql: `${words} ${text}`, parameters }))[0])
}

function explainGeneric(surface: Surface, { sql: text, parameters }: Query): Promise<unknown[]> {
  return surface.transaction(async (transaction) => {
    const command = (words: string) => transaction.rows({ sql: words, parameters: [] })
    await command('SET LOCAL plan_cache_mode = force_generic_plan')
    await command(`PREPARE kept AS ${text}`)
    const values = parameters.map((value) => `'${String(value)}'`).join(', ')
    const execute = values === '' ? 'EXECUTE kept' : `EXECUTE kept(${values})`
    const [row] = await command(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${execute}`)
    await command('DEALLOCATE kept')
    return listOf(row)
  })
}

interface Mutable {
  reads: string[]
  sorts: boolean
  visited: number
}

type PlanNode = Readonly<Record<string, unknown>>

// A sort of what a Limit below it has let through is one of a page, not of the table. PostgreSQL 18 may
// sort pages one by one and merge them.
function collectNode(node: PlanNode, work: Mutable): void {
  const type = String(node['Node Type'])
  const children = Array.isArray(node['Plans']) ? node['Plans'].map(nodeOf) : []
  if (type.includes('Sort') && !children.every((child) => isPage(child))) work.sorts = true
  if (type.includes('Scan')) {
    work.reads.push(typeof node['Index Name'] === 'string' ? node['Index Name'] : 'table')
    work.visited += Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)
  }
  for (const child of children) collectNode(child, work)
}

function isPage(node: PlanNode): boolean {
  const children = Array.isArray(node['Plans']) ? node['Plans'].map(nodeOf) : []
  if (node['Node Type'] === 'Limit') return true
  return /Append|Sort/.test(String(node['Node Type'])) && children.every(isPage)
}

function nodeOf(value: unknown): PlanNode {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(row: PlanNode | undefined): unknown[] {
  const plan: unknown = row?.['QUERY PLAN']
  return Array.isArray(plan) ? plan : []
}

/** The work of MariaDB. Rows are counted by its own counters, on one connection. */
export function mariadbWork(surface: Surface, plan: SelectPlan): Promise<QueryWork> {
  const query = compileSelect(plan, dialects.mariadb)
  return surface.transaction(async (transaction) => {
    const steps = await transaction.rows({ ...query, sql: `EXPLAIN ${query.sql}`, raw: false })
    // What counting costs is counted first.
    const counts = [await handlerReads(transaction), await handlerReads(transaction)]
    await transaction.run(query)
    counts.push(await handlerReads(transaction))
    const [first = 0, second = 0, third = 0] = counts
    return {
      reads: steps.map(({ key }) => (typeof key === 'string' ? key : 'table')),
      sorts: steps.some(({ Extra: extra }) => /filesort|temporary/.test(String(extra))),
      visited: third - second - (second - first),
    }
  })
}

async function handlerReads(surface: Surface): Promise<number> {
  const text = "SHOW SESSION STATUS LIKE 'Handler_read%'"
  const rows = await surface.rows({ sql: text, parameters: [] })
  return rows.reduce((sum, { Value: value }) => sum + Number(value), 0)
}
