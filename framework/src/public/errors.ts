export {
  errorInboxScope,
  type ErrorInboxScope,
  type ErrorInboxValues,
} from '../app/config/error-inbox-scope.ts'
export {
  errorInboxFrom,
  type ErrorInboxContext,
  type ErrorInboxFromOptions,
} from '../app/errors/error-inbox-from.ts'
export { createErrorTables, dropErrorTables } from '../app/errors/error-tables.ts'
export { SqlErrors, type SqlErrorsOptions } from '../app/errors/sql-errors.ts'
export { ErrorInbox, type ErrorInboxOptions } from '../services/inbox/error-inbox.ts'
export type {
  ErrorSample,
  SampleError,
  SampleFrame,
  SampleStep,
} from '../services/inbox/error-sample.ts'
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
} from '../services/inbox/error-store.ts'
export type { ErrorInboxAccess } from '../web/routes/error-inbox/error-inbox-access.ts'
export { ErrorInboxRoutes } from '../web/routes/error-inbox.ts'
