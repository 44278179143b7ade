import type { FeedComment, FeedPost } from '../blog.ts'

/** A value of a driver that may be exact or a text. */
export type Whole = string | number | bigint

/** A row of posts joined with their comments and authors. */
export type FlatFeedRow = readonly [
  post: Whole,
  title: string,
  comment: Whole,
  body: string,
  score: Whole,
  author: Whole,
  name: string,
]

/** Posts of joined rows, which are in the order of the feed. */
export function feedOf(rows: readonly FlatFeedRow[]): readonly FeedPost[] {
  const posts: (FeedPost & { readonly comments: FeedComment[] })[] = []
  let last: Whole | null = null
  let comments: FeedComment[] = []
  for (const [post, title, comment, body, score, author, name] of rows) {
    if (post !== last) {
      comments = []
      last = post
      posts.push({ id: BigInt(post), title, comments })
    }
    // A post without comments has one row, without a comment.
    if (comment === null) continue
    comments.push({
      id: BigInt(comment),
      body,
      score: Number(score),
      author: { id: BigInt(author), name },
    })
  }
  return posts
}

/** A comment of a query builder. */
export interface CommentRow {
  readonly id: Whole
  readonly postId: Whole
  readonly body: string
  readonly score: Whole
  readonly authorId: Whole
  readonly authorName: string
}

/** Puts comments, the newest first, onto their posts. */
export function assembleFeed(
  posts: readonly { readonly id: Whole; readonly title: string }[],
  rows: readonly CommentRow[],
): readonly FeedPost[] {
  const comments = new Map<string, FeedComment[]>()
  for (const { id, postId, body, score, authorId, authorName } of rows) {
    const comment = {
      id: BigInt(id),
      body,
      score: Number(score),
      author: { id: BigInt(authorId), name: authorName },
    }
    const others = comments.get(String(postId))
    if (others === undefined) comments.set(String(postId), [comment])
    else others.push(comment)
  }
  return posts.map(({ id, title }) => ({
    id: BigInt(id),
    title,
    comments: comments.get(String(id)) ?? [],
  }))
}

/** Rows in the order of their names. */
export function inOrder<Row extends { readonly name: string }>(
  rows: readonly Row[],
  names: readonly string[],
): readonly Row[] {
  const places = new Map(names.map((name, place) => [name, place]))
  const placeOf = ({ name }: Row): number => places.get(name) ?? 0
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other))
}
