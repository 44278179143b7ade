import type { Job as BullJob, Queue as BullQueue } from 'bullmq'

const pageSize = 100

/** The first jobs of a queue in a state. Jobs that were removed meanwhile are left out. */
export async function pageOf(
  bull: BullQueue,
  state: 'failed' | 'wait',
  limit: number = pageSize,
): Promise<BullJob[]> {
  const jobs: unknown[] = await bull.getJobs([state], 0, limit - 1, true)
  return jobs.filter(isJob)
}

function isJob(job: unknown): job is BullJob {
  return typeof job === 'object' && job !== null && 'retry' in job
}
