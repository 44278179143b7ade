import { databaseScope, databaseUrlIn } from '../database/database-settings.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes } from '../settings/scope.ts'
import { connect } from '../database/connect.ts'
import type { Database } from '../database/surface.ts'

/**
 * Connects to the `DATABASE_URL` of a project, runs `work` and closes the database. Statements have no
 * timeout: creating an index on a large table takes longer than any request should.
 * @throws ConfigurationError if the URL is invalid; its message never contains a password.
 */
export async function withProjectDatabase<T>(
  root: string,
  source: EnvSource,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { url } = readScopes({ database: databaseScope }, source).database
  const database = await connect(withoutTimeout(databaseUrlIn(root, url)))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function withoutTimeout(url: string): string {
  const [location = '', ...options] = url.split('?')
  const given = new URLSearchParams(options.join('?'))
  given.set('statement_timeout', '0')
  return `${location}?${given.toString()}`
}
