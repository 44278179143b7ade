export { Debugging, type Target } from '../base/debugging/debugging.ts'
export { ErrorException, FatalErrors, type FatalError } from '../base/debugging/error-exception.ts'
export { Page, type PageContext, type PageOptions } from '../base/debugging/page.ts'
export type { ReportLimit } from '../base/debugging/report-limit.ts'
export { Shutdown, createShutdown, type ShutdownOptions } from '../base/debugging/shutdown.ts'
export {
  Throwables,
  createThrowables,
  type ReportContext,
  type Reporter,
  type ThrowablesOptions,
} from '../base/debugging/throwables.ts'
