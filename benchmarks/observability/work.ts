/** The request that a bare server answers: one statement in SQLite, then a short JSON document. */
export const path = '/orders/42'

/** The page of the demo. */
export const pagePath = '/items'

/** The route of that request. */
export const route = '/orders/:id'

/** The response of every bare server. */
export const answer = '{"id":42,"item":"tea","total":1250}'

/** Creates the table of the statement, and its rows. */
export const creating: readonly string[] = [
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT NOT NULL, total INTEGER NOT NULL)',
  "INSERT INTO orders (id, item, total) VALUES (41, 'milk', 320), (42, 'tea', 1250)",
]

/** The statement. */
export const reading = 'SELECT id, item, total FROM orders WHERE id = ?'
