import { fastifyCookie } from '@fastify/cookie'
import { fastifySession, type FastifySessionOptions } from '@fastify/session'
import { RedisStore } from 'connect-redis'
import { RedisStore as IoredisStore } from 'connect-redis-8'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { beginning, formPage, formPath, kept, measured } from '../visitor.ts'
import { contestant, ready } from './contestant.ts'
import { newSecret, saltedToken } from './salted-token.ts'

declare module 'fastify' {
  interface Session {
    identity: string
    name: string
    theme: string
    cart: readonly string[]
    csrf: string
  }
}

const { port, parts, redis } = contestant()
const app = fastify({ http: { optimizeEmptyRequests: true } })

// As it comes it writes the session back after every request; the other setting is the one that
// its documentation has for stores that need no such write.
const saving = parts.has('rolling') ? {} : { rolling: false, saveUninitialized: false }
const secret = 'a secret of thirty-two characters'
const cookie = { secure: false }
await app.register(fastifyCookie)
await app.register(fastifySession, { secret, cookie, ...saving, ...(await storing()) })

app.get(beginning, (request, reply) => {
  for (const [key, value] of Object.entries(kept)) request.session.set(key, value)
  reply.send({ token: '' })
})
// Response schemas are Fastify's own advice for speed: it then compiles the serialisers.
const schema = {
  response: { 200: { type: 'object', properties: { name: { type: 'string' } } } },
}
app.get(measured, { schema }, (request, reply) => {
  reply.send({ name: request.session.get('name') })
})

app.get(formPath, (request, reply) => {
  let secret = request.session.get('csrf')
  if (secret === undefined) request.session.set('csrf', (secret = newSecret()))
  reply.type('text/html; charset=utf-8').send(formPage(saltedToken(secret)))
})

await app.listen({ host: '127.0.0.1', port })
ready()

/** A store as its own examples have it; without one, sessions are in memory. */
async function storing(): Promise<Pick<FastifySessionOptions, 'store'>> {
  if (parts.has('ioredis')) {
    return { store: new IoredisStore({ client: new Redis(redis, { enableAutoPipelining: true }) }) }
  }
  if (!parts.has('node-redis')) return {}
  const client = createClient({ url: redis })
  await client.connect()
  return { store: new RedisStore({ client }) }
}
