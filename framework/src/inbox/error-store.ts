import type { ErrorSample } from './error-sample.ts'

/** What was decided about a group of errors. */
export const ErrorStates = { Open: 'open', Resolved: 'resolved', Muted: 'muted' } as const
Object.freeze(ErrorStates)
export type ErrorStates = (typeof ErrorStates)[keyof typeof ErrorStates]

/** Orders of the list, the highest first. */
export const ErrorOrders = { LastSeen: 'last', Count: 'count' } as const
Object.freeze(ErrorOrders)
export type ErrorOrders = (typeof ErrorOrders)[keyof typeof ErrorOrders]

/** Occurrences of one group that are stored together. Secrets are redacted and sizes are bounded. */
export interface ErrorBatch {
  readonly fingerprint: string
  readonly class: string
  readonly message: string
  readonly code: string | null
  /** The nearest call in the project's own code. */
  readonly place: string
  readonly count: number
  /** Epoch milliseconds of the first and the last occurrence. */
  readonly firstMs: number
  readonly lastMs: number
  /** Empty if unknown. */
  readonly release: string
  /** Ids of affected accounts. */
  readonly accounts: readonly string[]
  /** Routes, queues and commands in which it occurred. */
  readonly titles: readonly string[]
  readonly sample: ErrorSample | null
}

/** A group of errors of one cause. */
export interface ErrorGroup {
  readonly fingerprint: string
  readonly class: string
  /** Of the last occurrence. */
  readonly message: string
  readonly code: string | null
  readonly place: string
  readonly state: ErrorStates
  readonly count: number
  /** Epoch seconds. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly firstRelease: string
  readonly lastRelease: string
  /** When it was resolved; null if it is not. */
  readonly resolvedAt: number | null
  /** The release whose occurrences do not bring it back; null if all do. */
  readonly resolvedRelease: string | null
  /** When it occurred again after it had been resolved; null if it did not. */
  readonly returnedAt: number | null
  readonly returnedRelease: string | null
  /** Number of affected accounts, up to `ErrorLimits.accounts`. */
  readonly accounts: number
}

/** A group with everything that is known about it. */
export interface ErrorDetails {
  readonly group: ErrorGroup
  readonly accounts: readonly string[]
  readonly titles: readonly string[]
  readonly releases: readonly string[]
  /** Newest first. */
  readonly samples: readonly StoredSample[]
}

/** A sample with its id. */
export interface StoredSample {
  readonly id: string
  readonly sample: ErrorSample
}

/** Which groups to list. */
export interface ErrorQuery {
  readonly state: ErrorStates
  /** Part of a class, message, code or place, in any letter case; empty for all. */
  readonly search: string
  readonly order: ErrorOrders
  readonly offset: number
  readonly limit: number
}

/** A page of groups. */
export interface ErrorList {
  readonly groups: readonly ErrorGroup[]
  /** How many match the query. */
  readonly matching: number
  /** How many there are in each state. */
  readonly totals: Readonly<Record<ErrorStates, number>>
}

/** How much is kept. */
export const ErrorLimits = {
  groups: 1_000,
  /** Of each group. */
  samples: 20,
  accounts: 100,
  titles: 20,
  releases: 20,
  /** In seconds: 30 days. */
  age: 2_592_000,
} as const
Object.freeze(ErrorLimits)

/** Where groups of errors are kept. However many processes call it at once, every change has one winner. */
export interface ErrorStore {
  /** Adds occurrences. Resolves with the group if they brought it back after it had been resolved. */
  record(batch: ErrorBatch): Promise<ErrorGroup | null>
  list(query: ErrorQuery): Promise<ErrorList>
  /** Null if there is no such group. */
  find(fingerprint: string): Promise<ErrorDetails | null>
  /**
   * Resolves a group; it comes back when it occurs later, in another release if one is given. False
   * if it is unknown or was resolved already.
   */
  resolve(fingerprint: string, release: string | null): Promise<boolean>
  /** Keeps counting, but never comes back. False if it is unknown or was muted already. */
  mute(fingerprint: string): Promise<boolean>
  /** Opens a resolved or muted group. False if it is unknown or was open already. */
  reopen(fingerprint: string): Promise<boolean>
  /** Deletes what is older than `ErrorLimits.age`; resolves with the number of rows. */
  sweep(): Promise<number>
  /** Whether the database is away, and not just this batch refused. */
  isUnavailable(error: unknown): boolean
}
