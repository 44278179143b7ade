import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { serve } from '@hono/node-server'
import { ready } from '../contestant.ts'
import { openProduct } from './app.ts'

const { app, port, tls } = await openProduct(randomBytes(32))
const { fetch } = app
const hostname = '127.0.0.1'
const options = { optimizeEmptyRequests: true }
if (tls === null) {
  serve({ fetch, hostname, port, createServer, serverOptions: options }, ready)
} else {
  const serverOptions = { ...options, ...tls }
  serve({ fetch, hostname, port, createServer: createTlsServer, serverOptions }, ready)
}
