import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { passOnConnections } from './pass-on-connections.ts'
import type { ConnectedWorker } from './pass-on-connections.ts'

type Sent = readonly unknown[]

interface Planted {
  readonly worker: PlantedWorker
  readonly sent: Sent[]
  readonly unknown: string[]
}

class Child extends EventEmitter {
  readonly sent: Sent[] = []

  send(...values: unknown[]): void {
    this.sent.push(values)
  }
}

class PlantedWorker extends EventEmitter {
  readonly process = new Child()

  disconnect(): void {}
}

/** A worker whose messages are played to it, and its heir if it has one. */
function plant(heir?: ConnectedWorker): Planted {
  const worker = new PlantedWorker()
  const unknown: string[] = []
  const onUnknown = (message: string): void => void unknown.push(message)
  passOnConnections(worker, { heir: () => heir, onUnknown })
  return { worker, sent: worker.process.sent, unknown }
}

/** What `node:cluster` does until a worker listens. */
function listen({ worker }: Planted): void {
  worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', act: 'queryServer', seq: 0 })
  worker.process.send({ cmd: 'NODE_CLUSTER', ack: 0, seq: 1 })
  worker.emit('listening')
}

function handOver({ worker }: Planted, act: string, seq: number, connection: object): void {
  worker.process.send({ cmd: 'NODE_CLUSTER', act, seq }, connection)
}

test('connections that a dead worker has not accepted go to its heir, or are closed without one', () => {
  const heir = new PlantedWorker()
  const closed: number[] = []
  const connections = [1, 2, 3].map((id) => ({ id, close: () => closed.push(id) }))
  for (const planted of [plant(heir), plant()]) {
    listen(planted)
    for (const connection of connections) handOver(planted, 'newconn', connection.id, connection)
    planted.worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 2 })
    planted.worker.process.emit('close')
    assert.deepEqual(planted.unknown, [])
  }
  assert.deepEqual(
    heir.process.sent.map(([, connection]) => connection),
    [connections[0], connections[2]],
  )
  assert.deepEqual(closed, [1, 3])
})

test('a Node whose cluster speaks otherwise is noticed when a worker listens', () => {
  const silent = plant()
  silent.worker.emit('listening')
  assert.deepEqual(silent.unknown, ['internalMessage'])
  const oneSided = plant()
  oneSided.worker.process.emit('internalMessage', { act: 'queryServer', seq: 0 })
  oneSided.worker.emit('listening')
  assert.deepEqual(oneSided.unknown, ['ack'])
})

test('a connection that is handed over by another name is noticed, and still handed over', () => {
  const planted = plant()
  listen(planted)
  handOver(planted, 'connection', 7, { close: () => {} })
  assert.deepEqual(planted.unknown, ['newconn'])
  assert.equal(planted.sent.length, 2)
})

test('a connection that the project itself sends to a worker is left alone', () => {
  const planted = plant()
  planted.worker.process.send({}, { close: () => {} })
  assert.deepEqual(planted.unknown, [])
})
