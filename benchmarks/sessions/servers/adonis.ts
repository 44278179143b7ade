import { createServer } from 'node:http'
import { Ignitor } from '@adonisjs/core'
import { defineConfig as defineEncryption, drivers } from '@adonisjs/core/encryption'
import { defineConfig as defineHttp } from '@adonisjs/core/http'
import { defineConfig as defineLogger } from '@adonisjs/core/logger'
import { defineConfig as defineRedis } from '@adonisjs/redis'
import { defineConfig as defineSession, stores } from '@adonisjs/session'
import { beginning, formPage, formPath, kept, measured } from '../visitor.ts'
import { contestant, ready } from './contestant.ts'
import { newSecret, saltedToken } from './salted-token.ts'

// An Adonis application in one file: the ignitor and the configuration a new project has, with the
// packages for sessions in Redis and none of the others.
const { port, parts, redis } = contestant()
const { hostname, port: redisPort, password } = new URL(redis)
process.env['HOST'] = '127.0.0.1'
process.env['PORT'] = String(port)

await new Ignitor(new URL('./', import.meta.url))
  .tap((app) => {
    app.rcContents({
      providers: [
        () => import('@adonisjs/core/providers/app_provider'),
        () => import('@adonisjs/redis/redis_provider'),
        () => import('@adonisjs/session/session_provider'),
      ],
    })
    app.useConfig({
      app: { appUrl: `http://127.0.0.1:${port}`, http: defineHttp({}) },
      logger: defineLogger({ default: 'app', loggers: { app: { enabled: false } } }),
      encryption: defineEncryption({
        default: 'gcm',
        list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: ['a key of thirty-two characters..'] }) },
      }),
      redis: defineRedis({
        connection: 'main',
        connections: {
          main: { host: hostname, port: redisPort, password: decodeURIComponent(password), db: 0 },
        },
      }),
      session: defineSession({
        enabled: true,
        cookieName: 'adonis-session',
        clearWithBrowser: false,
        age: '2h',
        cookie: { path: '/', httpOnly: true, secure: true, sameSite: 'lax' },
        store: parts.has('cookie') ? 'cookie' : 'redis',
        stores: { redis: stores.redis({ connection: 'main' }), cookie: stores.cookie() },
      }),
    })
    app.booted(async () => {
      const router = await app.container.make('router')
      router.use([() => import('@adonisjs/session/session_middleware')])
      router.get(beginning, ({ session }) => {
        for (const [key, value] of Object.entries(kept)) session.put(key, value)
        return { token: '' }
      })
      router.get(measured, ({ session }) => ({ name: session.get('name') }))
      router.get(formPath, ({ session, response }) => {
        let secret: unknown = session.get('csrf')
        if (typeof secret !== 'string') session.put('csrf', (secret = newSecret()))
        response.type('text/html').send(formPage(saltedToken(String(secret))))
      })
    })
  })
  .httpServer()
  .start((handler) => createServer({ optimizeEmptyRequests: true }, handler))
ready()
