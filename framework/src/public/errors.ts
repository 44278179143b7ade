export {
  errorInboxScope,
  type ErrorInboxScope,
  type ErrorInboxValues,
} from '../inbox/inbox-settings.ts'
export {
  errorInboxFrom,
  type ErrorInboxContext,
  type ErrorInboxFromOptions,
} from '../inbox/error-inbox-from.ts'
export { createErrorTables, dropErrorTables } from '../inbox/error-tables.ts'
export { SqlErrors, type SqlErrorsOptions } from '../inbox/sql-errors.ts'
export { ErrorInbox, type ErrorInboxOptions } from '../inbox/error-inbox.ts'
export type { ErrorSample, SampleError, SampleFrame, SampleStep } from '../inbox/error-sample.ts'
export {
  ErrorLimits,
  ErrorOrders,
  ErrorStates,
  type ErrorBatch,
  type ErrorDetails,
  type ErrorGroup,
  type ErrorList,
  type ErrorQuery,
  type ErrorStore,
  type StoredSample,
} from '../inbox/error-store.ts'
export type { ErrorInboxAccess } from '../inbox/inbox-pages.ts'
export { ErrorInboxRoutes } from '../inbox/error-inbox-routes.ts'
