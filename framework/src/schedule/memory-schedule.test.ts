import { scheduleStoreContract } from '../../tests/support/schedule-store-contract.ts'
import { MemorySchedule } from './memory-schedule.ts'

scheduleStoreContract(() => Promise.resolve(new MemorySchedule()))
