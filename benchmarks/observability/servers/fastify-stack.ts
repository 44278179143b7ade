import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** The ids of requests, as ours are. */
export const requestIds = { genReqId: (): string => randomUUID() }

/**
 * Registers the plugins that do what the middlewares of our page do: secure headers with a policy that
 * has a nonce, compression, sessions that nothing is written to. Those for forms, files and tokens of
 * forms would not run for this page.
 */
export async function registerStack(app: FastifyInstance): Promise<void> {
  const { fastifyHelmet } = await import('@fastify/helmet')
  const { fastifyCompress } = await import('@fastify/compress')
  const { fastifyCookie } = await import('@fastify/cookie')
  const { fastifySession } = await import('@fastify/session')
  await app.register(fastifyHelmet, { enableCSPNonces: true })
  await app.register(fastifyCompress)
  await app.register(fastifyCookie)
  await app.register(fastifySession, {
    secret: 'a secret of thirty-two characters',
    cookie: { secure: false },
    rolling: false,
    saveUninitialized: false,
  })
}
