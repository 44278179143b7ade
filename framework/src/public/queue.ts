export { queueScope, type QueueScope, type QueueValues } from '../app/config/queue-scope.ts'
export { createJobsTable } from '../app/queue/jobs-table.ts'
export { queueStoreFrom, type QueueStoreOptions } from '../app/queue/queue-store-from.ts'
export { SqlJobs, type SqlJobsOptions } from '../app/queue/sql-jobs.ts'
export { connectRedisJobs } from '../services/queue/redis/connect-redis-jobs.ts'
export { runQueue, type JobTally, type RunQueueOptions } from '../services/queue/run-queue.ts'
export { JobOutcomes, type JobResult } from '../services/queue/job-result.ts'
export type {
  JobStore,
  Lease,
  LeasedJob,
  NewJob,
  QueueCounts,
} from '../services/queue/job-store.ts'
export type { Job, JobHandler } from '../services/queue/job.ts'
export {
  measureQueue,
  type Measurement,
  type MeasureOptions,
} from '../services/queue/measure-queue.ts'
export { MemoryJobs, type MemoryJobsOptions } from '../services/queue/memory-jobs.ts'
export { PermanentFailure } from '../services/queue/permanent-failure.ts'
export type { CompleteQueueOptions, QueueOptions } from '../services/queue/queue-options.ts'
export { queueWorker, type QueueWorker } from '../services/queue/queue-worker.ts'
export { Queue, type PushOptions, type UnsealedJob } from '../services/queue/queue.ts'
export type { RedisJobs } from '../services/queue/redis/redis-jobs.ts'
