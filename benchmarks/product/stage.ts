import { randomBytes } from 'node:crypto'
import { cp, link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseServer } from '../../framework/tests/support/database-server.ts'
import { startOwnMariadb } from '../../framework/tests/support/mariadb-server.ts'
import { startOwnPostgres } from '../../framework/tests/support/postgres-server.ts'
import { startOwnRedis } from '../../framework/tests/support/redis-server.ts'
import { selfSigned } from '../../framework/src/base/tls/self-signed.ts'
import { plant } from './plant.ts'
import type { Databases } from './tasks.ts'

/** A database of a server's own, with everything in it. */
export interface PlantedDatabase {
  readonly url: string
  /** The API token in it. */
  readonly token: string
}

/** What the servers of a run share. */
export interface Stage {
  /** URL of a Redis. */
  readonly redis: string
  /** A folder with `key.pem` and `cert.pem`. */
  readonly tls: string
  /** A file that holds the body of an upload, of the type below. */
  readonly upload: string
  /** A folder of a server's own: `static/`, `uploads/`, and for ours `public/` and `views/`. */
  newFolder(): Promise<string>
  newDatabase(kind: Databases): Promise<PlantedDatabase>
  /** Ends the servers and removes everything. */
  close(): Promise<void>
}

/** Bytes of the file that is uploaded, and of the larger static one. */
export const megabyte = 1_048_576

const boundary = '----product-benchmark-7f3c1d'
export const uploadType: string = `multipart/form-data; boundary=${boundary}`

/**
 * Makes the folders, and starts the servers of databases when they are first asked for.
 * @throws Error that says why there is no Redis.
 */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-product-'))
  const redis = await startOwnRedis()
  const servers = new Map<Databases, Promise<DatabaseServer>>()
  await writeFiles(folder)
  let made = 0

  async function databaseUrl(kind: Databases): Promise<string> {
    if (kind === 'sqlite') return `sqlite:${join(folder, `${(made += 1)}.sqlite`)}`
    const starting =
      servers.get(kind) ?? (kind === 'postgres' ? startOwnPostgres() : startOwnMariadb())
    servers.set(kind, starting)
    return (await starting).createDatabase()
  }

  return {
    redis: redis.url,
    tls: join(folder, 'tls'),
    upload: join(folder, 'upload'),
    async newFolder() {
      const root = join(folder, `server-${(made += 1)}`)
      await mkdir(join(root, 'uploads'), { recursive: true })
      for (const place of ['static', 'public/static']) {
        await mkdir(join(root, place), { recursive: true })
        for (const name of ['style.css', 'photo.bin']) {
          await link(join(folder, name), join(root, place, name))
        }
      }
      await cp(join(import.meta.dirname, 'servers/ours/views'), join(root, 'views'), {
        recursive: true,
      })
      return root
    },
    async newDatabase(kind) {
      const url = await databaseUrl(kind)
      return { url, token: await plant(url) }
    },
    async close() {
      await redis.stop()
      for (const server of servers.values()) await (await server).stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function writeFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'tls'))
  const { key, cert } = selfSigned()
  await writeFile(join(folder, 'tls/key.pem'), key)
  await writeFile(join(folder, 'tls/cert.pem'), cert)
  const rule = '.card { margin: 0 auto; padding: 1rem 2rem; border: 1px solid #ccc; }\n'
  await writeFile(join(folder, 'style.css'), rule.repeat(200).slice(0, 10_000))
  await writeFile(join(folder, 'photo.bin'), randomBytes(megabyte))
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file.bin"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  const body = [head, randomBytes(megabyte), `\r\n--${boundary}--\r\n`].map((part) =>
    Buffer.from(part),
  )
  await writeFile(join(folder, 'upload'), Buffer.concat(body))
}
