import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { Fingerprints } from './fingerprints.ts'

/** An error with these frames, such as `placeOrder (/shop/orders.ts:3:4)`. */
function thrown(message: string, calls: readonly string[], options?: ErrorOptions): Error {
  const error = new RangeError(message, options)
  const frames = calls.map((call) => `\n    at ${call}`)
  error.stack = `RangeError: ${message}${frames.join('')}`
  return error
}

const order = ['placeOrder (/shop/routes/orders.ts:3:4)', 'async pay (/shop/routes/pay.ts:9:1)']
const vendor = 'query (/shop/node_modules/pg/client.js:5:6)'

function idOf(error: Error, root = '/shop'): string {
  return new Fingerprints(root).of(error).id
}

test('lines, columns, messages and vendor frames do not tell errors apart', () => {
  const first = new Fingerprints('/shop').of(thrown('no item 1', order))
  assert.match(first.id, /^[\da-f]{32}$/)
  assert.equal(first.place, 'routes/orders.ts placeOrder')
  const moved = ['placeOrder (/shop/routes/orders.ts:30:1)', vendor, order[1] ?? '']
  assert.equal(idOf(thrown('no item 2', moved)), first.id)
})

test('the class, the file and the function do', () => {
  const first = idOf(thrown('x', order))
  const other = thrown('x', order)
  Object.defineProperty(other, 'constructor', { value: TypeError })
  const ids = [
    first,
    idOf(other),
    idOf(thrown('x', ['placeOrder (/shop/routes/basket.ts:3:4)', order[1] ?? ''])),
    idOf(thrown('x', ['cancelOrder (/shop/routes/orders.ts:3:4)', order[1] ?? ''])),
    idOf(thrown('x', order.slice(1))),
  ]
  assert.equal(new Set(ids).size, ids.length)
})

test('another folder of the project and a deeper recursion change nothing', () => {
  const first = idOf(thrown('x', order))
  const elsewhere = order.map((call) => call.replace('/shop/', '/releases/42/'))
  assert.equal(idOf(thrown('x', elsewhere), '/releases/42'), first)
  const deeper = [order[0] ?? '', order[0] ?? '', ...order]
  assert.equal(idOf(thrown('x', deeper)), first)
})

test('how a function was called does not matter', () => {
  const called = ['Object.placeOrder [as handle] (/shop/routes/orders.ts:3:4)', order[1] ?? '']
  assert.equal(idOf(thrown('x', called)), idOf(thrown('x', order)))
})

test('functions without a name are told apart by the route', () => {
  const fingerprints = new Fingerprints('/shop')
  const nameless = thrown('x', ['Object.handle (/shop/a.ts:3:4)', 'async file:///shop/a.ts:9:1'])
  const ids = ['GET /a', 'GET /b'].map((title) => fingerprints.of(nameless, title).id)
  assert.notEqual(ids[0], ids[1])
  const named = ['GET /a', 'GET /b'].map((title) => fingerprints.of(thrown('x', order), title).id)
  assert.equal(named[0], named[1])
})

test('an error without own frames is told by those of its cause', () => {
  const cause = thrown('inner', order)
  const outer = (): Error => thrown('outer', [vendor], { cause })
  const other = thrown('outer', [vendor], { cause: thrown('inner', order.slice(1)) })
  assert.equal(idOf(outer()), idOf(outer()))
  assert.notEqual(idOf(outer()), idOf(other))
  assert.equal(new Fingerprints('/shop').of(outer()).place, 'routes/orders.ts placeOrder')
})

test('without any own frame the code, the statement and the nearest frames count', async (t) => {
  const plain = (): Error => thrown('lost', [vendor])
  const coded = Object.assign(plain(), { code: 'ECONNRESET' })
  const stop = Steps.Instance.watch({ ended() {} })
  t.after(stop)
  const failed = plain()
  await Steps.Instance.measure(StepKinds.Redis, 'GET', () => Promise.reject(failed)).catch(() => {})
  const statement = plain()
  const step = Steps.Instance.begin(StepKinds.Sql, 'SELECT', 'SELECT * FROM orders')
  const { noteFailedStep } = await import('../activity/failed-step.ts')
  if (step !== null) noteFailedStep(statement, step)
  assert.equal(idOf(plain()), idOf(failed))
  const ids = [idOf(plain()), idOf(coded), idOf(statement)]
  ids.push(idOf(thrown('lost', ['parse (/shop/node_modules/pg/parser.js:5:6)'])))
  assert.equal(new Set(ids).size, ids.length)
})

test('without a stack the message counts, without its numbers and quoted parts', () => {
  const ids = ['order 17 of "Ada"', 'order 8 of "Bob"'].map((text) => idOf(thrown(text, [])))
  assert.equal(ids[0], ids[1])
  assert.notEqual(idOf(thrown('no order', [])), ids[0])
})

test('a message that looks like frames neither counts nor fills the cache', () => {
  const forged = thrown('x\n    at forged (/shop/routes/forged.ts:1:1)', order)
  assert.equal(idOf(forged), idOf(thrown('x', order)))
})
