export { createScheduleTable, SqlSchedule } from '../schedule/sql-schedule.ts'
export { MemorySchedule } from '../schedule/memory-schedule.ts'
export type {
  RunClaim,
  RunEnd,
  ScheduleStore,
  SeenState,
  TaskState,
} from '../schedule/schedule-store.ts'
export { TaskOutcomes, type TaskResult } from '../schedule/bound-task.ts'
export { task, type Task, type TaskContext } from '../schedule/task.ts'
export type { Schedule } from '../project/schedule.ts'
