import { framesOf } from '../../errors/stack/frames.ts'
import { fileLabel } from '../../errors/stack/file-label.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { MigrationFile } from '../migration-file.ts'

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
    const frame =
      error === null
        ? undefined
        : framesOf(error).find(({ file, line }) => {
            const isSource = file === path || /([^/\\]*)\.[a-z]+$/.exec(file)?.[1] === name
            return isSource && line > 0
          })
    return frame?.line ?? null
  }
}

// The migration is further away than the usual ten calls.
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
