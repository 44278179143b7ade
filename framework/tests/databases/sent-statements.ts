import type { QueryEntry } from '../../src/database/query-log.ts'

/** Remembers what went to a database: hand `log` to `connect`. */
export class SentStatements {
  #statements: string[] = []

  readonly log = ({ sql }: QueryEntry): void => {
    this.#statements.push(sql)
  }

  /** The statements that were sent while the work was done. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    await heard()
    this.#statements = []
    await work()
    await heard()
    return this.#statements
  }
}

/** The first word of each statement. */
export function verbs(statements: readonly string[]): readonly string[] {
  return statements.map((statement) => /\w+/.exec(statement)?.[0] ?? '')
}

// The log hears of a statement a moment after whoever waits for it.
function heard(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
