export { openDatabase, openStores, storeScopes, type Stores } from '../project/open-stores.ts'

// With them the compiler finds the names of what the stores are made of, for declarations of a project.
// oxlint-disable unicorn/require-module-specifiers
export type {} from './middlewares.ts'
export type {} from './queue.ts'
export type {} from './redis.ts'
export type {} from './sessions.ts'
