import { resolve } from 'node:path'
import { parseDatabaseUrl } from './database-url.ts'
import { defaultDatabaseUrl, databaseUrlForms } from './drivers.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import { readBy } from '../settings/variable.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

const databaseUrl: VariableKind<string> = {
  expects: `${databaseUrlForms}, with options such as ?pool=10, and tls=on where others have sslmode=require`,
  parse: readBy(parseDatabaseUrl),
}

/**
 * The scope `database`. `framework migrate` and `framework seed` read the same variable, so they
 * use the database that the project is served with.
 */
export const databaseScope: ConfigScope<{ readonly url: Variable<string> }> = scope('database', {
  url: env.custom('DATABASE_URL', databaseUrl, {
    default: defaultDatabaseUrl,
    meaning: 'database of the project',
  }),
})

/**
 * A database URL that works from any working directory: a relative file path is resolved against
 * the folder of the project. Other URLs are returned unchanged.
 * @throws ConfigurationError for an invalid URL.
 */
export function databaseUrlIn(root: string, url: string): string {
  const { dialect, file } = parseDatabaseUrl(url)
  if (file === null) return url
  const path = resolve(root, file).replaceAll(/[%?]/g, encodeURIComponent)
  const mark = url.indexOf('?')
  return `${dialect}:${path}${mark === -1 ? '' : url.slice(mark)}`
}
