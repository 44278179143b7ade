import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { temporaryFile } from './sqlite-file.ts'

test('a temporary file is in a private folder until it is removed', async () => {
  const file = await temporaryFile('a.db')
  const other = await temporaryFile('a.db')
  assert.notEqual(dirname(file.path), dirname(other.path))
  assert.equal(statSync(dirname(file.path)).mode & 0o777, 0o700)
  writeFileSync(file.path, 'x')
  await file.remove()
  assert.equal(existsSync(dirname(file.path)), false)
  assert.equal(existsSync(dirname(other.path)), true)
  await other.remove()
  await other.remove()
})

test('however many files there are, the process has one exit listener', async () => {
  const before = process.listenerCount('exit')
  const files = await Promise.all(Array.from({ length: 5 }, () => temporaryFile('a.db')))
  assert.ok(process.listenerCount('exit') <= before + 1)
  await Promise.all(files.map((file) => file.remove()))
  assert.equal(process.listenerCount('exit'), before)
})
