import { databaseScope, databaseUrlIn } from '../app/config/database-scope.ts'
import type { EnvSource } from '../app/config/env-source.ts'
import { readScopes } from '../app/config/scope.ts'
import { connect } from '../data/database/connect.ts'
import type { Database } from '../data/database/surface.ts'

/**
 * Does some work with the database that `DATABASE_URL` of a project names, and closes it. Statements
 * may take as long as they need: an index on a large table takes longer than any request should.
 * @throws ConfigurationError when the URL cannot be used; it never repeats a password.
 */
export async function withProjectDatabase<T>(
  root: string,
  source: EnvSource,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { url } = readScopes({ database: databaseScope }, source).database
  const database = await connect(withoutTimeLimit(databaseUrlIn(root, url)))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function withoutTimeLimit(url: string): string {
  const [place = '', ...options] = url.split('?')
  const given = new URLSearchParams(options.join('?'))
  given.set('statement_timeout', '0')
  return `${place}?${given.toString()}`
}
