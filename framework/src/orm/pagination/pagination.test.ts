import assert from 'node:assert/strict'
import { createPublicKey, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../base/errors.ts'
import { Counts, Modes, Pagination } from './pagination.ts'

const refusesWith =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof InvalidArgumentException && error.code === code

// A value that the types would reject.
const unchecked = JSON.parse

test('without inputs it is page mode with the first 10 rows, no page and no outcome', () => {
  const { mode, limit, page, cursor, before, count, signed, deferred } = new Pagination()
  assert.deepEqual(
    { mode, limit, page, cursor, before, count, signed, deferred },
    {
      mode: Modes.Page,
      limit: 10,
      page: null,
      cursor: null,
      before: null,
      count: Counts.Exact,
      signed: null,
      deferred: null,
    },
  )
  const { total, pages, more, next, previous, approximate } = new Pagination()
  assert.deepEqual(
    [total, pages, more, next, previous, approximate],
    [null, null, false, null, null, false],
  )
})

test('a cursor selects cursor mode, a page page mode, and neither page mode unless mode says so', () => {
  assert.equal(new Pagination({ cursor: 'WzFd' }).mode, Modes.Cursor)
  assert.equal(new Pagination({ cursor: '' }).mode, Modes.Cursor)
  assert.equal(new Pagination({ before: 'WzFd' }).mode, Modes.Cursor)
  assert.equal(new Pagination({ page: 3 }).mode, Modes.Page)
  assert.equal(new Pagination({ page: null, cursor: null, mode: null }).mode, Modes.Page)
  assert.equal(new Pagination({ mode: Modes.Cursor }).mode, Modes.Cursor)
  assert.equal(new Pagination({ mode: Modes.Cursor }).page, null)
  assert.equal(new Pagination({ mode: Modes.Page }).page, null)
  assert.equal(new Pagination({ mode: Modes.Cursor, cursor: 'WzFd' }).mode, Modes.Cursor)
  assert.equal(new Pagination({ mode: Modes.Page, page: 2 }).mode, Modes.Page)
})

test('contradictory inputs are refused', () => {
  const contradictions = [
    { page: 2, cursor: 'WzFd' },
    { page: 2, before: 'WzFd' },
    { cursor: 'WzFd', before: 'WzFd' },
    { mode: Modes.Page, cursor: 'WzFd' },
    { mode: Modes.Page, cursor: '' },
    { mode: Modes.Page, before: 'WzFd' },
    { mode: Modes.Cursor, page: 1 },
  ]
  for (const inputs of contradictions) {
    assert.throws(() => new Pagination(inputs), refusesWith('E_PAGINATION'), JSON.stringify(inputs))
  }
})

test('page, limit, cap and deferred must be whole numbers, at least 1', () => {
  for (const name of ['page', 'limit', 'cap', 'deferred']) {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      assert.throws(() => new Pagination({ [name]: value }), refusesWith('E_PAGINATION'), name)
    }
    assert.throws(() => new Pagination(unchecked(`{"${name}":"1"}`)), refusesWith('E_PAGINATION'))
  }
  assert.equal(new Pagination({ page: 1, limit: 1 }).limit, 1)
})

test('a page that ends past the last safe number is refused', () => {
  assert.throws(() => new Pagination({ page: 2 ** 52, limit: 10 }), refusesWith('E_PAGINATION'))
  assert.throws(
    () => new Pagination({ mode: Modes.Cursor, limit: Number.MAX_SAFE_INTEGER }),
    refusesWith('E_PAGINATION'),
  )
  assert.equal(new Pagination({ page: 2 ** 40, limit: 10 }).page, 2 ** 40)
})

test('inputs of another type are refused', () => {
  const bad = ['{"cursor":7}', '{"before":[]}', '{"mode":"pages"}', '{"mode":1}', '{"count":"all"}']
  for (const inputs of bad) {
    assert.throws(() => new Pagination(unchecked(inputs)), refusesWith('E_PAGINATION'), inputs)
  }
})

test('signed takes a secret key of 32 bytes or more', () => {
  const signed = createSecretKey(randomBytes(32))
  assert.equal(new Pagination({ mode: Modes.Cursor, signed }).signed, signed)
  const { publicKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  for (const bad of [createSecretKey(randomBytes(31)), createPublicKey(pem)]) {
    assert.throws(() => new Pagination({ signed: bad }), refusesWith('E_PAGINATION'))
  }
  assert.throws(() => new Pagination(unchecked('{"signed":"x"}')), refusesWith('E_PAGINATION'))
})

test('a key that signs is not shown when a pagination is printed', async () => {
  const { inspect } = await import('node:util')
  const bytes = randomBytes(32)
  const pagination = new Pagination({ mode: Modes.Cursor, signed: createSecretKey(bytes) })
  const shown = inspect(pagination, { depth: 9, showHidden: true }) + JSON.stringify(pagination)
  assert.ok(!shown.includes(bytes.toString('hex')) && !shown.includes(bytes.toString('base64')))
})

test('decode reverses encode', () => {
  const cursor = Pagination.encode(['Bob', 7])
  assert.equal(cursor, 'WyJCb2IiLDdd')
  assert.deepEqual(new Pagination({ cursor }).decode(2), ['Bob', 7])
  assert.deepEqual(new Pagination({ before: cursor }).decode(2), ['Bob', 7])
})

test('encode refuses null and values that are no scalars', () => {
  assert.throws(() => Pagination.encode(['Bob', null]), refusesWith('E_CURSOR'))
  assert.throws(() => Pagination.encode([{ id: 7 }]), refusesWith('E_CURSOR'))
})

test('decode refuses an empty or missing cursor and another number of values', () => {
  assert.throws(() => new Pagination({ cursor: '' }).decode(1), refusesWith('E_CURSOR'))
  assert.throws(() => new Pagination({ mode: Modes.Cursor }).decode(1), refusesWith('E_CURSOR'))
  assert.throws(() => new Pagination({ cursor: 'WzFd' }).decode(2), refusesWith('E_CURSOR'))
  assert.throws(
    () => new Pagination({ cursor: 'WzFd' }).decode(0),
    refusesWith('E_INVALID_ARGUMENT'),
  )
})

test('decode does not read a signed cursor, whose order and filters it cannot know', () => {
  const signed = createSecretKey(randomBytes(32))
  assert.throws(() => new Pagination({ cursor: 'WzFd', signed }).decode(1), refusesWith('E_CURSOR'))
})

test('resolve sets the outcome, resets what it is not given, and returns the pagination', () => {
  const pagination = new Pagination({ page: 2 })
  const outcome = { total: 42, pages: 5, more: true, next: 'a', previous: 'b', approximate: true }
  assert.equal(pagination.resolve(outcome), pagination)
  const { total, pages, more, next, previous, approximate } = pagination
  assert.deepEqual({ total, pages, more, next, previous, approximate }, outcome)
  pagination.resolve({ more: true })
  assert.deepEqual(
    [pagination.total, pagination.pages, pagination.more, pagination.next, pagination.previous],
    [null, null, true, null, null],
  )
  assert.equal(pagination.approximate, false)
  assert.equal(pagination.resolve().more, false)
})

test('the type includes the mode', () => {
  const cursor: Pagination<'cursor'> = new Pagination({ cursor: 'WzFd' })
  const begun: Pagination<'cursor'> = new Pagination({ mode: Modes.Cursor, limit: 5 })
  const back: Pagination<'cursor'> = new Pagination({ before: 'WzFd' })
  const page: Pagination<'page'> = new Pagination({ page: 2 })
  const plain: Pagination<'page'> = new Pagination()
  // @ts-expect-error page mode is not cursor mode
  const wrong: Pagination<'cursor'> = new Pagination({ limit: 5 })
  for (const each of [cursor, begun, back, page, plain, wrong]) {
    assert.ok(each instanceof Pagination)
  }
})
