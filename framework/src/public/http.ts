export { defineRoutes, type RouteUrls } from '../http/urls/define-routes.ts'
export { Signed } from '../http/urls/signed.ts'
export { SignedUrls } from '../http/urls/signed-urls.ts'
export { EventStream, EventStreamEnds } from '../http/live/event-stream.ts'
export type { EventMessage } from '../http/live/event-text.ts'
export { Catcher, createCatcher } from '../http/errors/catcher.ts'
export type { ErrorValues } from '../http/errors/error-values.ts'
export type { StandardSchema } from '../base/schema/standard-schema.ts'
export { HttpError, type HttpErrorOptions } from '../http/errors/http-error.ts'
export {
  InvalidInput,
  InvalidQuery,
  type InputError,
  type InputIssue,
} from '../http/errors/invalid-input.ts'
export { Problem, type ProblemClass, type ProblemOptions } from '../http/errors/problem.ts'
export {
  checkInput,
  flashMessage,
  redirectTo,
  refuse,
  sendBack,
  succeed,
  takeMessage,
  type FlashMessage,
  type CheckedInput,
  type FieldErrors,
} from '../http/input/form-responses.ts'
export type { Input } from '../http/input/input.ts'
export {
  openApiDocument,
  type DescribedApi,
  type OpenApiDocument,
  type OpenApiInfo,
} from '../openapi/open-api-document.ts'
export { AfterResponse, type DeferredTask } from '../http/request/after-response.ts'
export { RequestEvents } from '../http/request/request-events.ts'
export type { Cookies } from '../http/request/cookies.ts'
export type { JsonObject } from '../http/request/decode-json.ts'
export type { Form } from '../http/request/form.ts'
export type { UploadedFile } from '../http/request/uploaded-file.ts'
export { oldInput } from '../http/input/old-input.ts'
export { readFields } from '../http/input/read-fields.ts'
export { Request, type Params, type RequestIdentity } from '../http/request/request.ts'
export { wantsJson } from '../http/errors/error-format.ts'
export type { CsvValue } from '../http/response/csv.ts'
export type { HeaderList } from '../http/response/header-list.ts'
export type { CursorBody, ListBody, PageBody } from '../http/lists/list-page.ts'
export * as Resources from '../http/response/resources.ts'
export { Response, type ResponseBody } from '../http/response/response.ts'
export type { CookieOptions } from '../http/response/set-cookie.ts'
export type {
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
} from '../http/router/middleware.ts'
export { Phases, type MiddlewarePhase } from '../http/router/phases.ts'
export { action, type Action } from '../http/router/action.ts'
export type { PathParams } from '../http/router/path-params.ts'
export type { Handler, RouteOptions, RouteSummary } from '../http/router/route.ts'
export { routeSet, type RouteSet } from '../http/router/route-set.ts'
export { resourcePatterns, type ResourceHandlers } from '../http/router/resource.ts'
export { Router } from '../http/router/router.ts'
export { inspectorRoutes } from '../devtools/inspector/inspector.ts'
export { MetricsAccess } from '../devtools/observability/metrics-access.ts'
export {
  ObservabilityRoutes,
  ObservabilityRoutes as Observability,
} from '../devtools/observability/observability.ts'
export type { Listening } from '../http/server/engine/engine.ts'
export type { InjectedResponse, InjectedRequest } from '../http/server/inject.ts'
export type { Limits } from '../http/server/engine/limits.ts'
export type { ServerOptions } from '../http/server/options.ts'
export type { ReadyResponse, ReadyCheck } from '../http/server/readiness.ts'
export type { ServerHost } from '../http/server/server-host.ts'
export { Telemetry } from '../http/observability/telemetry.ts'
export { Server } from '../http/server/server.ts'
export { Worker, type WorkerIdentity } from '../http/server/fleet/worker-events.ts'
