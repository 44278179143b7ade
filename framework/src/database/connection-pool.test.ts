import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError } from './database-error.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { PooledConnection, Shareable } from './connection-pool.ts'

class FakeConnection implements PooledConnection {
  usable = true
  held = false
  received: number | null = null
  broken = ''
  gathered = 0
  closed = false

  ref(): void {
    this.held = true
  }

  unref(): void {
    this.held = false
  }

  gather(): void {
    this.gathered += 1
  }

  destroy(reason: string): void {
    this.usable = false
    this.broken = reason
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

class FakeServer {
  readonly connections: FakeConnection[] = []
  failure: Error | null = null

  open(): Promise<FakeConnection> {
    if (this.failure !== null) return Promise.reject(this.failure)
    const connection = new FakeConnection()
    this.connections.push(connection)
    return Promise.resolve(connection)
  }

  pool(size: number, timeout = 10): ConnectionPool<FakeConnection> {
    return new ConnectionPool(settings(size, timeout), () => this.open())
  }
}

function settings(
  pool: number,
  poolTimeout: number,
): ConstructorParameters<typeof ConnectionPool>[0] {
  return { pool, poolTimeout, statementTimeout: 2 }
}

/** Work that lasts until it is told to end. */
class Task {
  readonly #end = Promise.withResolvers<void>()
  connection: FakeConnection | null = null
  readonly done: Promise<string>

  constructor(
    pool: ConnectionPool<FakeConnection>,
    timeout?: number,
    shareable: Shareable | null = null,
  ) {
    this.done = pool.use(
      async (connection) => {
        this.connection = connection
        await this.#end.promise
        return 'done'
      },
      timeout,
      shareable,
    )
    this.done.catch(() => undefined)
  }

  end(): Promise<string> {
    this.#end.resolve()
    return this.done
  }
}

/** Lets all pending promise callbacks run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function mockTime(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] })
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseError && error.code === code
}

test('with an idle connection, work starts synchronously', async () => {
  const server = new FakeServer()
  const pool = server.pool(2)
  await new Task(pool).end()
  const task = new Task(pool)
  assert.equal(task.connection, server.connections[0])
  await task.end()
  assert.equal(server.connections.length, 1)
})

test('connections are opened on demand and never more than the size', async () => {
  const server = new FakeServer()
  const pool = server.pool(2)
  const tasks = Array.from({ length: 5 }, () => new Task(pool))
  await settle()
  assert.equal(server.connections.length, 2)
  assert.equal(tasks.filter(({ connection }) => connection !== null).length, 2)
  await Promise.all(tasks.map((task) => task.end()))
  assert.equal(server.connections.length, 2)
})

test('connections are handed out in the order of the requests', async () => {
  const pool = new FakeServer().pool(1)
  const order: number[] = []
  const work = [1, 2, 3].map((index) => pool.use(async () => void order.push(index)))
  await Promise.all(work)
  assert.deepEqual(order, [1, 2, 3])
})

function quick(): Shareable {
  return { lastMs: 0 }
}

async function startAfter(holder: Task, waiting: readonly Task[]): Promise<readonly boolean[]> {
  await holder.end()
  await settle()
  return waiting.map(({ connection }) => connection !== null)
}

async function holdAll(
  pool: ConnectionPool<FakeConnection>,
  size: number,
): Promise<readonly Task[]> {
  const holders = Array.from({ length: size }, () => new Task(pool))
  await settle()
  return holders
}

test('a connection that becomes free takes its share of the shareable work that waits', async () => {
  const server = new FakeServer()
  const pool = server.pool(2)
  const [holder, other] = await holdAll(pool, 2)
  assert.ok(holder !== undefined && other !== undefined)
  const waiting = Array.from({ length: 5 }, () => new Task(pool, undefined, quick()))
  assert.deepEqual(await startAfter(holder, waiting), [true, true, true, false, false])
  assert.equal(holder.connection?.gathered, 1)
  await waiting[0]?.end()
  await waiting[1]?.end()
  await settle()
  assert.equal(waiting[3]?.connection, null)
  await waiting[2]?.end()
  await settle()
  assert.notEqual(waiting[3]?.connection, null)
  await Promise.all([other, ...waiting].map((task) => task.end()))
  await pool.close()
  assert.ok(server.connections.every(({ closed, held }) => closed && !held))
})

test('a connection takes at most eight at once', async () => {
  const pool = new FakeServer().pool(1)
  const [holder] = await holdAll(pool, 1)
  assert.ok(holder !== undefined)
  const waiting = Array.from({ length: 20 }, () => new Task(pool, undefined, quick()))
  const started = await startAfter(holder, waiting)
  assert.equal(started.filter(Boolean).length, 8)
  await Promise.all(waiting.map((task) => task.end()))
})

test('work that is not shareable, or was slow, has its connection to itself', async () => {
  for (const alone of [() => null, () => ({ lastMs: 101 })]) {
    const pool = new FakeServer().pool(1)
    const [holder] = await holdAll(pool, 1)
    assert.ok(holder !== undefined)
    const shares = [alone(), quick(), quick(), alone(), quick()]
    const waiting = shares.map((share) => new Task(pool, undefined, share))
    assert.deepEqual(await startAfter(holder, waiting), [true, false, false, false, false])
    await waiting[0]?.end()
    await settle()
    assert.deepEqual(
      waiting.map(({ connection }) => connection !== null),
      [true, true, true, false, false],
    )
    await Promise.all(waiting.map((task) => task.end()))
  }
})

test('shareable work is slow or quick by how long it took the last time, whatever the wall clock does', async (t) => {
  mockTime(t)
  let nowMs = 5
  t.mock.method(performance, 'now', () => nowMs)
  const pool = new FakeServer().pool(1)
  const share = quick()
  const slow = new Task(pool, undefined, share)
  await settle()
  nowMs += 101
  t.mock.timers.setTime(0)
  await slow.end()
  assert.equal(share.lastMs, 101)
  const fast = new Task(pool, undefined, share)
  await settle()
  t.mock.timers.tick(3_600)
  await fast.end()
  assert.equal(share.lastMs, 0)
})

test('a connection in use is never lent to work that comes later', async () => {
  const pool = new FakeServer().pool(1)
  const first = new Task(pool, undefined, quick())
  await settle()
  const second = new Task(pool, undefined, quick())
  await settle()
  assert.equal(second.connection, null)
  await Promise.all([first.end(), second.end()])
})

test('a connection returns to the pool when its work throws, synchronously or later', async () => {
  const pool = new FakeServer().pool(1)
  await assert.rejects(
    pool.use(() => {
      throw new Error('at once')
    }),
    /at once/,
  )
  await assert.rejects(
    pool.use(() => Promise.reject(new Error('later'))),
    /later/,
  )
  assert.equal(await new Task(pool).end(), 'done')
})

test('a broken connection is replaced, in use or idle', async () => {
  const server = new FakeServer()
  const pool = server.pool(1)
  const [first, second] = [new Task(pool), new Task(pool)]
  await settle()
  if (first.connection !== null) first.connection.usable = false
  await first.end()
  await second.end()
  assert.equal(server.connections.length, 2)
  assert.ok(server.connections[0]?.closed)
  if (second.connection !== null) second.connection.usable = false
  await new Task(pool).end()
  assert.equal(server.connections.length, 3)
})

test('a timeout error describes the state of the pool, and the others wait on', async (t) => {
  mockTime(t)
  const pool = new FakeServer().pool(1, 10)
  const holder = new Task(pool)
  await settle()
  const [late, patient] = [new Task(pool), new Task(pool, 20)]
  t.mock.timers.tick(10_000)
  await assert.rejects(late.done, (error: DatabaseError) => {
    assert.match(error.message, /within 10 s: 1 of 1 are in use and 0 are being opened/)
    return error.code === 'E_POOL_TIMEOUT'
  })
  await holder.end()
  assert.equal(await patient.end(), 'done')
  assert.equal(late.connection, null)
})

test('when nothing is in use, a timeout is blamed on the server', async (t) => {
  mockTime(t)
  const pool = new ConnectionPool<FakeConnection>(
    settings(1, 1),
    () => new Promise(() => undefined),
  )
  const task = new Task(pool)
  t.mock.timers.tick(1_000)
  await assert.rejects(task.done, hasCode('E_CONNECTION_LOST'))
})

test('a connection that cannot be opened fails one waiter', async () => {
  const server = new FakeServer()
  const pool = server.pool(2)
  const holder = new Task(pool)
  await settle()
  server.failure = new Error('refused')
  const [failing, waiting] = [new Task(pool), new Task(pool)]
  await assert.rejects(failing.done, /refused/)
  await assert.rejects(waiting.done, /refused/)
  server.failure = null
  assert.equal(await new Task(pool).end(), 'done')
  await holder.end()
})

test('a connection is held while in use', async (t) => {
  mockTime(t)
  const task = new Task(new FakeServer().pool(1))
  await settle()
  assert.equal(task.connection?.held, true)
  await task.end()
  assert.equal(task.connection?.held, false)
})

test('a connection is broken five seconds after a statement should have ended', async (t) => {
  mockTime(t)
  const server = new FakeServer()
  const task = new Task(server.pool(1))
  await settle()
  const [connection] = server.connections
  assert.ok(connection)
  for (const bytes of [null, 10, 20]) {
    connection.received = bytes
    for (let seconds = 0; seconds < 8; seconds += 1) t.mock.timers.tick(1_000)
    assert.equal(connection.broken, '')
  }
  t.mock.timers.tick(1_000)
  assert.match(connection.broken, /silent for 7 s/)
  await task.end()
})

test('connections idle for 30 seconds are closed, the busiest stay', async (t) => {
  mockTime(t)
  const server = new FakeServer()
  const pool = server.pool(2)
  const tasks = [new Task(pool), new Task(pool)]
  await settle()
  await Promise.all(tasks.map((task) => task.end()))
  for (let second = 0; second < 40; second += 1) {
    t.mock.timers.tick(1_000)
    await new Task(pool).end()
  }
  assert.deepEqual(
    server.connections.map(({ closed }) => closed),
    [true, false],
  )
})

test('close waits for running and waiting work, and rejects new work', async () => {
  const server = new FakeServer()
  const pool = server.pool(1)
  const [working, waiting] = [new Task(pool), new Task(pool)]
  await settle()
  let closed = false
  const closing = pool.close().then(() => (closed = true))
  await assert.rejects(new Task(pool).done, hasCode('E_DATABASE_CLOSED'))
  await working.end()
  await settle()
  assert.equal(closed, false)
  await waiting.end()
  await closing
  assert.ok(server.connections.every((connection) => connection.closed))
  await pool.close()
})

test('close closes idle connections and does not hang on an empty pool', async () => {
  const server = new FakeServer()
  await server.pool(1).close()
  const pool = server.pool(1)
  await new Task(pool).end()
  await pool.close()
  assert.ok(server.connections[0]?.closed)
})

test('close does not hang when the last waiter times out or fails', async (t) => {
  mockTime(t)
  const server = new FakeServer()
  server.failure = new Error('refused')
  const failing = server.pool(1)
  const task = new Task(failing)
  await Promise.all([assert.rejects(task.done), failing.close()])
  const stuck = new ConnectionPool<FakeConnection>(settings(1, 1), async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    throw new Error('refused')
  })
  const late = new Task(stuck)
  const closing = stuck.close()
  t.mock.timers.tick(1_000)
  await assert.rejects(late.done)
  t.mock.timers.tick(1_000)
  await closing
})
