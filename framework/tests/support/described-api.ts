import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { StandardSchema } from '../../src/base/schema/standard-schema.ts'
import { Environments } from '../../src/settings/environments.ts'
import { Problem } from '../../src/http/errors/problem.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { Bearer } from '../../src/accounts/guards/bearer.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { Verified } from '../../src/accounts/guards/verified.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { allow } from '../../src/accounts/guards/allow.ts'
import { file, image, withFiles } from '../../src/http/input/body-files.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'

/** Thrown by orders. */
export class OutOfStock extends Problem<{ left: number }> {
  static override readonly type = 'https://shop.example/problems/out-of-stock'
  static override readonly title = 'Out of stock'
  static override readonly status = 409
  static override readonly members: StandardSchema = z.object({ left: z.int() })
}

/** Another problem of the same status, without members. */
export class Closed extends Problem {
  static override readonly status = 409
}

interface Tree {
  readonly name: string
  readonly children: readonly Tree[]
}

const ValibotTree: v.GenericSchema<Tree> = v.object({
  name: v.string(),
  children: v.array(v.lazy(() => ValibotTree)),
})

const ZodTree = z.object({
  name: z.string(),
  get children() {
    return z.array(ZodTree)
  },
})

/** Of no library: it can validate, but not say what. */
const silent = {
  '~standard': {
    version: 1,
    vendor: 'silent',
    validate: (value: unknown) => ({ value }),
  },
} as const

/** A server with routes of every kind that the OpenAPI document knows. */
export function describedApi(): Server {
  const server = new Server({ environment: Environments.Production, reporter: null })
  const load = async (id: string): Promise<{ id: string }> => ({ id })
  const session = new SessionGuard({ load })
  const bearer = new Bearer({ find: async () => null }, { load })
  const people = new Authentication(session)
  const anybody = new Authentication(new Authenticating(bearer, session))
  server.use(new Sessions(new MemorySessions(), { name: 'sid' }), new Csrf())
  const router = server.router.within('Shop')

  router.get('/orders', () => [], {
    name: 'orders.index',
    query: v.object({
      page: v.optional(v.pipe(v.string(), v.digits(), v.toNumber()), '1'),
      tag: v.optional(v.array(v.string()), []),
    }),
    openapi: {
      summary: 'Lists orders',
      responses: { 200: v.array(v.object({ id: v.number(), note: v.nullable(v.string()) })) },
    },
  })
  router.post('/orders', () => null, {
    name: 'orders.store',
    body: v.object({ item: v.pipe(v.string(), v.trim(), v.nonEmpty()), amount: v.number() }),
    problems: [OutOfStock, Closed],
    middlewares: [anybody, bearer.scopes('orders:write'), new RateLimit({ limit: 5, window: 60 })],
    openapi: { tags: ['Orders'], responses: { 201: z.object({ id: z.int(), at: z.date() }) } },
  })
  router.get('/orders/:id<int>', () => null, {
    name: 'orders.show',
    openapi: { description: 'With *everything*.', responses: { 406: 'Only JSON.' } },
    middlewares: [people, new Verified(), allow(() => true, { private: true })],
  })
  router.group(
    '/api',
    (group) => {
      group.put('/sizes/:name<[a-z]{2,8}>', () => null, {
        body: type({ width: 'number > 0', 'depth?': 'number.integer', unit: "'cm' | 'in'" }),
        problems: [OutOfStock],
      })
      group.patch('/dates/:day<uuid>/:page?', () => null, {
        body: z.object({ at: z.date(), on: z.iso.date(), big: z.bigint().optional() }),
      })
      group.delete('/files/*path', () => null)
      group.post('/valibot', () => null, { body: ValibotTree })
      group.post('/zod', () => null, { body: ZodTree })
      group.post('/silent', () => null, { body: silent })
      group.post('/photos', () => null, {
        body: v.strictObject({ title: v.string() }),
        uploads: { files: 2, bytes: 1000, types: ['image/png', 'image/*'] },
      })
      group.post('/letters', () => null, {
        body: withFiles(v.strictObject({ title: v.string() }), {
          letter: file({ max: '2 MB', types: ['application/pdf'] }),
          photos: image({ max: 500, files: 3, required: false, types: ['image/png', 'image/gif'] }),
        }),
      })
      group.put('/letters', () => null, {
        body: withFiles(ZodTree, { more: file({ max: 1, required: false }) }),
      })
      group.get('/either', () => null, {
        query: z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]),
      })
      group.get('/things/:id<int>', () => null)
      group.post('/things/:slug', () => null)
      group.on('PURGE', '/things', () => null)
      group.get('/secret', () => null, { openapi: false })
    },
    { errors: 'json' },
  )
  router.post('/login', () => null, { body: v.object({ email: v.string() }), form: '/login' })
  router.get('/page', () => null)
  return server
}
