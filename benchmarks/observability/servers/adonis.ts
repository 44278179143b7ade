import { ready } from '../../sessions/servers/contestant.ts'
import { route } from '../work.ts'
import { contestant, openOrders } from './contestant.ts'

// An Adonis application in one file: the ignitor, the core provider and the configuration a new
// project has, without the packages it does not need here.
const { port, parts } = contestant()
process.env['HOST'] = '127.0.0.1'
process.env['PORT'] = String(port)
let read = openOrders()

// As its own `otel.ts` has it, before everything else is loaded.
if (parts.has('otel')) {
  const { init } = await import('@adonisjs/otel/init')
  await init(import.meta.dirname)
  const { tracedOrders } = await import('./traced-orders.ts')
  read = tracedOrders(read)
}

const { createServer } = await import('node:http')
const { Ignitor } = await import('@adonisjs/core')
const { defineConfig: defineEncryption, drivers } = await import('@adonisjs/core/encryption')
const { defineConfig: defineHttp } = await import('@adonisjs/core/http')
const { defineConfig: defineLogger } = await import('@adonisjs/core/logger')

await new Ignitor(new URL('./', import.meta.url))
  .tap((app) => {
    app.rcContents({
      providers: [
        () => import('@adonisjs/core/providers/app_provider'),
        ...(parts.has('otel') ? [() => import('@adonisjs/otel/otel_provider')] : []),
      ],
    })
    app.useConfig({
      app: { appUrl: `http://127.0.0.1:${port}`, http: defineHttp({}) },
      logger: defineLogger({ default: 'app', loggers: { app: { enabled: false } } }),
      encryption: defineEncryption({
        default: 'gcm',
        list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: ['a key of thirty-two characters..'] }) },
      }),
    })
    app.booted(async () => {
      const router = await app.container.make('router')
      if (parts.has('otel')) router.use([() => import('@adonisjs/otel/otel_middleware')])
      router.get(route, ({ params }) => read(Number(params['id'])))
    })
  })
  .httpServer()
  .start((handler) => createServer({ optimizeEmptyRequests: true }, handler))
ready()
