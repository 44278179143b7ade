import type { ActivityRecord } from '../../src/devtools/inspector/activity-record.ts'

/** A record of the inspector, told apart by its key. */
export function sampleRecord(key: string, parts: Partial<ActivityRecord> = {}): ActivityRecord {
  return {
    key,
    kind: 'request',
    id: `id-${key}`,
    title: 'GET /orders/:id',
    subject: 'GET /orders/7',
    status: '200',
    failed: false,
    account: null,
    span: null,
    pid: 1,
    at: 5,
    durationMs: 12,
    statements: 0,
    statementMs: 0,
    repeats: [],
    phases: [],
    texts: [],
    steps: [],
    lines: [],
    incidents: [],
    tables: [],
    dropped: { steps: 0, lines: 0, incidents: 0 },
    ...parts,
  }
}
