import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import { fastifyCompress } from '@fastify/compress'
import { fastifyCookie } from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import { fastifyHelmet } from '@fastify/helmet'
import { fastifySession } from '@fastify/session'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Eta } from 'eta'
import type { FastifyRequest } from 'fastify'
import { contestant, ready } from '../contestant.ts'
import { RowSessions } from '../fastify/row-sessions.ts'
import type { PeerDatabase } from '../peer-database.ts'
import { sessionRows, sessionSeconds } from '../shared/session-rows.ts'
import { DATABASE } from './database.ts'
import { ProductModule } from './product.module.ts'

// The product as the documentation of Nest has it, on its adapter for Fastify, "for performance".
const settings = contestant()
const { port, tls, folder } = settings

const http = { optimizeEmptyRequests: true }
// No middlewares of Connect are used, and so none is looked for.
const options = { genReqId: (): string => randomUUID(), skipMiddie: true }
const adapter =
  tls === null
    ? new FastifyAdapter({ ...options, http })
    : new FastifyAdapter({ ...options, https: { ...http, ...tls } })
const app = await NestFactory.create<NestFastifyApplication>(ProductModule, adapter, {
  logger: false,
})
const database = app.get<PeerDatabase>(DATABASE)
app.useGlobalPipes(new ValidationPipe({ whitelist: true }))

const fastify = app.getHttpAdapter().getInstance()
fastify.decorateRequest('member', null)
fastify.addHook('onRequest', (request, reply, done) => {
  reply.header('x-request-id', request.id)
  done()
})
await app.register(fastifyHelmet, { enableCSPNonces: true })
// The quality that its documentation advises.
const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
await app.register(fastifyCompress, { brotliOptions: { params } })
await app.register(fastifyCookie)
await app.register(fastifySession, {
  secret: 'a secret of thirty-two characters',
  cookieName: 'session',
  cookie: {
    secure: tls !== null,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: sessionSeconds * 1000,
  },
  // As its documentation has it for stores that need no write after every request.
  rolling: false,
  saveUninitialized: false,
  store: new RowSessions(sessionRows(settings, database)),
})
await app.register(fastifyCsrf, {
  sessionPlugin: '@fastify/session',
  getToken: ({ body }: FastifyRequest) => tokenIn(body),
})
// A guard would come too late: the plugin answers by itself. Programs have no cookies, and no token.
fastify.addHook('preHandler', (request, reply, done) => {
  if (request.method === 'GET' || request.url.startsWith('/api/')) done()
  else fastify.csrfProtection(request, reply, done)
})
app.useStaticAssets({ root: join(folder, 'static'), prefix: '/static/' })
app.setViewEngine({
  engine: { eta: new Eta({ defaultExtension: '.template.html' }) },
  templates: join(import.meta.dirname, '../views'),
  viewExt: 'template.html',
})

await app.listen(port, '127.0.0.1')
ready()

function tokenIn(body: unknown): string {
  const has = typeof body === 'object' && body !== null && '_token' in body
  return has && typeof body._token === 'string' ? body._token : ''
}
