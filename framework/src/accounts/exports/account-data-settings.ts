import { env } from '../../settings/env.ts'
import { scope } from '../../settings/scope.ts'
import type { ConfigScope, ValuesOf } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'

/** The settings for deleting and exporting accounts. Times are in seconds. */
export type AccountDataScope = ConfigScope<{
  readonly deletionDelay: Variable<number>
  readonly exportTtl: Variable<number>
  readonly exportQueue: Variable<boolean>
}>

/** The values of the scope `data`. */
export type AccountDataValues = ValuesOf<AccountDataScope>

const hour = 3600
const day = 86_400

/** The scope `data`: when accounts are deleted, and how their data is exported. */
export const accountDataScope: AccountDataScope = scope('data', {
  // Longer than the 72 hours in which a stolen account can be taken back.
  deletionDelay: env.integer('DELETION_DELAY', {
    default: 7 * day,
    min: 4 * day,
    max: 90 * day,
    meaning: 'seconds between the request to delete an account and its deletion',
  }),
  exportTtl: env.integer('EXPORT_TTL', {
    default: 2 * day,
    min: hour,
    max: 30 * day,
    meaning: 'seconds for which an exported file can be downloaded',
  }),
  exportQueue: env.boolean('EXPORT_QUEUE', {
    default: false,
    meaning: 'leave exports to `framework queue run exports`',
  }),
})
