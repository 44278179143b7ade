import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { FleetUploads, UploadLedger } from './fleet-uploads.ts'
import type { PrimaryChannel, UploadRequest } from './fleet-uploads.ts'

/** Passes the messages of a worker to a ledger and back, later, as a channel does. */
class Channel extends EventEmitter implements PrimaryChannel {
  readonly sent: UploadRequest[] = []
  readonly #ledger: UploadLedger
  readonly #pid: number
  isOpen = true

  constructor(ledger: UploadLedger, pid: number) {
    super()
    this.#ledger = ledger
    this.#pid = pid
  }

  send(message: UploadRequest, callback: (error: Error | null) => void): void {
    this.sent.push(message)
    setImmediate(() => (this.isOpen ? this.#grant(message) : callback(new Error('closed'))))
  }

  #grant(message: UploadRequest): void {
    if (message.type === 'framework:give-upload-bytes') this.#ledger.give(this.#pid, message.bytes)
    else {
      const granted = this.#ledger.take(this.#pid, message.bytes)
      this.emit('message', { type: 'other' })
      this.emit('message', { type: 'framework:upload-bytes', id: message.id, granted })
    }
  }
}

function fleetOf(budget: number): {
  readonly ledger: UploadLedger
  readonly channels: readonly Channel[]
  readonly workers: readonly FleetUploads[]
} {
  const ledger = new UploadLedger(budget)
  const channels = [new Channel(ledger, 1), new Channel(ledger, 2)]
  const workers = channels.map((channel) => new FleetUploads(channel))
  return { ledger, channels, workers }
}

const settled = (): Promise<unknown> => new Promise(setImmediate)

test('the workers of a fleet together take the budget exactly, and not a byte more', async () => {
  const { workers } = fleetOf(1000)
  const [one, other] = workers
  assert.ok(one !== undefined && other !== undefined)
  const taken = { one: 0, other: 0 }
  while (await one.take(7)) {
    taken.one += 7
    if (!(await other.take(3))) break
    taken.other += 3
  }
  while (await other.take(1)) taken.other += 1
  while (await one.take(1)) taken.one += 1
  assert.equal(taken.one + taken.other, 1000)
  one.give(taken.one)
  await settled()
  assert.equal(await other.take(taken.one), true)
  assert.equal(await other.take(1), false)
})

test('concurrent takes of one worker get what there is', async () => {
  const [one] = fleetOf(1000).workers
  assert.ok(one !== undefined)
  const outcomes = await Promise.all(Array.from({ length: 15 }, async () => one.take(100)))
  assert.equal(outcomes.filter((taken) => taken).length, 10)
})

test('each take is one message, and nothing is returned without need', async () => {
  const { channels, workers } = fleetOf(1000)
  const [one] = workers
  const [channel] = channels
  assert.ok(one !== undefined && channel !== undefined)
  assert.equal(await one.take(100), true)
  one.give(100)
  one.give(0)
  assert.deepEqual(channel.sent, [
    { type: 'framework:take-upload-bytes', id: 1, bytes: 100 },
    { type: 'framework:give-upload-bytes', bytes: 100 },
  ])
})

test('a worker that is refused leaves what there is to the others', async () => {
  const [one, other] = fleetOf(1000).workers
  assert.ok(one !== undefined && other !== undefined)
  assert.equal(await one.take(400), true)
  assert.equal(await one.take(700), false)
  assert.equal(await other.take(600), true)
})

test('what a worker that has ended held is free again', async () => {
  const { ledger, workers } = fleetOf(1000)
  const [one, other] = workers
  assert.ok(one !== undefined && other !== undefined)
  assert.equal(await one.take(1000), true)
  assert.equal(await other.take(1), false)
  await ledger.close({ slot: 1, pid: 1 })
  assert.equal(await other.take(1000), true)
})

test('a worker without its primary takes nothing', async () => {
  const { channels, workers } = fleetOf(1000)
  const [one] = workers
  const [channel] = channels
  assert.ok(one !== undefined && channel !== undefined)
  channel.isOpen = false
  assert.equal(await one.take(1), false)
  const waiting = one.take(1)
  channel.emit('disconnect')
  assert.equal(await waiting, false)
})
