import { toError } from '../base/to-error.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { Surface } from '../database/surface.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'
import { ForeignKeysOnError } from '../database/sql/dialects/alter/alter-dialect.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import type { Ledger } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import type { MigrationStep } from './migration-error.ts'
import type { Migration, MigrationFile } from './migration-file.ts'
import type { WarningOptions } from './alter-table.ts'
import { Schema } from './schema.ts'
import { framesOf } from '../errors/stack/frames.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { toQuery } from '../database/run-statement.ts'
import { Statement } from '../database/sql/plan/statement.ts'
import type { Query } from '../database/sql/plan/statement.ts'
import { isRecord } from '../base/is-record.ts'

/** A migration to run, and its direction. */
export interface NextStep {
  readonly file: MigrationFile
  readonly migration: Migration
  readonly direction: MigrationStep['direction']
  readonly batch: number
  /** Whether foreign keys are enforced. */
  readonly foreignKeys: boolean
  readonly warnings: WarningOptions | null
}

/**
 * Runs one migration and records it in the ledger, atomically where the database allows it.
 * @throws MigrationError that says what is left of it.
 * @throws ForeignKeysOnError when it has to be run again without foreign keys; nothing is left of it.
 */
export async function runStep(
  surface: Surface,
  ledger: Ledger,
  step: NextStep,
): Promise<MigrationStep> {
  const { file, migration, direction, batch, foreignKeys, warnings } = step
  const isAlone = !migration.transaction && surface.dialect.schema.runsAlone
  const startMs = performance.now()
  const trace = new StepTrace(file)
  let changes: readonly string[] = []
  const change = async (on: Surface): Promise<void> => {
    const schema = new Schema(tracedSurface(on, trace), { isAlone, warnings })
    changes = schema.changes
    const run = async (): Promise<void> => {
      await (direction === 'up' ? migration.up : migration.down)?.(tracedSchema(schema, trace))
    }
    await (foreignKeys ? run() : refuseOrphans(on, run))
    if (direction === 'up') await ledger.add(on, file, batch)
    else await ledger.remove(on, file.name)
  }
  try {
    await (isAlone ? change(surface) : surface.transaction(change))
  } catch (thrown) {
    if (thrown instanceof ForeignKeysOnError) throw thrown
    const reason = leftoverReason(surface.dialect, isAlone, changes, thrown)
    const error = toError(thrown)
    throw failed(step, error, trace.describe(error), outcome(changes, reason))
  }
  return { name: file.name, direction, batch, durationMs: performance.now() - startMs }
}

/** Why a failed step may have left something behind; null if it was rolled back completely. */
function leftoverReason(
  { schema: { implicitCommit } }: Dialect,
  isAlone: boolean,
  changes: readonly string[],
  thrown: unknown,
): string | null {
  if (isAlone) return 'It ran without a transaction'
  if (thrown instanceof DatabaseError && thrown.code === 'E_TRANSACTION_ENDED') {
    return 'It ended its transaction itself'
  }
  return implicitCommit !== null && changes.length > 0 ? implicitCommit.reason : null
}

function failed(
  { file, direction }: NextStep,
  error: Error,
  place: string,
  left: string,
): MigrationError {
  return new MigrationError(
    `${file.name} failed while migrating ${direction}: ${error.message}\nat ${place}\n${left}`,
    { cause: error },
  )
}

function outcome(changes: readonly string[], reason: string | null): string {
  if (reason === null) return 'It was rolled back completely; fix it and run it again.'
  if (changes.length === 0) {
    return `${reason}: check what its statements left behind before you run it again.`
  }
  return `${reason}, so this stays, with the rows written before: ${changes.join(', ')}. Undo it by hand, or change the migration to continue from there, and run it again.`
}

/**
 * Runs `work` where foreign keys are not enforced, and checks afterwards that it left no row that
 * refers to nothing. Rows that referred to nothing before do not count.
 * @throws InvalidArgumentException that names the tables.
 */
async function refuseOrphans(surface: Surface, work: () => Promise<void>): Promise<void> {
  const before = await countOrphans(surface)
  await work()
  const after = await countOrphans(surface)
  const worse = [...after].filter(([pair, count]) => count > (before.get(pair) ?? 0))
  if (worse.length === 0) return
  const pairs = worse.map(([pair, count]) => `${count - (before.get(pair) ?? 0)} of ${pair}`)
  throw new InvalidArgumentException(
    'E_FOREIGN_KEY',
    `rows would refer to nothing: ${pairs.join(', ')}; a migration that rebuilds a table runs without foreign keys here, so delete rows that refer to others first`,
  )
}

async function countOrphans(surface: Surface): Promise<ReadonlyMap<string, number>> {
  const statement = surface.dialect.schema.alter.countOrphans
  if (statement === null) return new Map()
  const rows = await surface.rows(statement)
  return new Map(
    rows.map(({ child, parent, orphans }) => [
      `${String(child)}, which refers to ${String(parent)}`,
      Number(orphans),
    ]),
  )
}

const maxStatement = 500

/** What a migration does, so that its failure can name the line and the statement. */
class StepTrace {
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
function tracedSchema(schema: Schema, trace: StepTrace): Schema {
  return beforeCalls(schema, (_method, given) => {
    trace.noteCall()
    return given
  })
}

/** The surface of a migration: notes each statement, also those of a `Repository`. */
function tracedSurface(surface: Surface, trace: StepTrace): Surface {
  return beforeCalls(surface, (method, given) => {
    const [first, ...rest] = given
    if (method === 'transaction' && typeof first === 'function') {
      const work = (inner: Surface): unknown =>
        Reflect.apply(first, undefined, [tracedSurface(inner, trace)])
      return [work, ...rest]
    }
    if (isStatement(first)) trace.noteStatement(toQuery(first, surface.dialect).sql)
    return given
  })
}

function isStatement(given: unknown): given is Query | Statement<unknown> {
  return given instanceof Statement || (isRecord(given) && typeof given['sql'] === 'string')
}

/** An object whose methods are called with what `change` makes of their arguments. */
function beforeCalls<T extends object>(
  object: T,
  change: (method: string | symbol, given: readonly unknown[]) => readonly unknown[],
): T {
  return new Proxy(object, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): unknown =>
        Reflect.apply(value, target, change(property, given))
    },
  })
}
