import cluster from 'node:cluster'
import { Observability as Routes, Server } from '../../../framework/dist/public/http.js'
import { Counter, Observability } from '../../../framework/dist/public/observability.js'
import { routeLabels } from '../workload.ts'
import { watchLongestBlock } from './longest-block.ts'
import { fleetCounter, fleetSeries, fleetWorkers } from './workload.ts'

// Takes a port and a folder for the snapshots.
const [port = '0', folder = ''] = process.argv.slice(2)

if (cluster.isWorker) {
  const registry = new Observability()
  const requests = new Counter(fleetCounter, { help: 'Requests.', cap: 20_000 })
  for (let at = 0; at < fleetSeries; at++) requests.with(routeLabels(at)).increment(at)
  registry.metrics.push(requests)
  Observability.Instance = registry
}

const server = new Server({ reporter: null }).configure({
  host: '127.0.0.1',
  port: Number(port),
  workers: fleetWorkers,
  observability: { folder, interval: 10, maxAge: 60 },
})
server.mount([Routes], {})
const block = watchLongestBlock()
server.router.get('/block', (_request, response) => response.text(String(block.take())))
await server.listen()
if (cluster.isPrimary) {
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
