import { messageOf } from '../../../base/message-of.ts'
import { toError } from '../../../base/to-error.ts'
import type { Database } from '../../../database/surface.ts'

/** Asks a database for a plan. */
export type Explain = (database: Database, select: string) => Promise<readonly string[]>

/**
 * The plan of a statement as text. A record does not say which of a project's databases ran it, so the
 * first one that can plan it answers. If none can, the text is their reason.
 */
export async function explainedText(
  databases: readonly Database[],
  select: string,
  explain: Explain,
): Promise<string> {
  let reason = 'the project has no database among its services'
  for (const database of databases) {
    try {
      const lines = await explain(database, select)
      return lines.length === 0 ? 'the database returned no plan' : lines.join('\n')
    } catch (thrown) {
      reason = messageOf(toError(thrown))
    }
  }
  return reason
}
