import { isRecord } from '../../../base/is-record.ts'

/** Message from a worker to the primary. */
export type WorkerReport =
  | { readonly type: 'framework:reachable' }
  | { readonly type: 'framework:serving'; readonly host: string; readonly port: number }
  | {
      readonly type: 'framework:failed'
      readonly message: string
      /** The report of an unexpected error; null if the message is enough. */
      readonly report: string | null
    }

/** Message from the primary to a worker: finish the requests in flight, then exit. */
export interface DrainMessage {
  readonly type: 'framework:drain'
  /** Seconds for which it still accepts requests. */
  readonly delay: number
}

/** Environment variable with the slot of a worker. */
export const slotVariable = 'FRAMEWORK_WORKER_SLOT'

/** Environment variable with the folder for a worker's diagnostic report. */
export const reportsVariable = 'FRAMEWORK_WORKER_REPORTS'

const reportTypes: readonly unknown[] = [
  'framework:reachable',
  'framework:serving',
  'framework:failed',
] satisfies readonly WorkerReport['type'][]

/** Whether this is a message of a worker about its start. */
export function isWorkerReport(message: unknown): message is WorkerReport {
  return isRecord(message) && reportTypes.includes(message['type'])
}

/** Whether this is a message of the primary that ends a worker. */
export function isDrainMessage(message: unknown): message is DrainMessage {
  return isRecord(message) && message['type'] === 'framework:drain'
}
