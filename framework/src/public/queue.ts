export {
  queueScope,
  queueStoreFrom,
  type QueueScope,
  type QueueValues,
  type QueueStoreOptions,
} from '../queue/queue-settings.ts'
export { createJobsTable, SqlJobs, type SqlJobsOptions } from '../queue/sql-jobs.ts'
export { connectRedisJobs, type RedisJobs } from '../queue/redis-jobs.ts'
export {
  runQueue,
  queueWorker,
  type JobTally,
  type RunQueueOptions,
  type QueueWorker,
} from '../queue/run-queue.ts'
export {
  JobOutcomes,
  PermanentFailure,
  type JobResult,
  type Job,
  type JobHandler,
} from '../queue/job.ts'
export type { JobStore, Lease, LeasedJob, NewJob, QueueCounts } from '../queue/job-store.ts'
export { measureQueue, type Measurement, type MeasureOptions } from '../queue/queue-metrics.ts'
export { MemoryJobs, type MemoryJobsOptions } from '../queue/memory-jobs.ts'
export {
  Queue,
  type CompleteQueueOptions,
  type QueueOptions,
  type PushOptions,
  type UnsealedJob,
} from '../queue/queue.ts'
