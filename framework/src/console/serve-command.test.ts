import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordingTerminal } from '../../tests/support/recording-terminal.ts'
import { Environments } from '../settings/environments.ts'
import { banner } from './serve-command.ts'

const facts = {
  name: 'shop',
  url: 'http://localhost:8087',
  environment: Environments.Staging,
  workers: 4,
  banner: [{ label: 'database', value: 'storage/app data.sqlite' }],
}

test('a log gets one line of fields', () => {
  assert.equal(
    banner(facts, recordingTerminal()),
    'shop serves http://localhost:8087 environment=staging workers=4 ' +
      `database="storage/app data.sqlite" pid=${process.pid}\n`,
  )
})

test('a screen gets a block with one fact a line', () => {
  const lines = banner(facts, recordingTerminal({ screen: true })).split('\n')
  assert.deepEqual(lines.slice(0, 7), [
    '',
    '  shop serves http://localhost:8087',
    '',
    '  environment  staging',
    '  workers      4',
    '  database     storage/app data.sqlite',
    `  pid          ${process.pid}`,
  ])
})
