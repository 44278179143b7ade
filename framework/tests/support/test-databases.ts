import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import type { DatabaseServer } from './database-server.ts'
import { withLongTimeouts } from './long-timeouts.ts'
import { startMariadb } from './mariadb-server.ts'
import { startPostgres } from './postgres-server.ts'

/**
 * Connects to a new, empty database, with options such as `pool=2&pipeline=off`. It is closed after
 * the test, or without one after the whole `describe`.
 */
export type OpenDatabase = (t?: TestContext | null, options?: string) => Promise<Database>

/** Creates a new, empty database and resolves with its URL, to which `?option=…` can be added. */
export type CreateDatabase = () => Promise<string>

type Register = (name: Dialects, open: OpenDatabase, create: CreateDatabase) => void

const folder = mkdtempSync(join(tmpdir(), 'framework-databases-'))
const [postgres, mariadb] = await Promise.all([started(startPostgres), started(startMariadb)])
after(async () => {
  await Promise.all([postgres.server?.stop(), mariadb.server?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** The running servers, for tests that need their ports. */
export const servers: Readonly<Record<'postgres' | 'mariadb', DatabaseServer | null>> = {
  postgres: postgres.server,
  mariadb: mariadb.server,
}

/** A `describe` for each database. One without a server is skipped, with the reason. */
export function onEveryDatabase(register: Register): void {
  for (const name of Object.values(Dialects)) onDatabase(name, register)
}

/** A `describe` for one database. */
export function onDatabase(name: Dialects, register: Register): void {
  const { create, missing } = makers[name]
  describe(name, missing === null ? {} : { skip: missing }, () => {
    const opened: Database[] = []
    after(() => Promise.all(opened.map((database) => database.close())))
    register(
      name,
      async (t, options = '') => {
        const database = await connect(withLongTimeouts(`${await create()}?${options}`))
        if (t === undefined || t === null) opened.push(database)
        else t.after(() => database.close())
        return database
      },
      create,
    )
  })
}

interface Started {
  readonly server: DatabaseServer | null
  readonly missing: string | null
}

async function started(start: () => Promise<DatabaseServer>): Promise<Started> {
  try {
    return { server: await start(), missing: null }
  } catch (error) {
    return { server: null, missing: error instanceof Error ? error.message : String(error) }
  }
}

interface Maker {
  readonly create: CreateDatabase
  readonly missing: string | null
}

let files = 0

const makers: Readonly<Record<Dialects, Maker>> = {
  sqlite: {
    create: () => Promise.resolve(`sqlite:${join(folder, `${(files += 1)}.sqlite`)}`),
    missing: null,
  },
  postgres: maker(postgres),
  mariadb: maker(mariadb),
}

function maker({ server, missing }: Started): Maker {
  return {
    create: () => server?.createDatabase() ?? Promise.reject(new Error(missing ?? 'no server')),
    missing,
  }
}
