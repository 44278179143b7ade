import { join } from 'node:path'
import { ConfigurationError, Environments, databaseUrlIn } from 'framework'
import type { Boot } from 'framework'
import { connect, migrate, pendingMigrations, seed } from 'framework/database'
import type { Database } from 'framework/database'
import type { Configs } from './configs/manifest.ts'

/** Connects to the database and makes sure its tables exist. */
export async function openDatabase(boot: Boot<Configs>): Promise<Database> {
  const { configs, root, ready } = boot
  const database = await connect(databaseUrlIn(root, configs.database.url))
  try {
    await prepare(database, boot)
  } catch (error) {
    await database.close()
    throw error
  }
  ready('database', () => database.ping())
  return database
}

// Migrations run by themselves in development and test only. Elsewhere the operator decides when.
async function prepare(database: Database, { environment, root }: Boot<Configs>): Promise<void> {
  const migrations = join(root, 'migrations')
  if (environment === Environments.Development || environment === Environments.Test) {
    const applied = await migrate(database, migrations)
    if (applied.length > 0) await seed(database, join(root, 'seeds'), { environment })
    return
  }
  const pending = await pendingMigrations(database, migrations)
  if (pending.length === 0) return
  throw new ConfigurationError(
    'E_MIGRATION',
    `${database.label} has ${pending.length} pending migrations; run \`npx framework migrate\` first`,
  )
}
