import cluster from 'node:cluster'
import { Server } from '../../src/http/server/server.ts'
import type { AuthWorkersOptions } from './auth-workers-site.ts'

const given: AuthWorkersOptions = JSON.parse(process.argv[2] ?? '{}')
const server = new Server().configure({ port: 0, workers: given.workers })
// Imported late, so that the primary, which does not need it, starts quickly.
if (cluster.isWorker) await (await import('./auth-workers-site.ts')).declareSite(server, given)
const { port } = await server.listen()
if (cluster.isPrimary) console.log(JSON.stringify({ port }))
