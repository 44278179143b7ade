import { FrameworkError } from '../../../base/errors.ts'
import type { SchemaIssue } from '../../../base/schema/standard-schema.ts'

/** The rows of a statement are not as it declares them. The statement itself was run. */
export class RowError extends FrameworkError {
  readonly #issues: readonly SchemaIssue[]

  constructor(message: string, issues: readonly SchemaIssue[] = []) {
    super('E_ROW', message)
    this.#issues = issues
  }

  /** What the schema says. Its messages may quote values, so logs do not show them. */
  get issues(): readonly SchemaIssue[] {
    return this.#issues
  }
}
