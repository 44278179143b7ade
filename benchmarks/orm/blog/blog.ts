/** A comment with its author, as every library has to give it. */
export interface FeedComment {
  readonly id: bigint
  readonly body: string
  readonly score: number
  readonly author: { readonly id: bigint; readonly name: string }
}

/** A post with its newest comments, the newest first. */
export interface FeedPost {
  readonly id: bigint
  readonly title: string
  readonly comments: readonly FeedComment[]
}

/** What one author wrote: how many comments, the sum of their scores and the best one. */
export interface Tally {
  readonly authorId: bigint
  readonly comments: number
  readonly score: number
  readonly best: number
}

/** An event to be inserted. */
export interface NewEvent {
  readonly name: string
  readonly amount: number
  readonly at: Date
}

/** An event as stored. */
export interface StoredEvent extends NewEvent {
  readonly id: bigint
}

/** A counter to be written; its name is unique. */
export interface NewCounter {
  readonly name: string
  readonly hits: number
}

/** A counter as stored. */
export interface Counter extends NewCounter {
  readonly id: bigint
}

type Answer<Value> = Value | Promise<Value>

/** How one library reads and writes the tables of a blog. All do the same work. */
export interface Blog {
  /** Twenty posts from a key on, each with its three newest comments and their authors. */
  feed(from: bigint): Answer<readonly FeedPost[]>
  /** The comments of 200 posts from a key on, by author, in no particular order. */
  tally(from: bigint): Answer<readonly Tally[]>
  /** Inserts all events or none and returns them. */
  insertMany(events: readonly NewEvent[]): Answer<readonly StoredEvent[]>
  /** Inserts a counter, or sets the hits of the one with that name, and returns it. */
  upsert(counter: NewCounter): Answer<Counter>
  /** The same with many of them; null for a library that has no such thing. */
  readonly upsertMany: ((counters: readonly NewCounter[]) => Answer<readonly Counter[]>) | null
  /** Adds to the hits in the database and returns the counter. */
  increment(id: bigint, by: number): Answer<Counter>
}

/** Connects a library to the database with this URL. */
export type OpenBlog = (url: string) => Promise<Blog>

/** Posts in a feed, and comments of each. */
export const feedPosts = 20
export const feedComments = 3

/** Posts whose comments are counted. */
export const talliedPosts = 200
