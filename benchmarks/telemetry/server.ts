import { setTimeout as sleep } from 'node:timers/promises'
import { Emitter } from '../../framework/dist/public/events.js'
import type { Event } from '../../framework/dist/public/events.js'
import { RequestEvents, Server, Telemetry } from '../../framework/dist/public/http.js'
import { Observability } from '../../framework/dist/public/observability.js'

// One process that measures its requests and does not, by turns: two processes of the same program
// differ by more than what is looked for here, and so does one from second to second.
const [port, windowMs] = process.argv.slice(2).map(Number)

const emitter = new Emitter()
new Telemetry(new Observability(false), { emitter }).boot()

// Listeners that came and went would have the code compiled anew: they stay, and are seen by turns.
let isOpen = false
for (const event of [RequestEvents.Received, RequestEvents.Handled]) {
  const channel = emitter.channel<Event<readonly unknown[]>>(event)
  const [all, none] = [channel.listeners, []]
  Object.defineProperty(channel, 'listeners', { get: () => (isOpen ? all : none) })
}

const server = new Server({ emitter }).configure({ host: '127.0.0.1', port: port ?? 0 })
let requests = 0
server.router.get('/json', () => {
  requests += 1
  return { hello: 'world' }
})
await server.listen()

process.on('message', (rounds: number) => void play(rounds))
process.send?.('ready')

/** Microseconds of CPU that a request took, with telemetry and without, in each round. */
async function play(rounds: number): Promise<void> {
  const played: { on: number; off: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Each side first in turn, so that what grows or cools down counts for both alike.
    if (round % 2 === 0) played.push({ on: await measured(), off: await cost() })
    else {
      const off = await cost()
      played.push({ on: await measured(), off })
    }
  }
  process.send?.({ played })
}

// With telemetry goes a registry whose collectors watch the garbage collector and the event loop.
async function measured(): Promise<number> {
  const registry = new Observability()
  isOpen = true
  const micros = await cost()
  isOpen = false
  registry.close()
  return micros
}

async function cost(): Promise<number> {
  const [usage, before] = [process.cpuUsage(), requests]
  await sleep(windowMs ?? 100)
  const { user, system } = process.cpuUsage(usage)
  return (user + system) / (requests - before)
}
