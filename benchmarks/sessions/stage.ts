import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOwnRedis } from '../../framework/tests/support/redis-server.ts'

/** What the servers keep their sessions in. */
export interface Stage {
  /** URL of a Redis that all of them share. */
  readonly redis: string
  /** Where a server puts a database of its own. */
  newFile(): string
  /** Ends Redis and removes everything. */
  close(): Promise<void>
}

/**
 * Starts a Redis and makes a folder for databases.
 * @throws Error that says why there is no Redis.
 */
export async function openStage(): Promise<Stage> {
  const server = await startOwnRedis()
  const folder = await mkdtemp(join(tmpdir(), 'framework-sessions-'))
  let files = 0
  return {
    redis: server.url,
    newFile: () => join(folder, `${(files += 1)}.sqlite`),
    async close() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
