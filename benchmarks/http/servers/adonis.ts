import { createServer } from 'node:http'
import { defineConfig as defineEncryption, drivers } from '@adonisjs/core/encryption'
import { defineConfig as defineHttp, type HttpContext } from '@adonisjs/core/http'
import { Ignitor } from '@adonisjs/core'
import { defineConfig as defineLogger } from '@adonisjs/core/logger'
import { middlewareHeaders, Scenarios } from '../scenarios.ts'
import { contestant, ready } from './contestant.ts'

// An Adonis application in one file: the ignitor, the core provider and the configuration a new
// project has, without the packages it does not need here (sessions, shield, body parser, …).
const { port, scenario, http } = contestant()
process.env['HOST'] = '127.0.0.1'
process.env['PORT'] = String(port)

await new Ignitor(new URL('./', import.meta.url))
  .tap((app) => {
    app.rcContents({ providers: [() => import('@adonisjs/core/providers/app_provider')] })
    app.useConfig({
      app: { appUrl: `http://127.0.0.1:${port}`, http: defineHttp({}) },
      logger: defineLogger({ default: 'app', loggers: { app: { enabled: false } } }),
      encryption: defineEncryption({
        default: 'gcm',
        list: { gcm: drivers.aes256gcm({ id: 'gcm', keys: ['a key of thirty-two characters..'] }) },
      }),
    })
    app.booted(async () => {
      const server = await app.container.make('server')
      if (scenario === Scenarios.Middlewares) {
        server.use(middlewareHeaders.map((name) => async () => ({ default: setting(name) })))
      }
      const router = await app.container.make('router')
      router.get('/json', () => ({ hello: 'world' }))
      router.get('/users/:id', ({ params }) => ({ id: params['id'] }))
      if (scenario === Scenarios.Input) {
        const { default: vine } = await import('@vinejs/vine')
        const note = vine.compile(
          vine.object({
            title: vine.string().minLength(1).maxLength(200),
            text: vine.string().maxLength(10_000),
            stars: vine.number({ strict: true }).withoutDecimals().range([0, 5]),
            tags: vine.array(vine.string().maxLength(30)).maxLength(10),
          }),
        )
        // What a new project has, for JSON alone.
        const { BodyParserMiddleware } = await import('@adonisjs/bodyparser/bodyparser_middleware')
        const { defineConfig } = await import('@adonisjs/bodyparser')
        const parser = new BodyParserMiddleware(defineConfig({}))
        router
          .post('/notes', async ({ request }) => {
            const { title, tags } = await note.validate(request.body())
            return { title, tags: tags.length }
          })
          .use((context, next) => parser.handle(context, next))
      }
      if (scenario === Scenarios.View) {
        const { renderList } = await import('./list-view.ts')
        router.get('/view', ({ response }) => response.type('html').send(renderList()))
      }
    })
  })
  .httpServer()
  .start((handler) => createServer(http, handler))
ready()

function setting(name: string) {
  return class {
    handle({ response }: HttpContext, next: () => Promise<void>): Promise<void> {
      response.header(name, '1')
      return next()
    }
  }
}
