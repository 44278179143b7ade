import { feedComments, feedPosts } from '../blog.ts'

/** The feed in one statement, for databases without LATERAL; its only value is the first key. */
export const joinedFeed: string =
  `WITH p AS (SELECT id, title FROM posts WHERE id >= ? ORDER BY id LIMIT ${feedPosts}),` +
  ' c AS (SELECT comments.id, post_id, body, score, author_id,' +
  ' ROW_NUMBER() OVER (PARTITION BY post_id ORDER BY comments.id DESC) AS place' +
  ' FROM p JOIN comments ON comments.post_id = p.id)' +
  ' SELECT p.id, p.title, c.id, c.body, c.score, a.id, a.name FROM p' +
  ` LEFT JOIN c ON c.post_id = p.id AND c.place <= ${feedComments}` +
  ' LEFT JOIN authors a ON a.id = c.author_id ORDER BY p.id, c.id DESC'

/** The tally; its values are the first key and the one that is no longer counted. */
export const tallySql: string =
  'SELECT author_id, COUNT(*), SUM(score), MAX(score) FROM comments' +
  ' WHERE post_id >= ? AND post_id < ? GROUP BY author_id'
