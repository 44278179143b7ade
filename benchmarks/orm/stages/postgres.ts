import { Client } from 'pg'
import { startOwnPostgres } from '../../../framework/tests/support/postgres-server.ts'
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

const settings = { shared_buffers: '256MB', autovacuum: 'off', random_page_cost: '1.1' }

/**
 * Starts a PostgreSQL and fills it.
 * @throws Error that says why there is none.
 */
export async function openPostgres(rows: number): Promise<Stage> {
  const server = await startOwnPostgres(settings)
  try {
    const url = await server.createDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    const version = await fill(client, rows)
    const description = `PostgreSQL ${version}, ${JSON.stringify(settings).replaceAll('"', '')}`
    return {
      database: 'postgres',
      url,
      rows,
      description,
      run: async (statement) => {
        const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
        return (rows[0] ?? []).join()
      },
      close: async () => {
        await client.end()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function fill(client: Client, rows: number): Promise<string> {
  for (const statement of statements(rows)) await client.query(statement)
  const { rows: answers } = await client.query<{ server_version: string }>('SHOW server_version')
  return answers[0]?.server_version ?? 'unknown'
}

function statements(rows: number): readonly string[] {
  const category = `n % ${categoryCount(rows)}`
  return [
    `CREATE TABLE posts (
      id bigint PRIMARY KEY,
      category integer NOT NULL,
      title text NOT NULL,
      views integer NOT NULL,
      created_at timestamptz(6) NOT NULL,
      author_id bigint NOT NULL
    )`,
    `INSERT INTO posts SELECT
      n + 1,
      CASE WHEN ${category} < ${firstNarrowCategory} THEN ${wideCategory} ELSE ${category} END,
      'Post ' || n + 1 || '${titleEnd}',
      n * 7919 % 100003,
      timestamptz '${firstTime}+00' + interval '1 microsecond' *
        (n / 4 * ${groupMicros} + (ARRAY[${groupOffsets.join()}])[n % 4 + 1]),
      ${firstAuthor} + n % 5000
    FROM generate_series(0::bigint, ${rows - 1}) AS n`,
    'CREATE INDEX ON posts (created_at, id)',
    'CREATE INDEX ON posts (category, created_at, id)',
    ...blogStatements('postgres'),
    'VACUUM ANALYZE',
    'CHECKPOINT',
  ]
}
