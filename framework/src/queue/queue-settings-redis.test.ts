import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectRedisJobs, loadBullmq } from './queue-settings.ts'

function missing(name: string): Error {
  const error = new Error(`Cannot find package '${name}' imported from here`)
  return Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' })
}

test('a package that is not installed is named with the command that installs it', async () => {
  for (const name of ['bullmq', 'ioredis']) {
    await assert.rejects(
      loadBullmq(() => Promise.reject(missing(name))),
      { code: 'E_QUEUE', message: /npm install bullmq ioredis$/ },
    )
  }
})

test('a file that is missing is another defect', async () => {
  const error = missing('./bullmq-jobs.ts')
  await assert.rejects(
    loadBullmq(() => Promise.reject(error)),
    (thrown) => thrown === error,
  )
})

test('an invalid URL is rejected without showing its password', async () => {
  await assert.rejects(connectRedisJobs('http://:hunter2@localhost'), (error: Error) => {
    assert.match(error.message, /redis:\/\/ or rediss:\/\//)
    return !error.message.includes('hunter2')
  })
})
