import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { positionAt, postAt } from '../posts.ts'
import { blogStatements } from '../blog/tables.ts'
import type { Stage } from './stage.ts'

/** Makes a file of SQLite and fills it. */
export async function openSqlite(rows: number): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-orm-'))
  const file = join(folder, 'posts.sqlite')
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    fill(file, rows)
  } catch (error) {
    await close()
    throw error
  }
  const description = `SQLite ${process.versions.sqlite} (node:sqlite), a file with a write-ahead log`
  return {
    database: 'sqlite',
    url: `sqlite:${file}`,
    rows,
    description,
    run: async (statement) => runOnce(file, statement),
    close,
  }
}

function fill(file: string, rows: number): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  database.exec(
    `CREATE TABLE posts (
      id INTEGER PRIMARY KEY,
      category INTEGER NOT NULL,
      title TEXT NOT NULL,
      views INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      author_id INTEGER NOT NULL
    )`,
  )
  const insert = database.prepare('INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?)')
  database.exec('BEGIN')
  for (let index = 0; index < rows; index++) {
    const { id, category, title, views, authorId } = postAt(index, rows)
    insert.run(id, category, title, views, positionAt(index).createdAt, authorId)
  }
  database.exec('COMMIT')
  database.exec('CREATE INDEX by_time ON posts (created_at, id)')
  database.exec('CREATE INDEX by_category ON posts (category, created_at, id)')
  for (const statement of blogStatements('sqlite')) database.exec(statement)
  database.exec('ANALYZE')
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

function runOnce(file: string, statement: string): string {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA busy_timeout = 10000')
    const [row] = database.prepare(statement).all()
    return row === undefined ? '' : Object.values(row).join()
  } finally {
    database.close()
  }
}
