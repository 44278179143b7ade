import { isTimeZone } from '../../i18n/day.ts'
import { Levels } from '../../logs/level.ts'
import type { Level } from '../../logs/level.ts'
import { isReleaseName } from '../../settings/release.ts'
import { env } from '../../settings/env.ts'
import { logVariables } from '../../logs/logs-settings.ts'
import { scope } from '../../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../../settings/scope.ts'
import type { Variable, VariableKind } from '../../settings/variable.ts'

/** The values of the framework's own settings. */
export type ServerValues = ValuesOf<typeof serverScope>

const workerCount: VariableKind<number | 'auto'> = {
  expects: 'a whole number from 1 to 1024, or "auto" for one per processor',
  parse(text) {
    if (text === 'auto') return text
    const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
    return count >= 1 && count <= 1024 ? count : undefined
  },
}

const healthPath: VariableKind<string | null> = {
  expects: 'a path that begins with "/", or nothing to turn the probe off',
  acceptsEmpty: true,
  parse(text) {
    if (text === '') return null
    return /^\/[\x21-\x7e]*$/.test(text) && !/[?#]/.test(text) ? text : undefined
  },
}

const bearerToken: VariableKind<string | null> = {
  expects: 'at least 16 letters, digits and signs of "-._~+/=", or nothing',
  acceptsEmpty: true,
  parse(text) {
    if (text === '') return null
    return /^[\w.~+/=-]{16,}$/.test(text) ? text : undefined
  },
}

// A path, a query or a user would be missing in the links that are made of it.
const siteUrl: VariableKind<string> = {
  expects: 'the address of a site without a path or query, such as https://shop.example',
  parse(text) {
    const url = URL.parse(text)
    const isSite = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    return isSite ? text : undefined
  },
}

const releaseName: VariableKind<string> = {
  expects: 'up to 100 visible characters, such as 1.4.2 or a commit',
  acceptsEmpty: true,
  parse: (text) => (isReleaseName(text) ? text : undefined),
}

const timeZone: VariableKind<string> = {
  expects: 'a time zone such as Europe/Berlin, or UTC',
  parse: (text) => (isTimeZone(text) ? text : undefined),
}

/** The scope `server`: where a project listens and how it runs. */
export const serverScope: ConfigScope<
  Readonly<
    Record<'host' | 'url' | 'release' | 'timeZone' | 'observabilityFolder', Variable<string>> &
      Record<
        'port' | 'uploadBudget' | 'securityLogLines' | 'drain' | 'drainDelay',
        Variable<number>
      > &
      Record<'eventStreams' | 'eventStreamsPerPeer' | 'eventHeartbeat', Variable<number>> &
      Record<'observabilityInterval' | 'observabilityMaxAge', Variable<number>> &
      Record<
        'logFile' | 'schedule' | 'debugRemote' | 'devBadge' | 'keepRequests',
        Variable<boolean>
      > &
      Record<'health' | 'metricsToken', Variable<string | null>> &
      typeof logVariables
  > & {
    readonly workers: Variable<number | 'auto'>
    readonly trustedProxies: Variable<readonly string[]>
    readonly logLevel: Variable<Level>
  }
> = scope('server', {
  host: env.string('HOST', {
    default: '127.0.0.1',
    meaning: 'address to listen on; 0.0.0.0 for all',
  }),
  port: env.port('PORT', { default: 8087, meaning: 'port to listen on' }),
  workers: env.custom('WORKERS', workerCount, {
    default: 1,
    meaning: 'number of worker processes',
  }),
  health: env.custom('HEALTH_PATH', healthPath, {
    default: '/health',
    meaning: 'path of the health probe; empty turns it off',
  }),
  uploadBudget: env.integer('UPLOAD_BUDGET', {
    min: 0,
    default: 268_435_456,
    meaning: 'bytes that all uploads in flight may take up on disk, in all workers together',
  }),
  eventStreams: env.integer('EVENT_STREAMS', {
    min: 0,
    default: 10_000,
    meaning: 'event streams that may be open at once in each worker; 0 for no limit',
  }),
  eventStreamsPerPeer: env.integer('EVENT_STREAMS_PER_PEER', {
    min: 0,
    default: 200,
    meaning: 'the same for one client; 0 for no limit',
  }),
  eventHeartbeat: env.seconds('EVENT_HEARTBEAT', {
    min: 1,
    max: 3_600,
    default: 15,
    meaning: 'seconds of silence after which an event stream sends a comment',
  }),
  trustedProxies: env.list('TRUSTED_PROXIES', {
    default: Object.freeze([]),
    meaning: 'addresses or networks whose forwarded headers are trusted',
  }),
  url: env.custom('APP_URL', siteUrl, {
    default: 'http://localhost:8087',
    meaning:
      'public address of the site, without a path or query; by default the address it listens on',
  }),
  release: env.custom('APP_RELEASE', releaseName, {
    default: '',
    meaning: 'release that runs; by default the version in package.json',
  }),
  timeZone: env.custom('APP_TIMEZONE', timeZone, {
    default: 'UTC',
    meaning: 'time zone of people who have chosen none, and of the schedule',
  }),
  logLevel: env.choice('LOG_LEVEL', Levels, {
    default: 'info',
    meaning: 'lowest level that is logged',
  }),
  logFile: env.boolean('LOG_FILE', { default: false, meaning: 'log to storage/logs as well' }),
  securityLogLines: env.integer('SECURITY_LOG_LINES', {
    default: 10,
    min: 0,
    max: 1_000,
    meaning: 'lines a minute of one kind and network in the security log; 0 turns it off',
  }),
  ...logVariables,
  drain: env.seconds('DRAIN', {
    default: 30,
    meaning: 'seconds that requests in flight get to finish at shutdown',
  }),
  drainDelay: env.seconds('DRAIN_DELAY', {
    default: 0,
    meaning: 'seconds after a stop signal in which requests are still accepted while /ready fails',
  }),
  schedule: env.boolean('SCHEDULE', {
    default: false,
    meaning: 'run the tasks of the schedule in the server, without `framework schedule run`',
  }),
  debugRemote: env.boolean('DEBUG_REMOTE', {
    default: false,
    meaning: 'in development, show error details to other machines too',
  }),
  devBadge: env.boolean('DEV_BADGE', {
    default: true,
    meaning: 'in development, show on each page how long it took and what it asked databases',
  }),
  keepRequests: env.boolean('KEEP_REQUESTS', {
    default: false,
    meaning:
      'outside development, keep the slowest and the failed requests of a day with their steps',
  }),
  observabilityFolder: env.string('FRAMEWORK_OBSERVABILITY_DIR', {
    default: 'storage/observability',
    meaning: 'folder in which workers share their metrics',
  }),
  observabilityInterval: env.seconds('FRAMEWORK_OBSERVABILITY_INTERVAL', {
    default: 10,
    meaning: 'seconds between two snapshots of a worker',
  }),
  observabilityMaxAge: env.seconds('FRAMEWORK_OBSERVABILITY_MAXAGE', {
    default: 60,
    meaning: 'seconds after which a snapshot is too old to count',
  }),
  metricsToken: env.custom('METRICS_TOKEN', bearerToken, {
    default: null,
    secret: true,
    meaning: 'bearer token for /metrics and /ready from outside private networks',
  }),
})
