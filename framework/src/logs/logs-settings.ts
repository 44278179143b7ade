import { Environments } from '../settings/environments.ts'
import { env } from '../settings/env.ts'
import type { Variable } from '../settings/variable.ts'

/** Which requests the request log has a line for. */
export const RequestLogModes = ['off', 'errors', 'slow', 'all'] as const
Object.freeze(RequestLogModes)
export type RequestLogMode = (typeof RequestLogModes)[number]

/** How the request log shows a client's address: its network, the whole address, or not at all. */
export const RequestLogPeers = ['network', 'full', 'off'] as const
Object.freeze(RequestLogPeers)
export type RequestLogPeer = (typeof RequestLogPeers)[number]

/** The settings of the channels `requests` and `queries`, part of the scope `server`. */
export const logVariables: {
  readonly requestLog: Variable<RequestLogMode | null>
  readonly requestLogPeer: Variable<RequestLogPeer>
  readonly slowQueryMs: Variable<number>
  readonly nPlusOne: Variable<number | null>
} = Object.freeze({
  requestLog: env.optional(
    env.choice('REQUEST_LOG', RequestLogModes, {
      meaning:
        'requests in the log: off, errors (status 500 and above), slow (also 1 s and above) or all; by default all, off in test',
    }),
  ),
  requestLogPeer: env.choice('REQUEST_LOG_PEER', RequestLogPeers, {
    default: 'network',
    meaning: 'client address in the request log: its network, full or off',
  }),
  slowQueryMs: env.integer('SLOW_QUERY_MS', {
    default: 200,
    min: 0,
    meaning: 'milliseconds from which a statement is logged as slow; 0 turns it off',
  }),
  nPlusOne: env.optional(
    env.integer('N_PLUS_ONE', {
      min: 0,
      meaning:
        'how often a statement from one line in one request is logged as N+1; 0 turns it off; by default 4 in development, otherwise 0',
    }),
  ),
})

/** The repetition from which a statement counts as N+1, where nothing else is set. */
export const defaultRepeats = 4

/** The requests that are logged, which depends on the environment unless it is set. */
export function requestLogMode(
  mode: RequestLogMode | null,
  environment: Environments,
): RequestLogMode {
  return mode ?? (environment === Environments.Test ? 'off' : 'all')
}

/** The repetitions that are logged, which depend on the environment unless they are set. */
export function loggedRepeats(repeats: number | null, environment: Environments): number {
  return repeats ?? (environment === Environments.Development ? defaultRepeats : 0)
}
