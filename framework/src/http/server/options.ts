import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { invalidArgument } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import type { Views } from '../../base/templates/views.ts'
import type * as Days from '../../i18n/day.ts'
import { trustPeers } from '../request/peer.ts'
import type { Peers } from '../request/peer.ts'
import type { TlsOptions } from './engine/engine.ts'
import { completeLimits } from './engine/limits.ts'
import type { Limits } from './engine/limits.ts'

const loadDays = lateModule<typeof Days>(import.meta, '../../i18n/day')

/** Options of `server.configure`. */
export interface ServerOptions {
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string
  /** Port to listen on; 0 lets the system choose. */
  readonly port?: number
  /** Number of processes; 1 handles requests in this process, `auto` is one per core. */
  readonly workers?: number | 'auto'
  /** Path of the native health probe; null turns it off. */
  readonly health?: string | null
  readonly tls?: TlsOptions | null
  readonly limits?: Partial<Limits>
  /**
   * Bytes that all uploads in flight may take up on disk, in all workers together; beyond it an upload
   * gets a 503.
   * @default 268_435_456, which is 256 MiB
   */
  readonly uploadBudget?: number
  /**
   * Event streams that may be open at once in each worker; beyond it a request for one gets a 503. 0 for
   * no limit.
   * @default 10_000
   */
  readonly eventStreams?: number
  /** The same for one client, which gets a 429. @default 200 */
  readonly eventStreamsPerPeer?: number
  /**
   * Seconds of silence after which an event stream sends a comment, so that proxies keep its connection.
   * @default 15
   */
  readonly eventHeartbeat?: number
  /** Addresses and networks of proxies whose forwarded headers are trusted. */
  readonly trustedProxies?: readonly string[]
  /** Public URL of the site, such as `https://shop.example`. */
  readonly url?: string | null
  /** The time zone of those who have chosen none, such as `Europe/Berlin`. @default 'UTC' */
  readonly timeZone?: string
  readonly views?: Views | null
  /** Seconds for which requests in flight may finish when the server closes. */
  readonly drainTimeout?: number
  /**
   * Seconds for which requests are still accepted after a stop signal, while `/ready` is already 503, so
   * that load balancers can switch to other servers.
   * @default 0
   */
  readonly drainDelay?: number
  /** Where workers write their metrics. */
  readonly observability?: Partial<ObservabilitySettings>
  /**
   * Folder for diagnostic reports of processes that crashed, such as by running out of memory. Without
   * one, workers use a temporary folder and a single process writes no report.
   */
  readonly reports?: string | null
  /**
   * File of the slowest and the failed requests, which `ErrorInboxRoutes` shows; null keeps none.
   * @default null
   */
  readonly keptRequests?: string | null
}

/** Where and how often the workers of a server write their metrics, and who may see them. */
export interface ObservabilitySettings {
  /** Absolute path. */
  readonly folder: string
  /** Seconds between two dumps of a worker. */
  readonly interval: number
  /** Files older than this many seconds are ignored. */
  readonly maxAge: number
  /**
   * Opens `/metrics` and `/ready` to clients outside private networks that send it as a bearer token.
   * @default null
   */
  readonly token: string | null
}

/** The same, complete and validated: inside the server nothing is optional. */
export interface CompleteOptions extends Required<
  Omit<ServerOptions, 'workers' | 'limits' | 'trustedProxies' | 'observability'>
> {
  readonly workers: number
  readonly limits: Limits
  readonly peers: Peers
  readonly observability: ObservabilitySettings
}

/** Merges the options of two `configure` calls; later values win. */
export function mergeOptions(earlier: ServerOptions, later: ServerOptions): ServerOptions {
  return {
    ...earlier,
    ...later,
    limits: { ...earlier.limits, ...later.limits },
    observability: { ...earlier.observability, ...later.observability },
  }
}

/** @throws InvalidArgumentException that names the option, what it accepts and what it got. */
export function completeOptions(given: ServerOptions): CompleteOptions {
  const {
    host = '127.0.0.1',
    port = 8087,
    workers = 1,
    health = null,
    tls = null,
    uploadBudget = 268_435_456,
    eventStreams = 10_000,
    eventStreamsPerPeer = 200,
    eventHeartbeat = 15,
    drainTimeout = 30,
    drainDelay = 0,
    reports = null,
    keptRequests = null,
    url = null,
    timeZone = 'UTC',
  } = given
  check(Number.isInteger(port) && port >= 0 && port <= 65_535, 'port', '0 to 65535', port)
  check(
    workers === 'auto' || (Number.isInteger(workers) && workers >= 1 && workers <= 1024),
    'workers',
    '1 to 1024 or "auto"',
    workers,
  )
  check(host !== '', 'host', 'an address or a host name', host)
  check(
    health === null || /^\/[^?#\s]*$/.test(health),
    'health',
    'a path such as "/health", or null',
    health,
  )
  check(
    Number.isSafeInteger(uploadBudget) && uploadBudget >= 0,
    'uploadBudget',
    'a whole number of bytes, 0 or more',
    uploadBudget,
  )
  checkCount('eventStreams', eventStreams)
  checkCount('eventStreamsPerPeer', eventStreamsPerPeer)
  checkInterval('eventHeartbeat', eventHeartbeat)
  checkSeconds('drainTimeout', drainTimeout)
  checkSeconds('drainDelay', drainDelay)
  check(
    url === null || /^https?:$/.test(URL.parse(url)?.protocol ?? ''),
    'url',
    'a URL that begins with "http://" or "https://", or null',
    url,
  )
  check(
    timeZone === 'UTC' || loadDays().isTimeZone(timeZone),
    'timeZone',
    'a time zone such as Europe/Berlin',
    timeZone,
  )
  check(reports !== '', 'reports', 'a folder, or null', reports)
  check(keptRequests !== '', 'keptRequests', 'a file, or null', keptRequests)
  return {
    host,
    port,
    workers: workers === 'auto' ? availableParallelism() : workers,
    health,
    tls,
    limits: completeLimits(given.limits),
    uploadBudget,
    eventStreams,
    eventStreamsPerPeer,
    eventHeartbeat,
    peers: trustPeers(given.trustedProxies ?? []),
    url,
    timeZone,
    views: given.views ?? null,
    drainTimeout,
    drainDelay,
    observability: completeObservability(given.observability),
    reports: reports === null ? null : resolve(reports),
    keptRequests: keptRequests === null ? null : resolve(keptRequests),
  }
}

function completeObservability(given: Partial<ObservabilitySettings> = {}): ObservabilitySettings {
  const { folder = 'storage/observability', interval = 10, maxAge = 60, token = null } = given
  checkInterval('observability.interval', interval)
  checkSeconds('observability.maxAge', maxAge)
  check(token !== '', 'observability.token', 'a text, or null', token)
  return { folder: resolve(folder), interval, maxAge, token }
}

function checkCount(option: string, count: number): void {
  check(Number.isSafeInteger(count) && count >= 0, option, 'a whole number, 0 or more', count)
}

function checkSeconds(option: string, seconds: number): void {
  check(Number.isFinite(seconds) && seconds >= 0, option, 'seconds of zero or more', seconds)
}

function checkInterval(option: string, seconds: number): void {
  check(Number.isFinite(seconds) && seconds > 0, option, 'seconds above zero', seconds)
}

function check(holds: boolean, option: string, expected: string, got: unknown): void {
  if (holds) return
  throw invalidArgument(
    `server option "${option}" must be ${expected}, got ${typeof got === 'number' ? got : JSON.stringify(got)}`,
  )
}
