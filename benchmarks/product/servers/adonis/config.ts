import { defineConfig as defineBodyParser } from '@adonisjs/core/bodyparser'
import { defineConfig as defineEncryption, drivers } from '@adonisjs/core/encryption'
import { defineConfig as defineHttp } from '@adonisjs/core/http'
import { defineConfig as defineLogger } from '@adonisjs/core/logger'
import { defineConfig as defineRedis } from '@adonisjs/redis'
import { defineConfig as defineSession, stores } from '@adonisjs/session'
import { defineConfig as defineStatic } from '@adonisjs/static'
import type { Contestant } from '../contestant.ts'
import type { PeerDatabase } from '../peer-database.ts'
import { sessionSeconds } from '../shared/session-rows.ts'
import { RowStore } from './row-store.ts'

declare module '@adonisjs/redis/types' {
  interface RedisConnections {
    main: RedisConnectionConfig
  }
}

/** In the order of a new project. */
export const providers = [
  () => import('@adonisjs/core/providers/app_provider'),
  () => import('@adonisjs/core/providers/edge_provider'),
  () => import('@adonisjs/core/providers/vinejs_provider'),
  () => import('@adonisjs/redis/redis_provider'),
  () => import('@adonisjs/session/session_provider'),
  () => import('@adonisjs/static/static_provider'),
] as const

/** What the files of `config/` hold. */
export function configuration(
  { port, tls, sessions, redis }: Contestant,
  database: PeerDatabase,
): Readonly<Record<string, unknown>> {
  const { hostname, port: redisPort, password } = new URL(redis)
  return {
    app: {
      appUrl: `http://127.0.0.1:${port}`,
      http: defineHttp({ generateRequestId: true }),
    },
    logger: defineLogger({ default: 'app', loggers: { app: { enabled: false } } }),
    encryption: defineEncryption({
      default: 'gcm',
      list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: ['a key of thirty-two characters..'] }) },
    }),
    bodyparser: defineBodyParser({}),
    static: defineStatic({ enabled: true, etag: true, lastModified: true, dotFiles: 'ignore' }),
    redis: defineRedis({
      connection: 'main',
      connections: {
        main: {
          host: hostname,
          port: Number(redisPort),
          password: decodeURIComponent(password),
          db: 0,
        },
      },
    }),
    session: defineSession({
      enabled: true,
      cookieName: 'adonis-session',
      clearWithBrowser: false,
      age: sessionSeconds,
      cookie: { path: '/', httpOnly: true, secure: tls !== null, sameSite: 'lax' },
      store: sessions === 'redis' ? 'redis' : 'rows',
      stores: {
        redis: stores.redis({ connection: 'main' }),
        rows: () => new RowStore(database.sessions),
      },
    }),
  }
}
