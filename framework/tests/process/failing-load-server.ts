import cluster from 'node:cluster'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { exceptionsReporter } from '../../src/logs/exceptions-reporter.ts'
import { fileSink } from '../../src/logs/file-sink.ts'
import { Logs } from '../../src/logs/logs.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { Server } from '../../src/http/server/server.ts'

/** The options of the script, as JSON. */
export interface FailingLoadOptions {
  /** File of the log channel `exceptions`. */
  readonly log: string
}

const given: FailingLoadOptions = JSON.parse(process.argv[2] ?? '{}')
const logs = new Logs({ sinks: [fileSink(given.log, { maxBytes: 1e9 })] })
const throwables = createThrowables()
const server = new Server({
  environment: 'production',
  throwables,
  reporter: exceptionsReporter(logs),
  log: (message, context) => tell({ log: message, ...context }),
})
server.onClose(() => logs.close()).configure({ port: 0, workers: 2 })
server.router
  .get('/sync', () => {
    throw new Error('at once')
  })
  .get('/async', async () => {
    await turn()
    throw new TypeError('later')
  })
  .get('/string', () => {
    throw 'only a text'
  })
  .get('/aggregate', () => {
    throw new AggregateError([new Error('one'), new Error('two')], 'several')
  })
  .get('/busy', () => {
    throw new HttpError(503, 'no room')
  })
  .get('/stream', (_request, response) => response.stream(Readable.from(breaks(''))))
  .get('/cut', ({ id }, response) => {
    return response.header('X-Request-Id', id).stream(Readable.from(breaks('half of it')))
  })
  .get('/memory', async (_request, response) => {
    // Twice, with a turn in between: the second collects what finalisers release.
    for (let round = 0; round < 2; round += 1) {
      globalThis.gc?.()
      await turn()
    }
    return response.json({ pid: process.pid, heapBytes: process.memoryUsage().heapUsed })
  })
const { port } = await server.listen()
tell(cluster.isWorker ? { worker: process.pid } : { port })

async function* breaks(start: string): AsyncGenerator<string> {
  if (start !== '') yield start
  await turn()
  throw new RangeError('the source broke')
}

// One write per line: the processes of a fleet share the pipe.
function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
