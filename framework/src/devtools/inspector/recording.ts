import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { maskText } from '../../base/mask-text.ts'
import { isRecord, parsedRecord } from '../../base/is-record.ts'
import type { Activity } from '../../activity/activity.ts'
import { repeatedStatements } from '../../activity/repeated-statements.ts'
import type { RepeatedStatement } from '../../activity/repeated-statements.ts'
import { plannableStatement } from '../../activity/shown-statement.ts'
import { StepKinds } from '../../activity/step.ts'
import type { Step } from '../../activity/step.ts'
import type { Incident } from '../../incidents/incident.ts'
import type {
  ActivityRecord,
  ActivityOutcome,
  RecordedLine,
  RecordedStep,
} from './activity-record.ts'

/** Limits of one record: with 500 of them the file stays below 100 MB, whatever a project does. */
const maxCharacters = 200_000
const maxSteps = 500
const maxLines = 200
const maxIncidents = 3
const maxRepeats = 5
const maxTextLength = 8_000

/** Characters that a step needs besides its text. */
const stepCharacters = 300

/** The channel whose line of a request says nothing that its record does not. */
const requestLog = 'requests'

/** Collects what happens during an activity, up to a limit. */
export class Recording {
  readonly activity: Activity
  /** The facts, once it has ended. */
  facts: ActivityOutcome | null = null
  readonly #minRepeats: number
  readonly #key = randomUUID()
  readonly #startMs: number
  #durationMs = 0
  readonly #texts: string[] = []
  /** Positions in `#texts`, by the original text. */
  readonly #positions = new Map<string, number>()
  readonly #steps: RecordedStep[] = []
  readonly #lines: RecordedLine[] = []
  readonly #incidents: Incident[] = []
  readonly dropped = { steps: 0, lines: 0, incidents: 0 }
  #statements = 0
  #statementMs = 0
  #left: number

  /**
   * `minRepeats` is how often a statement from one line counts as N+1; 0 for never. `characters` is the
   * limit of all texts.
   */
  constructor(
    activity: Activity,
    minRepeats: number,
    startMs: number = performance.now(),
    characters: number = maxCharacters,
  ) {
    this.activity = activity
    this.#minRepeats = minRepeats
    this.#startMs = startMs
    this.#left = characters
  }

  get isEmpty(): boolean {
    const { steps, lines, incidents } = this.dropped
    const kept = this.#steps.length + this.#lines.length + this.#incidents.length
    return kept + steps + lines + incidents === 0
  }

  end(facts: ActivityOutcome, endMs: number = performance.now()): void {
    this.facts = facts
    this.#durationMs = endMs - this.#startMs
  }

  step(step: Step): void {
    const { kind, name, startMs, durationMs, count, failure } = step
    if (kind === StepKinds.Sql) {
      this.#statements += 1
      this.#statementMs += durationMs
    }
    if (this.#steps.length >= maxSteps || !this.#take(stepCharacters)) {
      this.dropped.steps += 1
      return
    }
    this.#steps.push({
      kind,
      name: maskText(name).slice(0, 200),
      text: this.#textAt(step.text),
      startMs: startMs - this.#startMs,
      durationMs,
      count,
      failure,
      caller: step.caller,
    })
  }

  /** Takes a line of a channel, as JSON. */
  line(json: string): void {
    const line = lineOf(json)
    if (line === null || line.channel === requestLog) return
    const size = line.message.length + line.context.length + 100
    if (this.#lines.length < maxLines && this.#take(size)) this.#lines.push(line)
    else this.dropped.lines += 1
  }

  incident(incident: Incident): void {
    const isKept = this.#incidents.length < maxIncidents
    if (isKept && this.#take(JSON.stringify(incident).length)) this.#incidents.push(incident)
    else this.dropped.incidents += 1
  }

  /** The record of an activity, which has ended unless somebody asks earlier. */
  record(facts: ActivityOutcome): ActivityRecord {
    const { kind, id, title, account, span } = this.activity
    const sinceMs = performance.now() - this.#startMs
    return {
      ...facts,
      key: this.#key,
      kind,
      id,
      title: maskText(title),
      account,
      // Not the span itself, which refers to everything about the request.
      span: span === null ? null : { traceId: span.traceId, spanId: span.spanId },
      pid: process.pid,
      at: (Date.now() - sinceMs) / 1_000,
      durationMs: this.facts === null ? sinceMs : this.#durationMs,
      statements: this.#statements,
      statementMs: this.#statementMs,
      repeats: this.#repeats(),
      texts: this.#texts,
      steps: this.#steps,
      lines: this.#lines,
      incidents: this.#incidents,
      dropped: this.dropped,
    }
  }

  #repeats(): readonly RepeatedStatement[] {
    if (this.#minRepeats === 0) return []
    return repeatedStatements(this.activity, this.#minRepeats).slice(0, maxRepeats)
  }

  #textAt(text: string): number {
    if (text === '') return -1
    const known = this.#positions.get(text)
    if (known !== undefined) return known
    const kept = plannableStatement(text).slice(0, maxTextLength)
    const at = this.#take(kept.length) ? this.#texts.push(kept) - 1 : -1
    this.#positions.set(text, at)
    return at
  }

  #take(characters: number): boolean {
    if (this.#left < characters) return false
    this.#left -= characters
    return true
  }
}

const maxMessageLength = 4_000
const maxContextLength = 8_000

/** Reads a line that a channel has written; null for any other text. Channels have redacted it already. */
function lineOf(json: string): RecordedLine | null {
  const line = parsedRecord(json)
  if (line === null) return null
  const { timestamp, level, channel, message, context } = line
  return {
    at: Number(timestamp),
    level: String(level),
    channel: String(channel),
    message: String(message).slice(0, maxMessageLength),
    context: contextText(context),
  }
}

function contextText(context: unknown): string {
  if (!isRecord(context) || Object.keys(context).length === 0) return ''
  return JSON.stringify(context, null, 2).slice(0, maxContextLength)
}
