import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { maskText } from '../../base/mask-text.ts'
import { toError } from '../../base/to-error.ts'
import { connect } from '../../database/connect.ts'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { listMigrations } from '../../migrations/migration-file.ts'
import { pendingMigrations } from '../../migrations/migrator.ts'
import { databaseScope, databaseUrlIn } from '../../database/database-settings.ts'
import type { Check } from './check-context.ts'
import { error, warning } from './finding.ts'
import { settingOf } from './setting-of.ts'

/** Whether the database has every migration of the project. The only check that opens a connection. */
export const checkMigrations: Check = async (context) => {
  const { root, asksDatabase } = context
  const given = settingOf(context, databaseScope.variables.url)
  const folder = join(root, 'migrations')
  if (!asksDatabase || given === undefined || !existsSync(folder)) return []
  try {
    const pending = await pendingOf(databaseUrlIn(root, given), folder)
    const [first] = pending
    if (first === undefined) return []
    const count = pending.length === 1 ? 'a migration is' : `${pending.length} migrations are`
    const why = 'requests that need the new tables or columns fail'
    return [error(`${count} pending, from ${first} on`, why, 'run framework migrate')]
  } catch (thrown) {
    const reason = maskText(toError(thrown).message)
    const what = `the database cannot be asked for pending migrations: ${reason}`
    const fix = 'run the check where the project will run, or framework migrate status there'
    return [warning(what, 'the release may need tables that are missing', fix)]
  }
}

async function pendingOf(url: string, folder: string): Promise<readonly string[]> {
  const { file, host } = parseDatabaseUrl(url)
  // Connecting would create the file.
  if (host === '' && (file === null || !existsSync(file))) {
    return (await listMigrations(folder)).map(({ name }) => name)
  }
  const database = await connect(url)
  try {
    return await pendingMigrations(database, folder)
  } finally {
    await database.close()
  }
}
