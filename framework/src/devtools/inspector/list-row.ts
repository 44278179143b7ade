import { ActivityKinds } from '../../activity/activity.ts'
import { countText, durationText, timeText } from './format.ts'
import { inspectorPath } from './inspector-path.ts'
import type { ListedRecord } from './record-file.ts'

/** A row of the list as text; the script of the page gets the same as JSON. */
export interface ListRow {
  readonly number: number
  readonly href: string
  readonly subject: string
  readonly title: string
  readonly kind: string
  readonly status: string
  /** How its status is shown. */
  readonly tone: Tones
  readonly duration: string
  readonly statements: string
  /** `N+1` if one of them looks like a query in a loop. */
  readonly repeats: string
  readonly time: string
}

export type Tones = 'good' | 'odd' | 'bad'

/** The texts of a row. */
export function listRow(record: ListedRecord): ListRow {
  const { number, kind, subject, title, status, durationMs, statements, repeats, at } = record
  return {
    number,
    href: `${inspectorPath}/${number}`,
    subject,
    // Without parameters it would only repeat the path, and its method always does.
    title: subject.startsWith(title) ? '' : title.replace(/^[A-Z]+ /, ''),
    // Most are requests.
    kind: kind === ActivityKinds.Request ? '' : kind,
    status,
    tone: toneOf(record),
    duration: durationText(durationMs),
    statements: statements === 0 ? '' : countText(statements, 'query', 'queries'),
    repeats: repeats === 0 ? '' : 'N+1',
    time: timeText(at),
  }
}

/** How to show the status of an activity. */
export function toneOf({ status, failed }: { status: string; failed: boolean }): Tones {
  if (failed) return 'bad'
  return /^4\d\d$/.test(status) || status === 'gone' ? 'odd' : 'good'
}
