import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Ignitor } from '@adonisjs/core'
import compression from 'compression'
import { contestant, ready } from '../contestant.ts'
import { openPeerDatabase } from '../peer-database.ts'
import { configuration, providers } from './config.ts'
import { addMiddlewares } from './kernel.ts'
import { addRoutes } from './routes.ts'

// An Adonis application in a few files: the ignitor, and what `start/` and `config/` of a new project hold.
const settings = contestant()
const { port, tls, folder } = settings
process.env['HOST'] = '127.0.0.1'
process.env['PORT'] = String(port)
const database = await openPeerDatabase(settings.database)
const root = new URL('./', import.meta.url)

await new Ignitor(root)
  .tap((app) => {
    app.rcContents({
      providers: [...providers],
      // Everything below `static/` is served; what else is there is gone when a response is sent.
      directories: { views: 'views', public: app.relativePath(folder) },
    })
    app.useConfig(configuration(settings, database))
    app.booted(async () => {
      await addMiddlewares(app)
      await addRoutes(app, database, folder)
    })
  })
  .httpServer()
  .start((handler) => {
    const options = { optimizeEmptyRequests: true }
    const listener = compressed(handler)
    if (tls === null) return createServer(options, listener)
    return createTlsServer({ ...options, ...tls }, listener)
  })
ready()

/** Adonis leaves compression to a proxy; here it stands behind the middleware of Express. */
function compressed(handler: RequestListener): RequestListener {
  const compress = compression()
  return (request, response) => {
    if (request.headers['accept-encoding'] === undefined) handler(request, response)
    // Its types ask for those of Express, of which it needs nothing.
    else Reflect.apply(compress, null, [request, response, () => handler(request, response)])
  }
}
