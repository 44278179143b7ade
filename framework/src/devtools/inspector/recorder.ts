import { toError } from '../../base/to-error.ts'
import type { ReportContext } from '../../errors/throwables/throwables.ts'
import type { Activity } from '../../activity/activity.ts'
import { fetchFailure, followFetches } from '../../activity/fetch-calls.ts'
import { countRepeats } from '../../activity/repeated-statements.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { StepKinds } from '../../activity/step.ts'
import { Steps } from '../../activity/steps.ts'
import { incidentOf } from '../../incidents/incident.ts'
import type { Sink } from '../../logs/sink.ts'
import type { ActivityRecord, ActivityOutcome } from './activity-record.ts'
import { Recording } from './recording.ts'

/** Takes finished records; one with a known key replaces the earlier one. Called often, so it is quick. */
export type KeepRecord = (key: object, record: () => ActivityRecord) => void

/**
 * Follows the activities of a process that it was told about, and passes their records on when they
 * end. Others, such as the inspector's own requests, leave no trace.
 */
export class Recorder {
  /** The recorder of this process; null while nothing is recorded. */
  static Instance: Recorder | null = null
  /** Takes the log lines of the current activity; null while nobody wants them. */
  static takeLine: ((json: string) => void) | null = null

  readonly #keep: KeepRecord
  readonly #minRepeats: number
  readonly #recordings = new WeakMap<Activity, Recording>()

  /** `minRepeats` is how often a statement from one line counts as N+1; 0 for never. */
  constructor(keep: KeepRecord, minRepeats: number) {
    this.#keep = keep
    this.#minRepeats = minRepeats
  }

  /** Starts watching steps and makes this the recorder of the process. Returns a function that stops it. */
  start(steps: Steps = Steps.Instance): () => void {
    const stops = [
      ...(this.#minRepeats === 0 ? [] : [steps.watch(countRepeats)]),
      steps.watch({
        wantsCallers: true,
        wantsSpans: true,
        ended: (step) => {
          const { activity } = step.context
          if (activity !== null) this.#add(activity, (recording) => recording.step(step))
        },
      }),
      recordFetches(steps),
      CurrentWork.follow(),
    ]
    Recorder.Instance = this
    Recorder.takeLine = (json) => this.line(json)
    return () => {
      for (const stop of stops) stop()
      if (Recorder.Instance !== this) return
      Recorder.Instance = null
      Recorder.takeLine = null
    }
  }

  /** Whether nothing has happened during an activity so far. */
  isIdle(activity: Activity): boolean {
    return this.#recordings.get(activity)?.isEmpty === true
  }

  /** The record of an activity that still goes on; null if it is not recorded. */
  soFar(activity: Activity): ActivityRecord | null {
    const outcome = { subject: '', status: '', failed: false, phases: [], tables: [] }
    return this.#recordings.get(activity)?.record(outcome) ?? null
  }

  begin(activity: Activity, startMs: number = performance.now()): void {
    activity.recorded = true
    this.#recordings.set(activity, new Recording(activity, this.#minRepeats, startMs))
  }

  /** Ends the recording of an activity. `facts` is called only if there is one. */
  end(activity: Activity, facts: () => ActivityOutcome): void {
    this.#add(activity, (recording) => recording.end(facts()))
  }

  /** Takes a log line of the current activity. */
  line(json: string): void {
    const { activity } = CurrentWork.context()
    if (activity !== null) this.#add(activity, (recording) => recording.line(json))
  }

  /** A reporter of `Throwables`. */
  readonly report = (thrown: unknown, context: ReportContext): void => {
    const { activity } = CurrentWork.context()
    if (activity === null) return
    this.#add(activity, (recording) => {
      recording.incident(incidentOf(toError(thrown), context, Date.now() / 1_000))
    })
  }

  // What happens after the response belongs to the activity too: its record is then written again.
  #add(activity: Activity, add: (recording: Recording) => void): void {
    const recording = this.#recordings.get(activity)
    if (recording === undefined) return
    add(recording)
    const { facts } = recording
    if (facts !== null) this.#keep(recording, () => recording.record(facts))
  }
}

/** Makes a step of every `fetch` of an activity. Returns a function that stops it. */
export function recordFetches(steps: Steps): () => void {
  return followFetches(({ method, origin }) => {
    const step =
      CurrentWork.context().activity === null ? null : steps.begin(StepKinds.Fetch, method, origin)
    if (step === null) return null
    step.leave()
    return (status, error) => step.end(0, fetchFailure(status, error))
  })
}

/** Passes log lines to whoever records in this process, if anybody does. */
export const recordedLines: Sink = {
  dropped: 0,
  write: (line) => Recorder.takeLine?.(line),
  flush: () => Promise.resolve(),
  flushSync() {},
  close: () => Promise.resolve(),
}
