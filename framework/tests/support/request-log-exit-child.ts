import { Logs } from '../../src/logs/logs.ts'
import { jsonSink } from '../../src/logs/stream-writer.ts'
import { RequestLog } from '../../src/http/observability/request-log.ts'
import { Server } from '../../src/http/server/server.ts'

// Ends in the turn of the event loop in which its requests end: by itself, or with an error.
const logs = new Logs({ sinks: [jsonSink(process.stdout)] })
void new RequestLog({ logs, mode: 'all', peer: 'off', paths: false, batches: true })
const server = new Server({ environment: 'production' })
server.router.get('/:name', ({ params }) => params['name'])
await Promise.all([server.inject({ url: '/a' }), server.inject({ url: '/b' })])
if (process.argv[2] === 'crash') throw new Error('crashed')
process.exit()
