import { createSecretKey } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SqlJobs } from '../../src/queue/sql-jobs.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { connect } from '../../src/database/connect.ts'
import { connectRedisJobs } from '../../src/queue/queue-settings.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { PermanentFailure } from '../../src/queue/job.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import type { JobStore } from '../../src/queue/job-store.ts'
import { Queue } from '../../src/queue/queue.ts'

// Runs jobs until SIGTERM, and writes each job's number and its own process id to a file. Every tenth
// job dies until there is a second file.
const [url = '', key = '', file = '', visibility = ''] = process.argv.slice(2)

async function open(): Promise<JobStore & { close(): Promise<void> }> {
  if (url.startsWith('redis:')) return connectRedisJobs(url)
  const database = await connect(url)
  return Object.assign(new SqlJobs(database), { close: () => database.close() })
}

const store = await open()
const encrypter = new Encrypter([createSecretKey(Buffer.from(key, 'hex'))], 'queue')
const options = { encrypter, visibility: Number(visibility), attempts: 100 }
const queue = new Queue<number>('numbers', store, options)
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
process.send?.('ready')
const tally = await runQueue(
  queue,
  async ({ payload }) => {
    await sleep(2)
    if (payload % 10 === 3 && !existsSync(`${file}.mended`)) throw new PermanentFailure('broken')
    appendFileSync(file, `${payload} ${process.pid}\n`)
  },
  { concurrency: 4, poll: 0.1, signal: stopping.signal, throwables: createThrowables() },
)
await store.close()
process.stdout.write(`${JSON.stringify(tally)}\n`)
