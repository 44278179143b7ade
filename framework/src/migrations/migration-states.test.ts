import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerRow } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import { builtInChecksum } from './migration-file.ts'
import type { BuiltInMigration, MigrationFile } from './migration-file.ts'
import { migrationStatuses, refuseMismatch } from './migration-states.ts'

const file = (name: string, checksum = `ts:${name}`): MigrationFile => ({
  name,
  path: `/migrations/${name}.ts`,
  checksum,
})
const row = (name: string, checksum = `ts:${name}`): LedgerRow => ({
  name,
  batch: 1,
  checksum,
  appliedAt: '2026-01-31 12:00:00',
})

function states(files: readonly MigrationFile[], rows: readonly LedgerRow[]): string[] {
  return migrationStatuses(files, rows).map(({ name, state }) => `${name} ${state}`)
}

test('what is in the ledger is applied, what is only in the folder is pending', () => {
  const found = migrationStatuses([file('1'), file('2')], [row('1')])
  assert.deepEqual(found, [
    { name: '1', state: 'applied', batch: 1, appliedAt: '2026-01-31 12:00:00' },
    { name: '2', state: 'pending', batch: null, appliedAt: null },
  ])
})

test('a pending one before the newest applied one is late', () => {
  assert.deepEqual(states([file('1'), file('2'), file('3')], [row('2')]), [
    '1 late',
    '2 applied',
    '3 pending',
  ])
})

test('a file that differs from when it was applied is changed', () => {
  assert.deepEqual(states([file('1', 'ts:new')], [row('1', 'ts:old')]), ['1 changed'])
})

test('a built form of the same migration is not compared with its source', () => {
  assert.deepEqual(states([file('1', 'js:new')], [row('1', 'ts:old')]), ['1 applied'])
})

test('what is only in the ledger is missing, in its place by name', () => {
  assert.deepEqual(states([file('3')], [row('1'), row('2'), row('3')]), [
    '1 missing',
    '2 missing',
    '3 applied',
  ])
})

test('a built-in one is never late or changed, and is pending only if it is needed', () => {
  const builtIn = (name: string, isNeeded: boolean): MigrationFile => ({
    name,
    path: '',
    checksum: 'in:',
    builtIn: { name, isNeeded, up: () => {}, down: () => {} },
  })
  const files = [builtIn('1', true), builtIn('2', true), builtIn('3', false), builtIn('4', false)]
  assert.deepEqual(states([...files, file('5')], [row('1'), row('3'), row('5')]), [
    '1 applied',
    '2 pending',
    '3 applied',
    '5 applied',
  ])
})

test('all differences are listed, with what to do', () => {
  const statuses = migrationStatuses(
    [file('1'), file('2', 'ts:new'), file('5')],
    [row('2'), row('3')],
  )
  assert.throws(
    () => refuseMismatch(statuses),
    (error) => {
      assert.ok(error instanceof MigrationError)
      assert.equal(error.code, 'E_MIGRATION')
      assert.match(error.message, /^ {2}1 comes before one that has already been applied; give it/m)
      assert.match(
        error.message,
        /^ {2}2 was changed after it was applied; restore it .+ migrate down --steps 1`$/m,
      )
      assert.match(error.message, /^ {2}3 was applied and its file is gone; restore/m)
      assert.doesNotMatch(error.message, /^ {2}5/m)
      return true
    },
  )
})

test('applied and pending migrations are in sync', () => {
  refuseMismatch(migrationStatuses([file('1'), file('2')], [row('1')]))
})

const builtIn = (name: string, more: Partial<BuiltInMigration> = {}): MigrationFile => ({
  name,
  path: '',
  checksum: builtInChecksum,
  builtIn: { name, isNeeded: true, up: () => {}, down: () => {}, ...more },
})

test('a built-in one is never late or changed, and only listed if it is needed or applied', () => {
  const unneeded = { isNeeded: false }
  assert.deepEqual(states([builtIn('1'), builtIn('2'), file('3')], [row('2'), row('3')]), [
    '1 pending',
    '2 applied',
    '3 applied',
  ])
  assert.deepEqual(states([builtIn('1', unneeded), builtIn('2', unneeded)], [row('2')]), [
    '2 applied',
  ])
})

test('a built-in one is not run where the one that it replaces was applied', () => {
  const one = builtIn('2', { replaces: '1' })
  assert.deepEqual(states([builtIn('1', { isNeeded: false }), one], [row('1')]), ['1 applied'])
  assert.deepEqual(states([builtIn('1', { isNeeded: false }), one], []), ['2 pending'])
})

test('a built-in one that is gone stays applied, where a file would be missing', () => {
  const rows = [row('1', builtInChecksum), row('2')]
  assert.deepEqual(states([], rows), ['1 applied', '2 missing'])
})
