import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fastifyCompress } from '@fastify/compress'
import fastifyFormbody from '@fastify/formbody'
import { fastifyHelmet } from '@fastify/helmet'
import { fastifyMultipart } from '@fastify/multipart'
import { fastifyStatic } from '@fastify/static'
import { fastifyView } from '@fastify/view'
import { Eta } from 'eta'
import { fastify } from 'fastify'
import { contestant, ready } from '../contestant.ts'
import { openPeerDatabase } from '../peer-database.ts'
import { apiRoutes } from './api.ts'
import { itemsRoutes, sessionRoutes } from './pages.ts'

// The product as the documentation of Fastify has it: a plugin for each thing, those that cost something
// only around the routes that need them.
const settings = contestant()
const { port, tls, folder } = settings
const database = await openPeerDatabase(settings.database)

const http = { optimizeEmptyRequests: true }
const https = tls === null ? null : { ...http, ...tls }
const options = { genReqId: (): string => randomUUID(), http, https }
const app = fastify(options)
app.addHook('onRequest', (request, reply, done) => {
  reply.header('x-request-id', request.id)
  done()
})
await app.register(fastifyHelmet, { enableCSPNonces: true })
await app.register(fastifyCompress)
await app.register(fastifyStatic, { root: join(folder, 'static'), prefix: '/static/' })
await app.register(fastifyView, {
  engine: { eta: new Eta({ defaultExtension: '.template.html' }) },
  templates: join(import.meta.dirname, '../views'),
  viewExt: 'template.html',
})
await app.register(fastifyFormbody)
await app.register(fastifyMultipart, { limits: { fileSize: 2 * 2 ** 20, files: 1 } })

await app.register(itemsRoutes(database))
await app.register(sessionRoutes(database, settings))
await app.register(apiRoutes(database, folder), { prefix: '/api' })

await app.listen({ host: '127.0.0.1', port })
ready()
