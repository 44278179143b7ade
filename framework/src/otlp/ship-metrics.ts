import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidArgumentException } from '../base/errors.ts'
import { OtlpExporter } from '../metrics/exporters/otlp.ts'
import { retiredName, snapshotPattern } from '../metrics/fleet-files.ts'
import { membersIn } from '../metrics/fleet-list.ts'
import { SnapshotReader } from '../metrics/snapshot-reader.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { Compressions } from './post.ts'
import { deliver } from './deliver.ts'
import { createShipRequest } from './post.ts'
import { receiverAt } from './receiver.ts'
import { systemClock } from './deliver.ts'
import type { ShipClock } from './deliver.ts'
import { ShipResults } from './deliver.ts'
import type { ShipOutcome } from './deliver.ts'

/** Options of `shipMetrics`. */
export interface ShipOptions {
  /** Folder with the workers' snapshots; all its `.json` files are merged. */
  readonly folder: string
  /**
   * Files older than this many seconds are skipped; 0 skips none. While the server is running, its
   * list of workers decides instead, regardless of age.
   * @default 60
   */
  readonly maxAge?: number
  /**
   * URL of the collector, to which `/v1/metrics` is appended. User info in it is sent as an
   * `Authorization` header.
   * @default 'http://localhost:4318'
   */
  readonly endpoint?: string
  /** The attribute `service.name`. @default 'framework' */
  readonly service?: string
  /** Additional request headers; their values are never shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** Timeout of one attempt in milliseconds; 0 means no limit. @default 10_000 */
  readonly timeoutMs?: number
  /** @default 'none' */
  readonly compression?: Compressions
  /** Epoch seconds when counting started. @default recorded by the server, else the folder's age */
  readonly start?: number
  /** Maximum number of attempts. @default 5 */
  readonly attempts?: number
  /** Seconds after which no further attempt starts. @default 60 */
  readonly retryFor?: number
  /** When it aborts, the current attempt is completed and none follows. */
  readonly signal?: AbortSignal
  /** Replaces the clock, for tests. */
  readonly clock?: ShipClock
  /** Replaces the HTTP client. */
  readonly fetch?: typeof fetch
}

/**
 * Merges the snapshots of a fleet and posts them to a collector as OTLP/HTTP JSON. Retries after a
 * 429, 502, 503 or 504 or without a response, after the delay that the collector requests or an
 * exponential backoff.
 * @throws InvalidArgumentException for invalid options, before anything is read.
 */
export async function shipMetrics(given: ShipOptions): Promise<ShipOutcome> {
  const options = completeShipOptions(given)
  const receiver = receiverAt(options.endpoint, options.headers)
  const json = await readFleet(options)
  if (json === '') return nothingFresh(options)
  return deliver(await createShipRequest(receiver, json, options.compression), options)
}

/** Options with defaults, except for those that are looked up later. */
export type CompleteShipOptions = Required<Omit<ShipOptions, 'start' | 'fetch'>> &
  Pick<ShipOptions, 'start' | 'fetch'>

/** The longest delay that timers support. */
const maxMs = 2_147_483_647

/**
 * Fills in defaults.
 * @throws InvalidArgumentException for an invalid number.
 */
export function completeShipOptions(given: ShipOptions): CompleteShipOptions {
  const options = {
    maxAge: 60,
    endpoint: 'http://localhost:4318',
    service: 'framework',
    headers: {},
    timeoutMs: 10_000,
    compression: Compressions.None,
    attempts: 5,
    retryFor: 60,
    signal: AbortSignal.any([]),
    clock: systemClock,
    ...given,
  }
  checkNumber('maxAge', options.maxAge, 0, Number.MAX_SAFE_INTEGER)
  checkNumber('timeoutMs', options.timeoutMs, 0, maxMs)
  checkNumber('attempts', options.attempts, 1, 1_000)
  checkNumber('retryFor', options.retryFor, 0, maxMs / 1_000)
  return options
}

function checkNumber(name: string, value: number, min: number, max: number): void {
  if (Number.isFinite(value) && value >= min && value <= max) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} must be a number from ${min} to ${max}; got ${value}`,
  )
}

/** The merged snapshots as OTLP JSON; `''` when there are none. */
async function readFleet({ folder, maxAge, service, start }: CompleteShipOptions): Promise<string> {
  const reader = new SnapshotReader(snapshotPattern(folder), maxAge, membersIn(folder))
  const snapshot = await reader.merge()
  if (Object.keys(snapshot.metrics).length === 0) return ''
  const since = start ?? (await fleetStart(folder, snapshot))
  return new OtlpExporter({ service, start: since }).export(snapshot)
}

function nothingFresh({ folder, maxAge }: CompleteShipOptions): ShipOutcome {
  const age = maxAge > 0 ? ` from the last ${maxAge} seconds` : ''
  const notice = `there is no snapshot${age} in ${folder}; is the server running with metrics on?`
  return { result: ShipResults.Empty, status: null, attempts: 0, notice }
}

/** The fallback when the start is unknown: long ago. */
const longAgo = 1

/**
 * Epoch seconds when a fleet started counting: `start` in the file of retired workers, else when the
 * folder was created. It must be the same in every shipment, even after workers were replaced:
 * receivers treat a changed start as a counter reset.
 */
export async function fleetStart(folder: string, { timestamp }: Snapshot): Promise<number> {
  const start = (await recordedStart(folder)) ?? (await creationTime(folder)) ?? longAgo
  return Math.min(start, timestamp)
}

async function recordedStart(folder: string): Promise<number | null> {
  try {
    const document: unknown = JSON.parse(await readFile(join(folder, retiredName), 'utf8'))
    if (typeof document !== 'object' || document === null || !('start' in document)) return null
    return orNull(document.start)
  } catch {
    return null
  }
}

async function creationTime(folder: string): Promise<number | null> {
  try {
    const { birthtimeMs } = await stat(folder)
    // 0 on file systems that do not record it.
    return orNull(birthtimeMs / 1_000)
  } catch {
    return null
  }
}

function orNull(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : null
}
