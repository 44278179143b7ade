import { framesOf } from '../errors/stack/frames.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import { objectRows, toQuery } from '../database/run-statement.ts'
import type { Operation, Result } from '../database/operation.ts'
import type { Surface, Transaction, TransactionOptions } from '../database/surface.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'
import type { Query, Statement } from '../database/sql/plan/statement.ts'
import type { MigrationFile } from './migration-file.ts'
import type { Schema } from './schema.ts'

const maxStatement = 500

/** What a migration does, so that its failure can name the line and the statement. */
export class StepTrace {
  readonly #file: Pick<MigrationFile, 'name' | 'path'>
  #call: Error | null = null
  #statement: { readonly sql: string; readonly site: Error } | null = null

  constructor(file: Pick<MigrationFile, 'name' | 'path'>) {
    this.#file = file
  }

  /** Notes a call of the schema. */
  noteCall(): void {
    this.#call = callSite()
  }

  /** Notes a statement when it is sent. Bound values are not part of its text. */
  noteStatement(sql: string): void {
    this.#statement = { sql, site: callSite() }
  }

  /** `migrations/…_create_posts.ts:7, in CREATE TABLE …`, as far as it is known. */
  describe(error: Error): string {
    // An error that is not about a statement has the line in its own stack.
    const statement = error instanceof DatabaseError ? this.#statement : null
    const line = this.#lineIn(statement?.site ?? error) ?? this.#lineIn(this.#call)
    const file = fileLabel(this.#file.path, process.cwd())
    const place = line === null ? file : `${file}:${line}`
    return statement === null ? place : `${place}, in ${shortened(statement.sql)}`
  }

  // The original of a compiled migration has another folder and another ending.
  #lineIn(error: Error | null): number | null {
    const { name, path } = this.#file
    if (error === null) return null
    const frame = framesOf(error).find(({ file, line }) => {
      const isSource = file === path || /([^/\\]*)\.[a-z]+$/.exec(file)?.[1] === name
      return isSource && line > 0
    })
    return frame?.line ?? null
  }
}

// The migration is further away than the default of ten calls.
function callSite(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  try {
    return new Error('statement')
  } finally {
    Error.stackTraceLimit = limit
  }
}

function shortened(sql: string): string {
  const text = sql.replaceAll(/\s+/g, ' ').trim()
  return text.length > maxStatement ? `${text.slice(0, maxStatement).toWellFormed()} …` : text
}

/** A schema that notes each call: a migration that is no async function has no line later on. */
export function tracedSchema(schema: Schema, trace: StepTrace): Schema {
  return new Proxy(schema, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): unknown => {
        trace.noteCall()
        return Reflect.apply(value, target, given)
      }
    },
  })
}

/** The surface of a migration: notes each statement, also those of a `Repository`. */
export class TracedSurface implements Transaction {
  readonly dialect: Dialect
  readonly kind: Surface['kind']
  readonly serial = true
  readonly transactional = true
  readonly #surface: Surface
  readonly #trace: StepTrace

  constructor(surface: Surface, trace: StepTrace) {
    this.dialect = surface.dialect
    this.kind = surface.kind
    this.#surface = surface
    this.#trace = trace
  }

  dispatch(query: Query): Operation {
    this.#trace.noteStatement(query.sql)
    return this.#surface.dispatch(query)
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    return this.#surface.pipeline(first, second)
  }

  run(statement: Query | Statement<unknown>): Promise<Result> {
    this.#trace.noteStatement(toQuery(statement, this.dialect).sql)
    return this.#surface.run(statement)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return objectRows(await this.run(statement), statement)
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#surface.transaction(
      (transaction) => work(new TracedSurface(transaction, this.#trace)),
      options,
    )
  }
}
