export {
  createScheduleTable,
  SqlSchedule,
  type SqlScheduleOptions,
} from '../schedule/sql-schedule.ts'
export type { DueTimes } from '../schedule/due-times.ts'
export { MemorySchedule } from '../schedule/memory-schedule.ts'
export type {
  PassedTimes,
  RunClaim,
  RunEnd,
  ScheduleStore,
  SeenState,
  TaskState,
} from '../schedule/schedule-store.ts'
export { TaskOutcomes, type TaskResult } from '../schedule/bound-task.ts'
export {
  task,
  type Task,
  type TaskContext,
  type TaskPlan,
  type TaskRules,
  type TaskTimes,
} from '../schedule/task.ts'
export type { Schedule } from '../project/schedule.ts'
