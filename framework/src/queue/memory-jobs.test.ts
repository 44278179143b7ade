import { jobStoreContract } from '../../tests/support/job-store-contract.ts'
import { MemoryJobs } from './memory-jobs.ts'

jobStoreContract(async () => {
  let now = 1_700_000_000
  return {
    store: new MemoryJobs({ clock: () => now }),
    pass: async (seconds) => void (now += seconds),
  }
})
