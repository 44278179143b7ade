// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { Cache, MemoryCache } from '../../src/public/cache.ts'
import type { JsonOf } from '../../src/public/cache.ts'

const cache = new Cache(new MemoryCache())

interface Person {
  readonly name: string
  readonly born: Date
  readonly nick?: string
  readonly tags: readonly ['a', Date]
  readonly greet: () => string
}
declare const ada: Person

const kept = await cache.remember('ada', 60, async () => ada)
export const born: string = kept.born
export const nick: string | undefined = kept.nick
export const tags: readonly ['a', string] = kept.tags
export const count: number = await cache.remember('n', 60, () => 7)
export const names: string[] = await cache.remember('names', 60, () => ['Ada'])
export const none: { id: number } | null = await cache.remember('none', 60, () => null)
export const anything: unknown = await cache.remember('any', 60, (): unknown => 1)

// @ts-expect-error a Date is returned as a string
export const date: Date = kept.born
// @ts-expect-error a method is not returned
kept.greet()
// @ts-expect-error values of a cache are unknown
export const name: string = await cache.get('name')
// @ts-expect-error a value needs an expiry
await cache.set('a', 1)
// @ts-expect-error a bigint cannot be stored
export const big: JsonOf<bigint> = 1n
