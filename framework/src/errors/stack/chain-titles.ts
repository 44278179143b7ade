import type { Relations } from './error-chain.ts'

/** How reports introduce an error of a chain. */
export const chainTitles: Readonly<Record<Relations, string>> = Object.freeze({
  thrown: 'Thrown',
  cause: 'Caused by',
  aggregated: 'Together with',
})
