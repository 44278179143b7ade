import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../base/errors.ts'
import { connect } from '../database/connect.ts'
import { databaseScope, databaseUrlIn } from '../database/database-settings.ts'
import type { Database } from '../database/surface.ts'
import type { RateLimitStore } from '../http/rate-limits/rate-limit-store.ts'
import { RedisRateLimits } from '../http/rate-limits/redis-rate-limits.ts'
import { SqlRateLimits } from '../http/rate-limits/sql-rate-limits.ts'
import { RedisSessions } from '../http/session/redis-sessions.ts'
import { sessionScope } from '../http/session/session-settings.ts'
import { Sessions } from '../http/session/sessions.ts'
import { SqlSessions } from '../http/session/sql-sessions.ts'
import type { Mailer } from '../mail/mailer.ts'
import { mailScope, mailerFrom } from '../mail/mail-settings.ts'
import { migrate, pendingMigrations } from '../migrations/migrator.ts'
import { seed } from '../migrations/seed.ts'
import type { JobStore } from '../queue/job-store.ts'
import { Queue } from '../queue/queue.ts'
import { measureQueue } from '../queue/queue-metrics.ts'
import { queueScope, queueStoreFrom } from '../queue/queue-settings.ts'
import { connectRedis } from '../redis/connect-redis.ts'
import type { Redis } from '../redis/redis.ts'
import { redisScope } from '../redis/redis-settings.ts'
import { applicationKey } from '../settings/application-key.ts'
import type { ApplicationKey } from '../settings/application-key.ts'
import { Environments } from '../settings/environments.ts'
import { keyScope } from '../settings/key-settings.ts'
import type { Boot } from './boot.ts'

/** The scopes that `openStores` reads, for `configs` of a project. */
export type StoreScopes = {
  readonly database: typeof databaseScope
  readonly key: typeof keyScope
  readonly mail: typeof mailScope
  readonly queue: typeof queueScope
  readonly redis: typeof redisScope
  readonly session: typeof sessionScope
}

/** `{ ...storeScopes, app }` are the configs of a project that opens its stores with `openStores`. */
export const storeScopes: StoreScopes = Object.freeze({
  database: databaseScope,
  key: keyScope,
  mail: mailScope,
  queue: queueScope,
  redis: redisScope,
  session: sessionScope,
})

/** Where a project keeps what it has, and how it sends mails. */
export interface Stores {
  readonly database: Database
  /** Null if REDIS_URL is empty. */
  readonly redis: Redis | null
  readonly key: ApplicationKey
  readonly sessions: Sessions
  readonly rateLimits: RateLimitStore
  readonly jobs: JobStore
  /** The queue that mails wait in, with MAIL_QUEUE. */
  readonly mails: Queue
  readonly mailer: Mailer
  /** Of the queue of mails. */
  readonly queueMetrics: { close(): void }
}

/**
 * Opens what most projects need: `const stores = await openStores(boot)`. Sessions and rate limits are in Redis if
 * REDIS_URL is set, and in the database otherwise.
 * @throws ConfigurationError for settings that contradict each other, or pending migrations outside development.
 */
export async function openStores(boot: Boot<StoreScopes>): Promise<Stores> {
  const { configs } = boot
  const database = await openDatabase(boot)
  try {
    const redis = await openRedis(boot)
    const store = redis === null ? new SqlSessions(database) : new RedisSessions(redis)
    const key = applicationKey(configs.key, boot)
    const jobs = await queueStoreFrom(configs.queue, { database, redisUrl: configs.redis.url })
    const encrypter = key.encrypter('queue')
    const mails = new Queue('mail', jobs, { ...configs.queue, encrypter })
    return {
      database,
      redis,
      key,
      // Guests have their session in their cookie, encrypted with the key; accounts have a row.
      sessions: new Sessions(store, { ...configs.session, key }),
      rateLimits: redis === null ? new SqlRateLimits(database) : new RedisRateLimits(redis),
      jobs,
      mails,
      mailer: mailerFrom(configs.mail, boot, { queue: mails }),
      queueMetrics: measureQueue(mails),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Connects to the database of a project and makes sure its tables exist: in development and test the migrations run
 * by themselves, elsewhere the operator decides when.
 * @throws ConfigurationError for pending migrations.
 */
export async function openDatabase(boot: Boot<Pick<StoreScopes, 'database'>>): Promise<Database> {
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

async function prepare(
  database: Database,
  { environment, root, modules }: Pick<Boot, 'environment' | 'root' | 'modules'>,
): Promise<void> {
  const folder = join(root, 'migrations')
  const builtIn = await modules.migrations()
  if (builtIn.length === 0 && !existsSync(folder)) return
  if (environment === Environments.Development || environment === Environments.Test) {
    const applied = await migrate(database, folder, { builtIn })
    const seeds = join(root, 'seeds')
    if (applied.length > 0 && existsSync(seeds)) await seed(database, seeds, { environment })
    return
  }
  const pending = await pendingMigrations(database, folder, { builtIn })
  if (pending.length === 0) return
  throw new ConfigurationError(
    'E_MIGRATION',
    `${database.label} has ${pending.length} pending migrations; run \`npx framework migrate\` first`,
  )
}

async function openRedis({
  configs,
  ready,
}: Boot<Pick<StoreScopes, 'redis'>>): Promise<Redis | null> {
  if (configs.redis.url === '') return null
  const redis = await connectRedis(configs.redis.url)
  ready('redis', () => redis.ping())
  return redis
}
