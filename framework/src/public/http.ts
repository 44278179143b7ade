export type {
  AddressArguments,
  AddressParams,
  AddressQuery,
  AddressValue,
  RoutePatterns,
} from '../web/addresses/address-arguments.ts'
export {
  defineRoutes,
  type NamedRoutes,
  type RouteAddresses,
} from '../web/addresses/define-routes.ts'
export { Signed, type SignedOptions } from '../web/addresses/signed.ts'
export {
  SignedUrls,
  type SignatureState,
  type SignedUrlOptions,
  type SignedUrlsOptions,
} from '../web/addresses/signed-urls.ts'
export {
  EventStream,
  EventStreamEnds,
  type OpenStream,
  type EventStreamParts,
} from '../web/event-streams/event-stream.ts'
export type { EventsOptions, EventsSource } from '../web/event-streams/event-streams.ts'
export type { EventMessage } from '../web/event-streams/event-text.ts'
export { Catcher, createCatcher, type CatcherOptions } from '../web/errors/catcher.ts'
export type { ErrorValues } from '../web/errors/error-values.ts'
export type { MoreContext } from '../web/errors/debug-page.ts'
export type {
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
  StandardSchemaProps,
} from '../base/schema/standard-schema.ts'
export { HttpError, type HttpErrorOptions } from '../web/errors/http-error.ts'
export {
  InvalidInput,
  InvalidQuery,
  type InputError,
  type InputIssue,
  type InputPart,
} from '../web/errors/invalid-input.ts'
export {
  Problem,
  type NoMembers,
  type ProblemClass,
  type ProblemOptions,
} from '../web/errors/problem.ts'
export { checkInput, type CheckedInput, type FieldErrors } from '../web/input/field-errors.ts'
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
} from '../web/input/form-responses.ts'
export type { Input, InputOptions } from '../web/input/input.ts'
export type { InputFields } from '../web/input/read-input.ts'
export {
  openApiDocument,
  type DescribedApi,
  type OpenApiDocument,
  type OpenApiInfo,
} from '../web/openapi/open-api-document.ts'
export type { OpenApiOptions } from '../web/openapi/open-api-options.ts'
export {
  AfterResponse,
  type AfterResponseOptions,
  type DeferredTask,
} from '../web/request/after-response.ts'
export { RequestEvents } from '../web/request/request-events.ts'
export type { Cookies } from '../web/request/cookies.ts'
export type { JsonObject } from '../web/request/decode-json.ts'
export type { Form } from '../web/request/form.ts'
export type { UploadedFile } from '../web/request/uploaded-file.ts'
export { oldInput } from '../web/input/old-input.ts'
export { readFields } from '../web/input/read-fields.ts'
export type { UploadOptions } from '../web/request/upload-options.ts'
export {
  Request,
  type HeadHook,
  type Params,
  type RouteUploads,
  type UploadCheck,
} from '../web/request/request.ts'
export type { RequestIdentity } from '../web/request/request-identity.ts'
export { wantsJson } from '../web/errors/error-format.ts'
export type { CsvColumns, CsvOptions, CsvValue } from '../web/response/csv.ts'
export type { FileOptions } from '../web/response/file.ts'
export type { HeaderList } from '../web/response/header-list.ts'
export type { ListLinks } from '../web/response/link.ts'
export type { NegotiationOptions } from '../web/response/negotiation.ts'
export type { DatabaseResourceOptions, ListOptions } from '../web/response/resources/database.ts'
export type { CursorBody, ListBody, PageBody } from '../web/response/resources/list-response.ts'
export type { ListSource } from '../web/response/resources/list-source.ts'
export * as Resources from '../web/response/resources/resources.ts'
export type { ResponseResources } from '../web/response/resources/response-resources.ts'
export {
  Response,
  type RedirectOptions,
  type ResponseBody,
  type SharedValues,
} from '../web/response/response.ts'
export type { CookieOptions } from '../web/response/set-cookie.ts'
export type {
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
  MiddlewareParts,
  Next,
} from '../web/router/middleware.ts'
export { action, type Action, type ActionOptions } from '../web/router/action.ts'
export type { PathParams } from '../web/router/path-params.ts'
export type { Handler, RouteOptions, RouteSummary } from '../web/router/route.ts'
export {
  routeSet,
  type DeclareRoutes,
  type RouteSet,
  type RouteSetOptions,
} from '../web/router/route-set.ts'
export type { Endpoint } from '../web/router/endpoint.ts'
export {
  resourcePatterns,
  type ResourceAction,
  type ResourceActions,
  type ResourceHandlers,
  type ResourceOptions,
  type ResourcePattern,
  type ResourcePatterns,
} from '../web/router/resource.ts'
export { Router, type GroupOptions } from '../web/router/router.ts'
export { inspectorRoutes, type InspectorOptions } from '../web/routes/inspector/inspector.ts'
export { MetricsAccess, type MetricsAccessOptions } from '../web/routes/metrics-access.ts'
export {
  ObservabilityRoutes,
  ObservabilityRoutes as Observability,
} from '../web/routes/observability.ts'
export type { Listening, TlsOptions, Traffic } from '../web/server/engine/engine.ts'
export type { InjectedAnswer, InjectedRequest } from '../web/server/inject.ts'
export type { Limits } from '../web/server/engine/limits.ts'
export type { ObservabilitySettings } from '../web/server/observability-settings.ts'
export type { ServerOptions } from '../web/server/options.ts'
export type { ReadyAnswer, ReadyCheck } from '../web/server/readiness.ts'
export type { FleetHost, ServerHost } from '../web/server/server-host.ts'
export { Telemetry, type TelemetryOptions } from '../web/telemetry.ts'
export type { ServerLog } from '../web/server/server-log.ts'
export { Server, type ListenOptions, type ServerParts } from '../web/server/server.ts'
export { Worker, type WorkerIdentity } from '../web/server/fleet/worker-events.ts'
