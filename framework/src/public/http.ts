export type {
  AddressArguments,
  AddressParams,
  AddressQuery,
  AddressValue,
  RoutePatterns,
} from '../http/addresses/address-builder.ts'
export {
  defineRoutes,
  type NamedRoutes,
  type RouteAddresses,
} from '../http/addresses/define-routes.ts'
export { Signed, type SignedOptions } from '../http/addresses/signed.ts'
export {
  SignedUrls,
  type SignatureState,
  type SignedUrlOptions,
  type SignedUrlsOptions,
} from '../http/addresses/signed-urls.ts'
export {
  EventStream,
  EventStreamEnds,
  type OpenStream,
  type EventStreamParts,
} from '../http/live/event-stream.ts'
export type { EventsOptions, EventsSource } from '../http/live/event-streams.ts'
export type { EventMessage } from '../http/live/event-text.ts'
export { Catcher, createCatcher, type CatcherOptions } from '../http/errors/catcher.ts'
export type { ErrorValues } from '../http/errors/error-values.ts'
export type { MoreContext } from '../http/errors/debug-page.ts'
export type {
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
  StandardSchemaProps,
} from '../base/schema/standard-schema.ts'
export { HttpError, type HttpErrorOptions } from '../http/errors/http-error.ts'
export {
  InvalidInput,
  InvalidQuery,
  type InputError,
  type InputIssue,
  type InputPart,
} from '../http/errors/invalid-input.ts'
export {
  Problem,
  type NoMembers,
  type ProblemClass,
  type ProblemOptions,
} from '../http/errors/problem.ts'
export { checkInput, type CheckedInput, type FieldErrors } from '../http/input/field-errors.ts'
export {
  flashMessage,
  redirectTo,
  refuse,
  sendBack,
  succeed,
  takeMessage,
  type FlashMessage,
  type FormMistakes,
  type FormOutcome,
  type FormRefusal,
} from '../http/input/form-responses.ts'
export type { Input, InputOptions } from '../http/input/input.ts'
export type { InputFields } from '../http/input/read-input.ts'
export {
  openApiDocument,
  type DescribedApi,
  type OpenApiDocument,
  type OpenApiInfo,
} from '../openapi/open-api-document.ts'
export type { OpenApiOptions } from '../http/input/input.ts'
export {
  AfterResponse,
  type AfterResponseOptions,
  type DeferredTask,
} from '../http/request/after-response.ts'
export { RequestEvents } from '../http/request/request-events.ts'
export type { Cookies } from '../http/request/cookies.ts'
export type { JsonObject } from '../http/request/decode-json.ts'
export type { Form } from '../http/request/form.ts'
export type { UploadedFile } from '../http/request/uploaded-file.ts'
export { oldInput } from '../http/input/old-input.ts'
export { readFields } from '../http/input/read-fields.ts'
export type { UploadOptions } from '../http/request/upload-options.ts'
export {
  Request,
  type HeadHook,
  type Params,
  type RouteUploads,
  type UploadCheck,
} from '../http/request/request.ts'
export type { RequestIdentity } from '../http/request/request-identity.ts'
export { wantsJson } from '../http/errors/error-format.ts'
export type { CsvColumns, CsvOptions, CsvValue } from '../http/response/csv.ts'
export type { FileOptions } from '../http/response/file.ts'
export type { HeaderList } from '../http/response/header-list.ts'
export type { ListLinks } from '../http/lists/list-response.ts'
export type { NegotiationOptions } from '../http/response/negotiation.ts'
export type { DatabaseResourceOptions, ListOptions } from '../http/response/database-resource.ts'
export type { CursorBody, ListBody, PageBody } from '../http/lists/list-response.ts'
export type { ListSource } from '../http/lists/read-list.ts'
export * as Resources from '../http/response/resources.ts'
export type { ResponseResources } from '../http/response/database-resource.ts'
export {
  Response,
  type RedirectOptions,
  type ResponseBody,
  type SharedValues,
} from '../http/response/response.ts'
export type { CookieOptions } from '../http/response/set-cookie.ts'
export type {
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
} from '../http/router/middleware.ts'
export { Phases, type MiddlewarePhase } from '../http/router/phases.ts'
export { action, type Action, type ActionOptions } from '../http/router/action.ts'
export type { PathParams } from '../http/router/path-params.ts'
export type { Handler, RouteOptions, RouteSummary } from '../http/router/route.ts'
export {
  routeSet,
  type DeclareRoutes,
  type RouteSet,
  type RouteSetOptions,
} from '../http/router/route-set.ts'
export type { Endpoint } from '../http/router/action.ts'
export {
  resourcePatterns,
  type ResourceAction,
  type ResourceActions,
  type ResourceHandlers,
  type ResourceOptions,
  type ResourcePattern,
  type ResourcePatterns,
} from '../http/router/resource.ts'
export { Router, type GroupOptions } from '../http/router/router.ts'
export { inspectorRoutes, type InspectorOptions } from '../devtools/inspector/inspector.ts'
export {
  MetricsAccess,
  type MetricsAccessOptions,
} from '../devtools/observability/metrics-access.ts'
export {
  ObservabilityRoutes,
  ObservabilityRoutes as Observability,
} from '../devtools/observability/observability.ts'
export type { Listening, TlsOptions, Traffic } from '../http/server/engine/engine.ts'
export type { InjectedResponse, InjectedRequest } from '../http/server/inject.ts'
export type { Limits } from '../http/server/engine/limits.ts'
export type { ObservabilitySettings } from '../http/server/options.ts'
export type { ServerOptions } from '../http/server/options.ts'
export type { ReadyResponse, ReadyCheck } from '../http/server/readiness.ts'
export type { FleetHost, ServerHost } from '../http/server/server-host.ts'
export { Telemetry, type TelemetryOptions } from '../http/observability/telemetry.ts'
export type { ServerLog } from '../http/server/server-log.ts'
export { Server, type ListenOptions, type ServerParts } from '../http/server/server.ts'
export { Worker, type WorkerIdentity } from '../http/server/fleet/worker-events.ts'
