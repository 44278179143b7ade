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
  /** Occurrences in each of the last 24 hours, the oldest first. */
  readonly hours: readonly number[]
}

/** Why a group is worth telling somebody about. */
export type NewsKinds = 'new' | 'returned' | 'spike'

/** Something about a group that nobody has been told yet. */
export interface ErrorNews {
  readonly kind: NewsKinds
  readonly group: ErrorGroup
}

/** A group with everything that is known about it. */
export interface ErrorDetails {
  readonly group: ErrorGroup
  readonly accounts: readonly string[]
  readonly titles: readonly string[]
  readonly releases: readonly string[]
  /** Newest first. */
  readonly samples: readonly { readonly id: string; readonly sample: ErrorSample }[]
}

/** Which groups to list. */
export interface ErrorQuery {
  readonly state: ErrorStates
  /** Words of class, message, code, place, route, release or account, in any letter case; empty for all. */
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
  /** How many match in each state. */
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
