import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'

const demo = resolve(import.meta.dirname, '../../demo')
const command = resolve(import.meta.dirname, '../../framework/bin/framework.js')

/** The database of a page, in the folder of its server. */
export function itemsFile(folder: string): string {
  return join(folder, 'database.sqlite')
}

/** Makes that database: the tables of the demo, and its two hundred items. */
export async function plantItems(folder: string): Promise<void> {
  const DATABASE_URL = `sqlite:${itemsFile(folder)}`
  const APP_KEY = randomBytes(32).toString('hex')
  execFileSync(process.execPath, [command, 'migrate', '--environment', 'production'], {
    cwd: demo,
    env: { ...process.env, DATABASE_URL, APP_KEY, APP_URL: 'http://127.0.0.1' },
  })
  // There is no build before the benchmark has begun.
  const { connect, seed } = await import('../../framework/dist/public/database.js')
  const database = await connect(DATABASE_URL)
  try {
    await seed(database, join(demo, 'seeds'), { environment: 'production' })
  } finally {
    await database.close()
  }
}
