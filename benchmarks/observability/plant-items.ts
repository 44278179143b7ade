import { join, resolve } from 'node:path'

const demo = resolve(import.meta.dirname, '../../demo')

/** The database of a page, in the folder of its server. */
export function itemsFile(folder: string): string {
  return join(folder, 'database.sqlite')
}

/** Makes that database: the tables of the demo, and its two hundred items. */
export async function plantItems(folder: string): Promise<void> {
  // There is no build before the benchmark has begun.
  const { connect, migrate, seed } = await import('../../framework/dist/public/database.js')
  const database = await connect(`sqlite:${itemsFile(folder)}`)
  try {
    await migrate(database, join(demo, 'migrations'))
    await seed(database, join(demo, 'seeds'), { environment: 'production' })
  } finally {
    await database.close()
  }
}
