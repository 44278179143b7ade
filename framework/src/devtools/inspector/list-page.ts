import { ActivityKinds } from '../../activity/activity.ts'
import type { ToolFrame } from '../tools.ts'
import { countText, durationText, timeText, toneOf } from './format.ts'
import { inspectorPath } from './inspector-path.ts'
import { documentOf } from './page-frame.ts'
import { maxKept, maxOfRoute, maxRecords } from './record-file.ts'
import type { ListedRecord, RecordSearch } from './record-file.ts'

/** What the list shows. */
export interface ListView extends Required<RecordSearch> {
  readonly records: readonly ListedRecord[]
  readonly frame: ToolFrame
  /** Whether these are the requests that a site in production keeps. */
  readonly areKept: boolean
}

const kindNames: Readonly<Record<ActivityKinds, string>> = {
  request: 'Requests',
  job: 'Jobs',
  command: 'Commands',
  task: 'Tasks',
}

/** The list of what happened, newest first. Its script adds what comes. */
export function listPage({ frame, ...view }: ListView): string {
  const values = { ...view, kindNames, listRow, maxKept, maxOfRoute, maxRecords }
  return documentOf({ title: 'Inspector', view: 'list', values, frame, data: {} })
}

/** The texts of a row: where it leads, the tone of its status, and its cells. The script gets the same. */
export function listRow(record: ListedRecord): readonly string[] {
  const { number, kind, subject, title, status, durationMs, statements, at } = record
  return [
    `${inspectorPath}/${number}`,
    toneOf(record),
    subject,
    // Most are requests.
    kind === ActivityKinds.Request ? '' : kind,
    // Without parameters it would only repeat the path, and its method always does.
    subject.startsWith(title) ? '' : title.replace(/^[A-Z]+ /, ''),
    record.thrown,
    record.repeats === 0 ? '' : 'N+1',
    record.slow,
    status,
    durationText(durationMs),
    statements === 0 ? '' : countText(statements, 'query', 'queries'),
    timeText(at),
  ]
}
