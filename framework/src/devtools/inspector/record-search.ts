import { ActivityKinds } from '../../activity/activity.ts'

/** What to look for. */
export interface RecordSearch {
  /** Words that must all occur; numbers such as 404 and 5xx mean a status, `failed` any failure. */
  readonly words?: string
  /** @default every kind */
  readonly kind?: ActivityKinds | null
  /** Only what was written after this change. @default 0 */
  readonly after?: number
}

/** The condition of a search, and its values. */
export interface RecordConditions {
  readonly condition: string
  readonly values: readonly (string | number)[]
}

const maxWords = 10
const maxWordLength = 200

/** Writes a search as a condition on the table of records. */
export function conditionsOf({
  words = '',
  kind = null,
  after = 0,
}: RecordSearch): RecordConditions {
  const parts: (readonly [condition: string, ...values: (string | number)[]])[] = [
    ['change > ?', after],
  ]
  if (kind !== null) parts.push(['kind = ?', kind])
  for (const word of words.toLowerCase().split(/\s+/).slice(0, maxWords)) {
    if (word !== '') parts.push(partOf(word.slice(0, maxWordLength)))
  }
  return {
    condition: parts.map(([condition]) => condition).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  }
}

function partOf(word: string): [condition: string, ...values: string[]] {
  if (/^[1-5]\d\d$/.test(word)) return ['status = ?', word]
  if (/^[1-5]xx$/.test(word)) return [`status LIKE ? AND length(status) = 3`, `${word.charAt(0)}%`]
  if (word === 'failed') return ['failed = 1']
  return ['instr(words, ?) > 0', word]
}

/** The kind with that name; null for any other text. */
export function kindNamed(name: string | undefined): ActivityKinds | null {
  return Object.values(ActivityKinds).find((kind) => kind === name) ?? null
}
