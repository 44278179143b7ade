import { invalidArgument } from '../base/errors.ts'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { Query } from './sql/plan/statement.ts'
import { Statement } from './sql/plan/statement.ts'
import { checkRows, readDeclared } from './sql/values/read-declared.ts'
import type { ObjectRow, RowDeclaration } from './sql/plan/declared-rows.ts'
import type { Result } from './operation.ts'

/** How a surface runs statements, and reads their rows as they declare them. */
export abstract class StatementSurface {
  abstract readonly dialect: Dialect

  /** The result of a query, at once where it is there: a promise takes longer than a short statement. */
  protected abstract resultOf(query: Query): Result | Promise<Result>

  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const result = this.resultOf(toQuery(statement, this.dialect))
    return asDeclared(result instanceof Promise ? await result : result, statement, this.dialect)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    const given = this.resultOf(toQuery(statement, this.dialect))
    const result = given instanceof Promise ? await given : given
    const declared = asDeclared(result, statement, this.dialect)
    return objectRows(declared instanceof Promise ? await declared : declared, statement)
  }
}

/**
 * Compiles a statement for a dialect; a query is returned unchanged.
 * @throws InvalidArgumentException for anything else. A text would be SQL that anyone may have written.
 */
export function toQuery(statement: Query | Statement<unknown>, dialect: Dialect): Query {
  if (statement instanceof Statement) return statement.compile(dialect)
  const given: unknown = statement
  if (typeof given === 'object' && given !== null && 'sql' in given && 'parameters' in given) {
    return statement
  }
  const got = given === null ? 'null' : typeof given === 'string' ? 'a text' : typeof given
  throw invalidArgument(
    `a database takes a statement, as in sql\`SELECT 1\`, or an object with sql and parameters, got ${got}`,
  )
}

/**
 * The result of a statement with its rows as the statement declares them.
 * @throws RowError or FrameworkError for rows that are not as declared.
 */
function asDeclared(
  result: Result,
  statement: Query | Statement<unknown>,
  dialect: Dialect,
): Result | Promise<Result> {
  if (!(statement instanceof Statement) || statement.declaration === null) return result
  return readResult(result, statement.declaration, dialect)
}

async function readResult(
  { rows, affected, details }: Result,
  { columns, schema }: RowDeclaration,
  dialect: Dialect,
): Promise<Result> {
  const names = details?.columns ?? []
  const read = columns === null ? rows : readDeclared(rows, names, columns, dialect)
  return { rows: schema === null ? read : await checkRows(read, schema), affected }
}

/**
 * The rows of a result as objects, of the type that the statement has.
 * @throws InvalidArgumentException when the query asked for raw rows, which are lists.
 */
function objectRows<Row>({ rows }: Result, statement: Query | Statement<Row>): readonly Row[] {
  if (areTyped(rows, statement)) return rows
  throw invalidArgument(
    'rows() returns objects by column name; a query with raw: true has lists, use run()',
  )
}

// All rows of a result have the form of the first. What a schema returns may be anything.
function areTyped<Row>(
  rows: readonly unknown[],
  statement: Query | Statement<Row>,
): rows is readonly Row[] {
  return statement instanceof Statement || !Array.isArray(rows[0])
}
