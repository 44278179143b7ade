import type { Contests } from '../contests.ts'

/** One piece of work that a contest repeats. */
export interface Work {
  /** Does it that often. The loop stands beside the library's call, so that V8 may join them. */
  run(times: number): void | Promise<void>
  /** What shows that it was done: the total of a counter, the count of a histogram, a scrape. */
  result(): number | string | Promise<number | string>
}

/** What a library does in the contests it takes part in. */
export type Works = Readonly<Partial<Record<Contests, Work>>>
