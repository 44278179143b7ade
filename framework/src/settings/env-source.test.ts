import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadEnvironment } from './env-source.ts'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'framework-env-'))
  await writeFile(
    join(root, '.env'),
    'A=common\nB=common\nC=common\nFRAMEWORK_ENVIRONMENT=staging\n',
  )
  await writeFile(join(root, '.env.staging'), 'A=staging\nB=staging\n')
  await writeFile(join(root, '.env.test'), 'A=test\n')
})
after(() => rm(root, { recursive: true, force: true }))

test('the process wins over the file of the environment, which wins over .env', () => {
  const source = loadEnvironment({ root, environment: 'staging', env: { A: 'process' } })
  assert.deepEqual(source.lookup('A'), { text: 'process', origin: 'the environment' })
  assert.deepEqual(source.lookup('B'), { text: 'staging', origin: '.env.staging' })
  assert.deepEqual(source.lookup('C'), { text: 'common', origin: '.env' })
  assert.equal(source.lookup('D'), null)
})

test('an empty text of the process still wins', () => {
  assert.equal(loadEnvironment({ root, env: { A: '' } }).lookup('A')?.text, '')
})

test('the environment is the one asked for, else the process names it, else .env does', () => {
  const env = { FRAMEWORK_ENVIRONMENT: 'test' }
  assert.equal(
    loadEnvironment({ root, environment: 'development', env }).environment,
    'development',
  )
  assert.equal(loadEnvironment({ root, env }).environment, 'test')
  assert.equal(loadEnvironment({ root, env: {} }).environment, 'staging')
  assert.equal(loadEnvironment({ root, env }).lookup('A')?.text, 'test')
})

test('an unknown environment is production', () => {
  const env = { FRAMEWORK_ENVIRONMENT: 'Development' }
  assert.equal(loadEnvironment({ root, env }).environment, 'production')
})

test('properties that every object has are not settings', () => {
  assert.equal(loadEnvironment({ root, env: {} }).lookup('constructor'), null)
})
