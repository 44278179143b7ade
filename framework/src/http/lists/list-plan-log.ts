import { AsyncResource } from 'node:async_hooks'
import { messageOf, toError } from '../../base/to-error.ts'
import type { Transaction } from '../../database/surface.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Channel } from '../../logs/channel.ts'
import type { Logs } from '../../logs/logs.ts'
import { ListEvents } from './list-events.ts'
import type { ListReading } from './list-events.ts'

/** Options of `ListPlanLog`. */
export interface ListPlanLogOptions {
  /** Receives the lines, on its channel `queries`. */
  readonly logs: Logs
  /** @default Emitter.Instance */
  readonly emitter?: Emitter
}

/** Statements that are remembered, so that each is planned only once. */
const maxStatements = 500

/**
 * Logs which lists read the whole table, and the index that would help, until it is closed. Each is told
 * once. For development.
 */
export class ListPlanLog {
  readonly #channel: Channel
  readonly #planned = new Set<string>()
  readonly #told = new Set<string>()
  readonly #pending = new Set<Promise<void>>()
  // Plans are asked for outside of any request: they are not among its statements.
  readonly #outside = new AsyncResource('ListPlanLog')
  readonly #stop: () => void

  constructor({ logs, emitter = Emitter.Instance }: ListPlanLogOptions) {
    this.#channel = logs.channel('queries')
    this.#stop = emitter.listen(ListEvents.Read, (reading) => this.#read(reading))
  }

  /** Stops listening. */
  close(): void {
    this.#stop()
    this.#outside.emitDestroy()
  }

  /** Resolves when every list so far is looked at. */
  settled(): Promise<unknown> {
    return Promise.allSettled(this.#pending)
  }

  async #read(reading: ListReading): Promise<void> {
    const { surface, query } = reading
    const isKnown = this.#planned.has(query.sql) || this.#planned.size >= maxStatements
    // A transaction belongs to somebody else.
    if (isKnown || surface.transactional) return
    this.#planned.add(query.sql)
    // A plan that cannot be had is no failure of the list.
    const planning = this.#outside
      .runInAsyncScope(() => this.#plan(reading))
      .catch((error: unknown) => {
        this.#channel.debug('the plan of a list could not be read', {
          error: messageOf(toError(error)),
        })
      })
    this.#pending.add(planning)
    await planning.finally(() => this.#pending.delete(planning))
  }

  async #plan({ surface, query, plan }: ListReading): Promise<void> {
    const columns = helpfulIndex(plan)
    const list = columns.map((column) => `'${column}'`).join(', ')
    // The key alone has an index.
    if (columns.length < 2 || this.#told.has(`${plan.table} ${list}`)) return
    const found = await surface.transaction(
      (transaction) => wholeTablePlan(transaction, { plan, query, columns }),
      { readOnly: true },
    )
    if (found === null || this.#told.has(`${plan.table} ${list}`)) return
    this.#told.add(`${plan.table} ${list}`)
    this.#channel.warn(
      `a list of ${plan.table} reads the whole table; an index on (${columns.join(', ')}) would help`,
      {
        table: plan.table,
        fix: `table.index([${list}])`,
        statement: query.sql,
        plan: found,
      },
    )
  }
}

interface PlannedList {
  readonly plan: SelectPlan
  readonly query: Query
  readonly columns: readonly string[]
}

/** The plan of a list that reads the whole table; null if it does not, or would not with more rows. */
async function wholeTablePlan(
  transaction: Transaction,
  { plan, query, columns }: PlannedList,
): Promise<readonly string[] | null> {
  const { dialect } = transaction
  for (const sql of dialect.preferIndexes) await transaction.run({ sql, parameters: [] })
  const lines = await dialect.explain(transaction, query.sql)
  if (!dialect.readsWholeTable(lines, plan.table)) return null
  // A planner ignores an index while the table is small.
  const table = await dialect.schema.catalog.readTable(transaction, plan.table)
  const needed = columns.slice(0, -1)
  const isServed = (table?.indexes ?? []).some((index) =>
    needed.every((column, at) => index.columns[at] === column),
  )
  return isServed ? null : lines
}

/** The columns that are compared with one value, and then those of the order. */
function helpfulIndex({ conditions, orderings }: SelectPlan): readonly string[] {
  const columns: string[] = []
  for (const condition of conditions) {
    const isFixed = condition.type === 'comparison' && condition.operator === 'equal'
    if (isFixed) columns.push(condition.column.name)
  }
  columns.push(...orderings.map(({ column }) => column.name))
  return [...new Set(columns)]
}
