import type { TestEvent } from 'node:test/reporters'
import { outcomeOf } from './outcome.ts'

/** The reporter for `--test-reporter`: one JSON line per event that decides something. */
export default async function* outcomeLines(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of events) {
    const outcome = outcomeOf(event)
    if (outcome !== null) yield `${JSON.stringify(outcome)}\n`
  }
}
