import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { privateFile } from '../base/files/private-files.ts'
import { membersBeside } from './fleet-list.ts'
import { statementsFile } from './fleet-files.ts'
import { writeSnapshotFile } from './write-snapshot-file.ts'
import type { SlowestStatements, StatementStats } from './slowest-statements.ts'
import { mergeStatements, readStatements } from './slowest-statements.ts'

/** Options of `StatementLists`. */
export interface StatementListsOptions {
  /** The snapshot file of this worker. */
  readonly file: string
  /** Seconds between two writes. */
  readonly interval: number
}

/**
 * Shares the slowest statements between the workers: each writes its list beside its snapshot. They are
 * not metrics: there is no limit to the texts that would be labels.
 */
export class StatementLists {
  readonly #statements: SlowestStatements
  readonly #options: StatementListsOptions
  #written = '[]'
  #writing: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(statements: SlowestStatements, options: StatementListsOptions) {
    this.#statements = statements
    this.#options = options
  }

  start(): void {
    const intervalMs = this.#options.interval * 1_000
    this.#timer ??= setInterval(() => void this.write(), intervalMs).unref()
  }

  /** The slowest statements of all workers; of the others as of their last write. */
  async read(): Promise<readonly StatementStats[]> {
    const { file } = this.#options
    const members = (await membersBeside(file)()) ?? []
    const others = [...members].filter((name) => name !== basename(file))
    const lists = others.map((name) => readList(statementsFile(join(dirname(file), name))))
    return mergeStatements([this.#statements.list(), ...(await Promise.all(lists))])
  }

  /** Writes the list of this worker. A failure is not reported: the snapshot beside it fails too. */
  write(): Promise<unknown> {
    const text = JSON.stringify(this.#statements.list())
    if (text === this.#written) return this.#writing
    this.#written = text
    const path = statementsFile(this.#options.file)
    this.#writing = this.#writing.then(() =>
      writeSnapshotFile(path, text, privateFile).catch(() => undefined),
    )
    return this.#writing
  }

  /** Stops writing, and removes the list. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
    await rm(statementsFile(this.#options.file), { force: true })
  }
}

async function readList(path: string): Promise<StatementStats[]> {
  try {
    return readStatements(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    // A worker that has sent no statement has none.
    return []
  }
}
