import type {
  ErrorBatch,
  ErrorDetails,
  ErrorGroup,
  ErrorList,
  ErrorNews,
} from '../../src/inbox/error-group.ts'
import type { ErrorStore } from '../../src/inbox/sql-errors.ts'

/** A store that keeps batches as they come; `failure`, if set, is thrown instead. */
export class RecordedErrors implements ErrorStore {
  readonly batches: ErrorBatch[] = []
  sweeps = 0
  failure: Error | null = null
  /** What `isUnavailable` says of the failure. */
  isOutage = true
  /** Returned by the next `record`. */
  returned: ErrorGroup | null = null

  async record(batch: ErrorBatch): Promise<ErrorGroup | null> {
    if (this.failure !== null) throw this.failure
    this.batches.push(batch)
    const { returned } = this
    this.returned = null
    return returned
  }

  async takeNews(): Promise<readonly ErrorNews[]> {
    return []
  }

  async forgetNews(): Promise<void> {}

  async list(): Promise<ErrorList> {
    return { groups: [], matching: 0, totals: { open: 0, resolved: 0, muted: 0 } }
  }

  async find(): Promise<ErrorDetails | null> {
    return null
  }

  async resolve(): Promise<boolean> {
    return false
  }

  async mute(): Promise<boolean> {
    return false
  }

  async reopen(): Promise<boolean> {
    return false
  }

  async sweep(): Promise<number> {
    this.sweeps += 1
    return 0
  }

  isUnavailable(): boolean {
    return this.isOutage
  }
}
