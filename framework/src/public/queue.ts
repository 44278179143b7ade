export { queueScope, queueStoreFrom } from '../queue/queue-settings.ts'
export { createJobsTable, SqlJobs } from '../queue/sql-jobs.ts'
export { runQueue, queueWorker, type QueueWorker } from '../queue/run-queue.ts'
export {
  JobOutcomes,
  PermanentFailure,
  type JobResult,
  type Job,
  type JobHandler,
} from '../queue/job.ts'
export type { JobStore, Lease, LeasedJob, NewJob, QueueCounts } from '../queue/job-store.ts'
export { measureQueue, type Measurement } from '../queue/queue-metrics.ts'
export { MemoryJobs } from '../queue/memory-jobs.ts'
export { Queue, type QueueOptions } from '../queue/queue.ts'
