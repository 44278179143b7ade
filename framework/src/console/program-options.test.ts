import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { parts } from './new/parts.ts'
import { databaseOption, minimalOption, starterOption, withoutOption } from './program-options.ts'

function parse(...words: string[]): Readonly<Record<string, unknown>> {
  const command = new Command('new')
    .argument('[folder]')
    .addOption(databaseOption())
    .addOption(withoutOption())
    .addOption(starterOption())
    .addOption(minimalOption())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return command.parse(words, { from: 'user' }).opts()
}

test('parts are named between commas or one after the other, each counts once', () => {
  assert.deepEqual(parse('--without', 'items, ci', 'shop'), { without: ['items', 'ci'] })
  const twice = parse('--without', 'items', '--without', 'docker,items')
  assert.deepEqual(twice, { without: ['items', 'docker'] })
})

test('a part that does not exist is refused with those that do', () => {
  for (const name of ['wings', '', 'items,', 'constructor']) {
    assert.throws(
      () => parse('--without', name),
      new RegExp(`Unknown part "[^"]*"; choose from ${Object.keys(parts).join(', ')}`),
    )
  }
})

test('the database is one of those the framework speaks to', () => {
  assert.deepEqual(parse('--database', 'mariadb'), { database: 'mariadb' })
  assert.throws(() => parse('--database', 'oracle'), /sqlite, postgres, mariadb/)
})

test('a minimal project has no parts to leave out and no database', () => {
  assert.deepEqual(parse('--minimal'), { minimal: true })
  assert.throws(() => parse('--minimal', '--without', 'ci'), /cannot be used with/)
  assert.throws(() => parse('--database', 'sqlite', '--minimal'), /cannot be used with/)
})

test('a starter is one of those there are, and not minimal twice', () => {
  assert.deepEqual(parse('--starter', 'auth'), { starter: 'auth' })
  assert.throws(() => parse('--starter', 'huge'), /Allowed choices are full, auth, minimal/)
  assert.throws(() => parse('--starter', 'auth', '--minimal'), /cannot be used with/)
})
