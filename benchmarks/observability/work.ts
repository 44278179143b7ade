/** What the bare servers answer: one statement in SQLite, then a short JSON document. */
export const bareWork = {
  path: '/orders/42',
  route: '/orders/:id',
  answer: '{"id":42,"item":"tea","total":1250}',
  /** Creates the table of the statement, and its rows. */
  creating: [
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT NOT NULL, total INTEGER NOT NULL)',
    "INSERT INTO orders (id, item, total) VALUES (41, 'milk', 320), (42, 'tea', 1250)",
  ],
  reading: 'SELECT id, item, total FROM orders WHERE id = ?',
} as const

/** What the servers of a page answer: the first items of the demo, as a table. */
export const pageWork = {
  path: '/items',
  /** Rows of the table. */
  rows: 10,
  /** What the first of them shows. */
  firstName: 'Ash bench',
  counting: 'SELECT COUNT(*) AS total FROM items',
  reading:
    'SELECT name, category, price, stock, created_at FROM items ORDER BY name, id LIMIT ? OFFSET ?',
} as const
