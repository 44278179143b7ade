export { createScheduleTable } from '../app/schedule/schedule-table.ts'
export { SqlSchedule, type SqlScheduleOptions } from '../app/schedule/sql-schedule.ts'
export type { DueTimes } from '../services/schedule/due-times.ts'
export { MemorySchedule } from '../services/schedule/memory-schedule.ts'
export type {
  PassedTimes,
  RunClaim,
  RunEnd,
  ScheduleStore,
  SeenState,
  TaskState,
} from '../services/schedule/schedule-store.ts'
export { TaskOutcomes, type TaskResult } from '../services/schedule/task-result.ts'
export {
  task,
  type Task,
  type TaskContext,
  type TaskPlan,
  type TaskRules,
  type TaskTimes,
} from '../services/schedule/task.ts'
export type { Schedule } from '../web/projects/schedule/schedule.ts'
