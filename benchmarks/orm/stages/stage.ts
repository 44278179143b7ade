import type { Databases } from '../contests.ts'

/** A database with the table `posts` and those of the blog in it. */
export interface Stage {
  readonly database: Databases
  readonly url: string
  readonly rows: number
  /** What it is and how it was set up, for the report. */
  readonly description: string
  /** Runs a statement and resolves with the values of its first row, comma-separated. */
  run(statement: string): Promise<string>
  /** Ends it and removes its data. */
  close(): Promise<void>
}
