import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { contestant, ready } from '../contestant.ts'
import { openProduct } from './app.ts'

const settings = contestant()
const app = await openProduct(settings)
const { port, tls } = settings
const options = { optimizeEmptyRequests: true }
const server =
  tls === null ? createServer(options, app) : createTlsServer({ ...options, ...tls }, app)
server.listen(port, '127.0.0.1', ready)
