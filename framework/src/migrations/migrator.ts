import { invalidArgument } from '../base/errors.ts'
import type { Database, Surface } from '../database/surface.ts'
import { ForeignKeysOnError } from '../database/sql/dialects/alter/alter-dialect.ts'
import { checkedTimeout, withMigrationLock } from './migration-lock.ts'
import { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import type { MigrationStep } from './migration-error.ts'
import { listMigrations, loadMigration, refuseUnfilled } from './migration-file.ts'
import type { BuiltInMigration, MigrationFile } from './migration-file.ts'
import {
  MigrationStates,
  migrationStatuses,
  refuseMismatch,
  wasBuiltIn,
} from './migration-states.ts'
import type { MigrationStatus } from './migration-states.ts'
import type { MigrationWarning } from './alter-table.ts'
import type { NextStep } from './run-step.ts'

/** Options of a `Migrator`. */
export interface MigratorOptions {
  /** Table of the applied migrations. @default 'migrations' */
  readonly table?: string
  /**
   * Seconds to wait for another migrating process, or for a table that it has locked. @default 60
   */
  readonly timeout?: number
  /** Rows from which a table is big: see `onWarning`. @default 100,000 */
  readonly bigTable?: number
  /** Migrations of packages, run beside those of the folder. @default [] */
  readonly builtIn?: readonly BuiltInMigration[]
  /**
   * Called before a change that blocks others for long, because its table is big. To throw stops the
   * migration. @default nothing
   */
  readonly onWarning?: (warning: MigrationWarning & { readonly migration: string }) => void
}

/** Options of `Migrator.up`. */
export interface UpOptions {
  /** Maximum number of migrations to apply. @default all pending ones */
  readonly steps?: number | undefined
  /**
   * Continues although files are late, changed or missing. Changed ones are accepted as applied.
   */
  readonly force?: boolean
}

/** Options of `Migrator.fresh`. */
export interface FreshOptions {
  /** Name of the environment. `production` requires `force`. */
  readonly environment: string
  readonly force?: boolean
}

/** Migrates a database to the state that the migrations of a folder describe. */
export class Migrator {
  readonly #database: Database
  readonly #folder: string
  readonly #ledger: Ledger
  readonly #timeout: number
  readonly #options: MigratorOptions

  constructor(database: Database, folder: string, options: MigratorOptions = {}) {
    this.#database = database
    this.#folder = folder
    this.#ledger = new Ledger(options.table ?? 'migrations')
    this.#timeout = checkedTimeout(options.timeout ?? 60)
    this.#options = options
  }

  /**
   * Applies the pending migrations by name, as one batch. Of several concurrent processes one
   * applies them; the others wait and then find nothing to do.
   * @throws MigrationError when one fails, or when the folder and the database do not match.
   */
  async up(options: UpOptions = {}): Promise<readonly MigrationStep[]> {
    checkSteps(options)
    const files = await this.#list()
    return this.#locked((surface, run) => this.#applyPending(surface, files, options, run))
  }

  /**
   * Reverts the last batch, or the given number of migrations, the latest first.
   * @throws MigrationError when one fails, or has no `down` or no file.
   */
  async down({ steps }: Pick<UpOptions, 'steps'> = {}): Promise<readonly MigrationStep[]> {
    checkSteps({ steps })
    const files = await this.#list()
    return this.#locked(async (surface, run) => {
      const rows = lastRows(await this.#ledger.read(surface), run.done, steps)
      const loaded = await loadAll(rows.map((row) => fileOf(row, files)))
      const final = loaded.find(({ migration }) => migration.down === null)
      if (final !== undefined) {
        const { name } = final.file
        throw new MigrationError(`${name} exports no down(schema), so it cannot be reverted`)
      }
      for (const [at, { batch }] of rows.entries()) {
        const next = loaded[at]
        if (next === undefined) continue
        await this.#runStep(surface, run, { ...next, direction: 'down', batch })
        if (!run.foreignKeys) return at < rows.length - 1
      }
      return false
    })
  }

  /** The status of each migration. Changes nothing and does not wait for the lock. */
  async status(): Promise<readonly MigrationStatus[]> {
    const files = await this.#list()
    return migrationStatuses(files, await this.#ledger.read(this.#database))
  }

  /**
   * Names of the migrations that the database lacks. Missing or changed files do not matter here:
   * an older release must be able to start on the database of a newer one.
   */
  async pending(): Promise<readonly string[]> {
    const statuses = await this.status()
    return statuses.filter(isPending).map(({ name }) => name)
  }

  /**
   * Drops every table and view and applies all migrations.
   * @throws MigrationError in production, unless forced.
   */
  async fresh({ environment, force = false }: FreshOptions): Promise<readonly MigrationStep[]> {
    if (environment === 'production' && !force) {
      throw new MigrationError(
        `fresh would drop every table of ${this.#database.label}, and this is production; use --force if that is what you want`,
      )
    }
    const files = await this.#list()
    const { dropEverything } = this.#database.dialect.schema
    await withMigrationLock(this.#database, this.#timeout, dropEverything, { foreignKeys: false })
    return this.#locked((surface, run) => this.#applyPending(surface, files, {}, run))
  }

  #list(): Promise<readonly MigrationFile[]> {
    return listMigrations(this.#folder, this.#options.builtIn)
  }

  async #applyPending(
    surface: Surface,
    files: readonly MigrationFile[],
    { steps = Number.POSITIVE_INFINITY, force = false }: UpOptions,
    run: Run,
  ): Promise<boolean> {
    await this.#ledger.prepare(surface)
    const rows = await this.#ledger.read(surface)
    const statuses = migrationStatuses(files, rows)
    if (!force) refuseMismatch(statuses)
    await this.#acceptChanges(surface, files, statuses)
    const wanted = new Set(statuses.filter(isPending).map(({ name }) => name))
    const batch = run.done[0]?.batch ?? 1 + Math.max(0, ...rows.map((row) => row.batch))
    const next = files.filter(({ name }) => wanted.has(name)).slice(0, steps - run.done.length)
    const loaded = await loadAll(next)
    for (const { file, migration } of loaded) refuseUnfilled(file, migration)
    for (const [at, step] of loaded.entries()) {
      await this.#runStep(surface, run, { ...step, direction: 'up', batch })
      if (!run.foreignKeys) return at < loaded.length - 1
    }
    return false
  }

  async #runStep(
    surface: Surface,
    { done, foreignKeys }: Run,
    step: Omit<NextStep, 'foreignKeys' | 'warnings'>,
  ): Promise<void> {
    const { bigTable = 100_000, onWarning: tell } = this.#options
    const migration = step.file.name
    const warnings =
      tell === undefined
        ? null
        : {
            bigTable,
            onWarning: (warning: MigrationWarning) => tell({ migration, ...warning }),
          }
    const { runStep } = await import('./run-step.ts')
    done.push(await runStep(surface, this.#ledger, { ...step, foreignKeys, warnings }))
  }

  async #acceptChanges(
    surface: Surface,
    files: readonly MigrationFile[],
    statuses: readonly MigrationStatus[],
  ): Promise<void> {
    for (const { name, state } of statuses) {
      if (state !== MigrationStates.Changed) continue
      const file = files.find((candidate) => candidate.name === name)
      if (file !== undefined) await this.#ledger.accept(surface, file)
    }
  }

  // A migration that rebuilds a table others refer to is run alone in a transaction without foreign
  // keys. `work` tells whether more is to be done with them.
  async #locked(
    work: (surface: Surface, run: Run) => Promise<boolean>,
  ): Promise<readonly MigrationStep[]> {
    const done: MigrationStep[] = []
    let foreignKeys = true
    try {
      for (;;) {
        const run: Run = { done, foreignKeys }
        const outcome: Outcome = await withMigrationLock(
          this.#database,
          this.#timeout,
          (surface): Promise<Outcome> => untilForeignKeys(work(surface, run)),
          { foreignKeys },
        )
        if (outcome === 'done') return done
        foreignKeys = outcome === 'more'
      }
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error
      throw new MigrationError(error.message, { cause: error.cause, done })
    }
  }
}

/** The state of one run. */
interface Run {
  readonly done: MigrationStep[]
  /** Whether foreign keys are enforced; without them only one migration is run. */
  readonly foreignKeys: boolean
}

type Outcome = 'done' | 'more' | 'without foreign keys'

async function untilForeignKeys(work: Promise<boolean>): Promise<Outcome> {
  try {
    return (await work) ? 'more' : 'done'
  } catch (error) {
    if (error instanceof ForeignKeysOnError) return 'without foreign keys'
    throw error
  }
}

/**
 * Applies the pending migrations of a folder and resolves with their names.
 * @throws MigrationError when one fails, or when the folder and the database do not match.
 */
export async function migrate(
  database: Database,
  folder: string,
  options: MigratorOptions = {},
): Promise<readonly string[]> {
  const steps = await new Migrator(database, folder, options).up()
  return steps.map(({ name }) => name)
}

/** Names of the migrations of a folder that a database lacks, for a check at startup. */
export function pendingMigrations(
  database: Database,
  folder: string,
  options: MigratorOptions = {},
): Promise<readonly string[]> {
  return new Migrator(database, folder, options).pending()
}

function checkSteps({ steps = 1 }: UpOptions): void {
  if (Number.isSafeInteger(steps) && steps >= 1) return
  throw invalidArgument(`steps must be a whole number, at least 1, got ${steps}`)
}

type Loaded = Pick<NextStep, 'file' | 'migration'>

// All before the first is run: one that does not load must not leave half a batch behind.
async function loadAll(files: readonly MigrationFile[]): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  for (const file of files) loaded.push({ file, migration: await loadMigration(file) })
  return loaded
}

function isPending({ state }: MigrationStatus): boolean {
  return state === MigrationStates.Pending || state === MigrationStates.Late
}

function lastRows(
  applied: readonly LedgerRow[],
  done: readonly MigrationStep[],
  steps: number | undefined,
): readonly LedgerRow[] {
  const newest = applied.toReversed()
  if (steps !== undefined) return newest.slice(0, steps - done.length)
  const last = done[0]?.batch ?? newest[0]?.batch
  return newest.filter(({ batch }) => batch === last)
}

function fileOf(row: LedgerRow, files: readonly MigrationFile[]): MigrationFile {
  const { name } = row
  const file = files.find((candidate) => candidate.name === name)
  if (file !== undefined) return file
  throw new MigrationError(
    wasBuiltIn(row)
      ? `${name} came with an option of the project that is gone; restore the option to revert it`
      : `${name} was applied and its file is gone; restore the file to revert it`,
  )
}
