import { type Connection, createConnection } from 'mariadb'
import { startOwnMariadb } from '../../../framework/tests/support/mariadb-server.ts'
import { addressOf } from '../clients/address.ts'
import {
  categoryCount,
  firstAuthor,
  firstNarrowCategory,
  firstTime,
  groupMicros,
  groupOffsets,
  titleEnd,
  wideCategory,
} from '../posts.ts'
import { blogStatements } from '../blog/tables.ts'
import type { Stage } from './stage.ts'

const bufferPool = '512M'

/**
 * Starts a MariaDB and fills it.
 * @throws Error that says why there is none.
 */
export async function openMariadb(rows: number): Promise<Stage> {
  const server = await startOwnMariadb([
    `--innodb-buffer-pool-size=${bufferPool}`,
    '--innodb-log-file-size=512M',
  ])
  try {
    const url = await server.createDatabase()
    const connection = await createConnection(addressOf(url))
    const version = await fill(connection, rows)
    const description = `MariaDB ${version}, buffer pool ${bufferPool}`
    return {
      database: 'mariadb',
      url,
      rows,
      description,
      run: async (statement) => {
        const rows = await connection.query<unknown[][]>({ sql: statement, rowsAsArray: true })
        return Array.isArray(rows) ? (rows[0] ?? []).join() : ''
      },
      close: async () => {
        await connection.end()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function fill(connection: Connection, rows: number): Promise<string> {
  for (const statement of statements(rows)) await connection.query(statement)
  return connection.serverVersion()
}

function statements(rows: number): readonly string[] {
  const category = `seq % ${categoryCount(rows)}`
  return [
    `CREATE TABLE posts (
      id bigint PRIMARY KEY,
      category integer NOT NULL,
      title text NOT NULL,
      views integer NOT NULL,
      created_at datetime(6) NOT NULL,
      author_id bigint NOT NULL
    )`,
    `INSERT INTO posts SELECT
      seq + 1,
      IF(${category} < ${firstNarrowCategory}, ${wideCategory}, ${category}),
      CONCAT('Post ', seq + 1, '${titleEnd}'),
      seq * 7919 % 100003,
      '${firstTime}' + INTERVAL
        (seq DIV 4 * ${groupMicros} + ELT(seq % 4 + 1, ${groupOffsets.join()})) MICROSECOND,
      ${firstAuthor} + seq % 5000
    FROM seq_0_to_${rows - 1}`,
    'CREATE INDEX by_time ON posts (created_at, id)',
    'CREATE INDEX by_category ON posts (category, created_at, id)',
    ...blogStatements('mariadb'),
    'ANALYZE TABLE posts, authors, comments, events, counters',
  ]
}
