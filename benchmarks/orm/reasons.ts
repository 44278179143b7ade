import { clients, type Contests, databases, type Databases } from './contests.ts'
import { ratioOf, type Results, samplesOf } from './results.ts'
import { contestsOf, maxRatioToBare } from './targets.ts'

/** Why we take longer than SQL by hand in a contest: what we do that it does not. */
const reasons: Readonly<Partial<Record<Contests, string>>> = {
  'nested-with':
    'SQL by hand joins posts, comments and authors in one statement and knows how to take its rows apart. We send one ' +
    'statement for each relation, one after the other, since each needs the keys of the rows before it: three ways to ' +
    'the database instead of one, whose number does not depend on the number of rows.',
  aggregate:
    'Groups come in an order that is the same on every database, which has to sort them, and values are read by the ' +
    'kind of their column, so that a sum is a number, a bigint or an exact text everywhere, and is refused beyond the ' +
    'exact integers; SQL by hand trusts its columns and takes groups as they come.',
  'insert-many':
    'Every value is checked against its column before anything is sent, rows are written in statements of a limited ' +
    'size within one transaction, and all columns are read back as they were stored. SQL by hand sends the columns as ' +
    'arrays on PostgreSQL, and on SQLite it reads back nothing but the key.',
  upsert:
    'What the statement is made of is put together and its values are checked for each call, and the row that comes back is ' +
    'read by the kinds of its columns; SQL by hand has the statement as a constant and trusts both.',
  'upsert-many':
    'Rows are compared with each other first, because databases disagree about two rows with the same key in one list, ' +
    'and the rows that come back are put into the order of the list.',
  increment:
    'The statement is put together for each call, with a condition that keeps the sum in the range of its column. ' +
    'Where an UPDATE returns no rows, as on MariaDB, the update and the read are a transaction of two round trips, so ' +
    'that the row is the one that the update left; SQL by hand sends both at once and takes what is there.',
}

/** A sentence for each contest in which we miss the limit, or in which another library is ahead. */
export function reasonsSection(results: Results): string {
  const lines = [...results.scores.keys()].flatMap((database) =>
    contestsOf(results, database).flatMap((contest) => reasonOf(results, database, contest)),
  )
  const text = lines.length === 0 ? 'There is nothing to explain in this run.' : lines.join('\n')
  return `## Why\n\n${text}`
}

function reasonOf(results: Results, database: Databases, contest: Contests): readonly string[] {
  const ours = samplesOf(results, database, contest, 'ours')
  const toBare = ratioOf(ours, samplesOf(results, database, contest, 'bare'), 'latencyMicros')
  const isSlow = toBare !== null && toBare.median > maxRatioToBare
  const ahead = [...(results.scores.get(database)?.get(contest)?.keys() ?? [])].filter((client) => {
    if (client === 'ours' || client === 'bare') return false
    const ratio = ratioOf(samplesOf(results, database, contest, client), ours, 'latencyMicros')
    return ratio !== null && ratio.median <= 1
  })
  if (!isSlow && ahead.length === 0) return []
  const what = [
    ...(isSlow ? [`${toBare.median.toFixed(2)} × SQL by hand`] : []),
    ...ahead.map((client) => `behind ${clients[client]}`),
  ]
  const why = reasons[contest] ?? 'No reason is known.'
  return [`- ${databases[database]}, ${contest} (${what.join(', ')}): ${why}`]
}
