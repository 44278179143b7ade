import { InvalidArgumentException } from '../../base/errors.ts'
import type { Database, Surface } from '../database/surface.ts'
import { checkedTimeout, inTurn } from './in-turn.ts'
import { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import { listMigrations, loadMigration } from './migration-file.ts'
import type { Migration, MigrationFile } from './migration-file.ts'
import { MigrationStates, migrationStatuses, refuseDisorder } from './migration-states.ts'
import type { MigrationStatus } from './migration-states.ts'
import type { MigrationStep } from './migration-step.ts'
import { takeStep } from './take-step.ts'
import type { NextStep } from './take-step.ts'

/** What a migrator may be told. */
export interface MigratorOptions {
  /** Table that remembers what was applied, `migrations` unless given. */
  readonly table?: string
  /** Seconds to wait for another process that migrates, or for a table it holds; 60 unless given. */
  readonly timeout?: number
}

/** How far to go up. */
export interface UpOptions {
  /** Most migrations to apply; all that are pending unless given. */
  readonly steps?: number | undefined
  /** Goes on although files are late, changed or missing. Changed ones count as applied as they are. */
  readonly force?: boolean
}

/** Where `fresh` is run. */
export interface FreshOptions {
  /** Name of the environment. In `production` it takes `force`. */
  readonly environment: string
  readonly force?: boolean
}

/** Brings a database to the state its folder of migrations describes. */
export class Migrator {
  readonly #database: Database
  readonly #folder: string
  readonly #ledger: Ledger
  readonly #timeout: number

  constructor(database: Database, folder: string, options: MigratorOptions = {}) {
    this.#database = database
    this.#folder = folder
    this.#ledger = new Ledger(options.table ?? 'migrations')
    this.#timeout = checkedTimeout(options.timeout ?? 60)
  }

  /**
   * Applies what is pending, in the order of the names, as one batch. When several processes do it at
   * once, one does and the others wait and find nothing left to do.
   * @throws MigrationError when one fails, or when folder and database do not agree.
   */
  async up(options: UpOptions = {}): Promise<readonly MigrationStep[]> {
    checkSteps(options)
    const files = await listMigrations(this.#folder)
    return this.#inTurn((surface, done) => this.#climb(surface, files, options, done))
  }

  /**
   * Takes back the last batch, or as many migrations as `steps` says, the last one first.
   * @throws MigrationError when one fails, has no `down`, or has no file any more.
   */
  async down({ steps }: Pick<UpOptions, 'steps'> = {}): Promise<readonly MigrationStep[]> {
    checkSteps({ steps })
    const files = await listMigrations(this.#folder)
    return this.#inTurn(async (surface, done) => {
      const rows = lastRows(await this.#ledger.read(surface), steps)
      const loaded = await loadAll(rows.map((row) => fileOf(row, files)))
      for (const { file, migration } of loaded) refuseWithoutWayBack(file, migration)
      for (const [at, { batch }] of rows.entries()) {
        const next = loaded[at]
        if (next === undefined) continue
        done.push(await takeStep(surface, this.#ledger, { ...next, direction: 'down', batch }))
      }
    })
  }

  /** How each migration stands. Changes nothing and waits for nobody. */
  async status(): Promise<readonly MigrationStatus[]> {
    const files = await listMigrations(this.#folder)
    return migrationStatuses(files, await this.#ledger.read(this.#database))
  }

  /**
   * Names of the migrations the database lacks. Files that are missing or changed are no matter here:
   * an older release must start on the database of a newer one.
   */
  async pending(): Promise<readonly string[]> {
    const statuses = await this.status()
    return statuses.filter(isPending).map(({ name }) => name)
  }

  /**
   * Drops every table and view and applies all migrations.
   * @throws MigrationError in production, unless it is forced.
   */
  async fresh({ environment, force = false }: FreshOptions): Promise<readonly MigrationStep[]> {
    if (environment === 'production' && !force) {
      throw new MigrationError(
        `fresh would drop every table of ${this.#database.label}, and this is production; if that is what you want, say --force`,
      )
    }
    const files = await listMigrations(this.#folder)
    const { dropEverything } = this.#database.dialect.schema
    await inTurn(this.#database, this.#timeout, dropEverything, { foreignKeys: false })
    return this.#inTurn((surface, done) => this.#climb(surface, files, {}, done))
  }

  async #climb(
    surface: Surface,
    files: readonly MigrationFile[],
    { steps = Number.POSITIVE_INFINITY, force = false }: UpOptions,
    done: MigrationStep[],
  ): Promise<void> {
    await this.#ledger.prepare(surface)
    const rows = await this.#ledger.read(surface)
    const statuses = migrationStatuses(files, rows)
    if (!force) refuseDisorder(statuses)
    await this.#acceptChanges(surface, files, statuses)
    const wanted = new Set(statuses.filter(isPending).map(({ name }) => name))
    const batch = 1 + Math.max(0, ...rows.map((row) => row.batch))
    const next = files.filter(({ name }) => wanted.has(name)).slice(0, steps)
    for (const step of await loadAll(next)) {
      done.push(await takeStep(surface, this.#ledger, { ...step, direction: 'up', batch }))
    }
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

  async #inTurn(
    work: (surface: Surface, done: MigrationStep[]) => Promise<void>,
  ): Promise<readonly MigrationStep[]> {
    const done: MigrationStep[] = []
    try {
      await inTurn(this.#database, this.#timeout, (surface) => work(surface, done))
      return done
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error
      throw new MigrationError(error.message, { cause: error.cause, done })
    }
  }
}

/**
 * Applies the migrations of a folder that a database lacks, and gives their names.
 * @throws MigrationError when one fails, or when folder and database do not agree.
 */
export async function migrate(
  database: Database,
  folder: string,
  options: MigratorOptions = {},
): Promise<readonly string[]> {
  const steps = await new Migrator(database, folder, options).up()
  return steps.map(({ name }) => name)
}

/** Names of the migrations of a folder that a database lacks; for a check at start. */
export function pendingMigrations(
  database: Database,
  folder: string,
  options: MigratorOptions = {},
): Promise<readonly string[]> {
  return new Migrator(database, folder, options).pending()
}

function checkSteps({ steps = 1 }: UpOptions): void {
  if (Number.isSafeInteger(steps) && steps >= 1) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `steps is a whole number of 1 or more, got ${steps}`,
  )
}

type Loaded = Pick<NextStep, 'file' | 'migration'>

// All before the first is run: one that does not even load should not leave half a batch behind.
async function loadAll(files: readonly MigrationFile[]): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  for (const file of files) loaded.push({ file, migration: await loadMigration(file) })
  return loaded
}

function refuseWithoutWayBack({ name }: MigrationFile, { down }: Migration): void {
  if (down !== null) return
  throw new MigrationError(`${name} exports no down(schema), so it cannot be taken back`)
}

function isPending({ state }: MigrationStatus): boolean {
  return state === MigrationStates.Pending || state === MigrationStates.Late
}

function lastRows(applied: readonly LedgerRow[], steps: number | undefined): readonly LedgerRow[] {
  const newest = applied.toReversed()
  if (steps !== undefined) return newest.slice(0, steps)
  return newest.filter(({ batch }) => batch === newest[0]?.batch)
}

function fileOf({ name }: LedgerRow, files: readonly MigrationFile[]): MigrationFile {
  const file = files.find((candidate) => candidate.name === name)
  if (file !== undefined) return file
  throw new MigrationError(
    `${name} was applied and its file is gone; bring the file back to take it back`,
  )
}
