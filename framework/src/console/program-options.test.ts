import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { databaseOption, starterOption } from './program-options.ts'

function parse(...words: string[]): Readonly<Record<string, unknown>> {
  const command = new Command('new')
    .argument('[folder]')
    .addOption(databaseOption())
    .addOption(starterOption())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return command.parse(words, { from: 'user' }).opts()
}

test('the database is one of those the framework speaks to', () => {
  assert.deepEqual(parse('--database', 'mariadb'), { database: 'mariadb' })
  assert.throws(() => parse('--database', 'oracle'), /sqlite, postgres, mariadb/)
})

test('a starter is one of those there are', () => {
  assert.deepEqual(parse('--starter', 'full'), { starter: 'full' })
  assert.throws(() => parse('--starter', 'huge'), /Allowed choices are auth, minimal, full/)
})
