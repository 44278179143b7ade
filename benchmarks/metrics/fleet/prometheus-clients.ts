import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { routeLabels } from '../workload.ts'
import { watchLongestBlock } from './longest-block.ts'
import { fleetCounter, fleetSeries, fleetWorkers } from './workload.ts'

// Takes a port and the name of the package. The primary asks the workers and answers, as both
// packages document it.
const [port = '0', name = ''] = process.argv.slice(2)
const client =
  name === 'prom-client' ? await import('prom-client') : await import('@prometheus-io/client')
const aggregator = new client.AggregatorRegistry()

if (cluster.isPrimary) await lead()
else work()

async function lead(): Promise<void> {
  process.on('disconnect', () => process.exit())
  for (let at = 0; at < fleetWorkers; at++) {
    const worker = cluster.fork()
    await once(worker, 'message')
  }
  const block = watchLongestBlock()
  const server = createServer((request, response) => {
    if (request.url === '/block') response.end(String(block.take()))
    else void aggregator.clusterMetrics().then((text) => response.end(text))
  })
  server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
}

function work(): void {
  const requests = new client.Counter({
    name: fleetCounter,
    help: 'Requests.',
    labelNames: ['route', 'method', 'status'],
  })
  for (let at = 0; at < fleetSeries; at++) requests.inc(routeLabels(at), at)
  client.collectDefaultMetrics()
  process.send?.('ready')
}
