import { ready } from '../../sessions/servers/contestant.ts'
import { bareWork, pageWork } from '../work.ts'
import { stackConfig, stackMiddlewares, stackProviders } from './adonis-stack.ts'
import { contestant, openOrders, untouched } from './contestant.ts'

// An Adonis application in one file: the ignitor, the core provider and the configuration a new
// project has, without the packages it does not need here.
const { port, parts, folder } = contestant()
process.env['HOST'] = '127.0.0.1'
process.env['PORT'] = String(port)
let around = untouched

// As its own `otel.ts` has it, before everything else is loaded.
if (parts.has('otel')) {
  const { init } = await import('@adonisjs/otel/init')
  await init(import.meta.dirname)
  const { inSpan } = await import('./statement-spans.ts')
  around = inSpan
}

const { createServer } = await import('node:http')
const { Ignitor } = await import('@adonisjs/core')
const { defineConfig: defineEncryption, drivers } = await import('@adonisjs/core/encryption')
const { defineConfig: defineHttp } = await import('@adonisjs/core/http')
const { defineConfig: defineLogger } = await import('@adonisjs/core/logger')

const hasStack = parts.has('stack')
const stack = hasStack ? await stackConfig() : {}
await new Ignitor(new URL('./', import.meta.url))
  .tap((app) => {
    app.rcContents({
      providers: [
        () => import('@adonisjs/core/providers/app_provider'),
        ...(parts.has('otel') ? [() => import('@adonisjs/otel/otel_provider')] : []),
        ...(hasStack ? stackProviders : []),
      ],
    })
    app.useConfig({
      ...stack,
      app: {
        appUrl: `http://127.0.0.1:${port}`,
        http: defineHttp({ generateRequestId: hasStack }),
      },
      logger: defineLogger({ default: 'app', loggers: { app: { enabled: false } } }),
      encryption: defineEncryption({
        default: 'gcm',
        list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: ['a key of thirty-two characters..'] }) },
      }),
    })
    app.booted(async () => {
      const router = await app.container.make('router')
      if (parts.has('otel')) router.use([() => import('@adonisjs/otel/otel_middleware')])
      if (hasStack) router.use([...stackMiddlewares])
      if (parts.has('page')) {
        const { openItemsPage } = await import('./items-page.ts')
        const render = openItemsPage(folder, around)
        router.get(pageWork.path, ({ request, response }) => {
          const id = request.id()
          if (id !== undefined) response.header('x-request-id', id)
          response.type('html').send(render())
        })
      } else {
        const read = openOrders(around)
        router.get(bareWork.route, ({ params }) => read(Number(params['id'])))
      }
    })
  })
  .httpServer()
  .start((handler) => createServer({ optimizeEmptyRequests: true }, handler))
ready()
