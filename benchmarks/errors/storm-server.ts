import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineProject } from '../../framework/src/project/project.ts'
import { assembleProject } from '../../framework/src/project/start/assemble-project.ts'
import { connect } from '../../framework/src/database/connect.ts'
import { Throwables } from '../../framework/src/errors/throwables/throwables.ts'
import { routeSet } from '../../framework/src/http/router/route-set.ts'
import { createErrorTables } from '../../framework/src/inbox/error-tables.ts'
import { errorInboxFrom } from '../../framework/src/inbox/inbox-settings.ts'
import { Mailer } from '../../framework/src/mail/mailer.ts'
import { MemoryLane } from '../../framework/src/mail/memory-lane.ts'
import { Schema } from '../../framework/src/migrations/schema.ts'

// A project with an inbox that tells: `<webhook> <errors a second> <seconds>`. Told `storm`, `work` or `calm` by its
// parent, it reports errors for so long, does other work that takes as much CPU, or neither.

const [webhook = '', ...numbers] = process.argv.slice(2)
const [rate = 10_000, seconds = 5] = numbers.map(Number)

const lane = new MemoryLane()
const Plain = routeSet('Plain', (router) => {
  router.get('/', () => 'fine')
})
const project = defineProject({
  name: 'storm',
  services: async (boot) => {
    const database = await connect(`sqlite:${join(boot.root, 'errors.sqlite')}`)
    await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
    const who = { mail: 'ops@example.org', webhook, webhookSecret: 'secret', quietHours: '' }
    const tell = { ...who, mailer: new Mailer(lane) }
    return { database, errors: errorInboxFrom(boot, { database, tell }) }
  },
  routes: [Plain],
})
const { server } = await assembleProject({
  root: process.cwd(),
  project,
  environment: 'production',
})
const { port } = await server.listen({ signals: false })

let reported = 0
let cpuMicros = 100

/** Errors of five places, and a fifth of them each of its own. */
function report(): void {
  reported += 1
  const kind = reported % 5
  const error = new RangeError(`order ${reported} failed`)
  const place = kind === 0 ? `place${reported}` : `place${kind}`
  error.stack = `RangeError: order ${reported} failed\n    at ${place} (${process.cwd()}/shop.ts:1:1)`
  Throwables.notify(error, { method: 'GET', URI: `/orders/${reported}`, request: 'r1' })
}

function spin(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

async function paced(work: (count: number) => void): Promise<void> {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  let done = 0
  while (done < rate * seconds) {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * rate)
    const count = Math.min(due - done, rate / 100, rate * seconds - done)
    work(count)
    done += count
    await sleep(2)
  }
  if (work === storm) {
    const { user, system } = process.cpuUsage(startCpu)
    cpuMicros = (user + system) / done
  }
}

function storm(count: number): void {
  for (let at = 0; at < count; at += 1) report()
}

async function follow(message: unknown): Promise<void> {
  if (message === 'storm') await paced(storm)
  else if (message === 'work') await paced((count) => spin((count * cpuMicros) / 1_000))
  else if (message === 'calm') await sleep(seconds * 1_000)
  else {
    await server.close()
    return process.disconnect()
  }
  process.send?.({ reported, cpuMicros, mails: lane.mails.length })
}

process.on('message', (message) => void follow(message))
process.send?.({ port })
